// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who watches a run, and where does what they see go? Each thing that was asked for is an
// observer; without any the launch has none and costs nothing.

#ifndef TILEWRIGHT_TOOLS_WATCH_H
#define TILEWRIGHT_TOOLS_WATCH_H

#include "tilewright/reference/watch/Coverage.h"
#include "tools/tilewright/run/Breakpoint.h"
#include "tools/tilewright/run/Progress.h"

namespace tilewright::tools {

struct WatchOptions {
  /// A file; "-" is where complaints go, empty nowhere.
  std::string trace, coverage;
  /// Of which blocks (`X[,Y[,Z]]`) and operations the trace tells; all if there are none.
  /// Breakpoints heed the blocks as well.
  std::vector<std::string> blocks, operations;
  /// Breakpoint.h says how places are spelled; empty: none.
  std::string breakAt;
  std::string breakFolder = BreakOptions().folder;
  bool breakEnds = false;
  /// No progress, even on a terminal.
  bool quiet = false;

  /// Is there anything that somebody asked for?
  bool any() const { return !trace.empty() || !coverage.empty() || !breakAt.empty(); }
};

class Watch {
public:
  /// Fails where an option means nothing for this entry and grid, or a file cannot be made.
  static support::Result<std::unique_ptr<Watch>>
  create(tile::EntryOp entry, const runtime::Grid &grid, const WatchOptions &options,
         llvm::StringRef file, llvm::raw_ostream &err);

  ~Watch();

  /// Null if nobody watches.
  reference::Observer *observer() { return observers.empty() ? nullptr : &observers; }
  /// After the launch: ends the trace and the bar, and tells the coverage.
  support::Result<void> finish();

private:
  Watch(tile::EntryOp entry, const WatchOptions &options, llvm::StringRef file,
        llvm::raw_ostream &err)
      : entry(entry), options(options), file(file), err(err) {}

  support::Result<void> addTrace(const reference::TraceFilter &filter);
  support::Result<void> addBreakpoint(const reference::TraceFilter &filter);

  tile::EntryOp entry;
  const WatchOptions &options;
  std::string file;
  llvm::raw_ostream &err;

  std::unique_ptr<llvm::raw_fd_ostream> traceFile;
  std::optional<reference::TraceWriter> trace;
  std::optional<reference::Coverage> coverage;
  std::unique_ptr<Breakpoint> breakpoint;
  std::optional<Progress> progress;
  reference::Observers observers;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_WATCH_H
