// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaches observers to a run on the reference machine: a trace, a breakpoint, coverage, and the
// progress bar, each if requested. Without any, observing has no cost.

#ifndef TILEWRIGHT_TOOLS_WATCH_H
#define TILEWRIGHT_TOOLS_WATCH_H

#include "tilewright/reference/watch/Coverage.h"
#include "tools/tilewright/run/Breakpoint.h"
#include "tools/tilewright/run/Progress.h"

namespace tilewright::tools {

struct WatchOptions {
  /// Output files; "-" is the stream for errors, empty is none.
  std::string trace, coverage;
  /// Filters of the trace: tile blocks (`X[,Y[,Z]]`) and operations; all if empty. Breakpoints also
  /// use `blocks`.
  std::vector<std::string> blocks, operations;
  /// A place in the syntax of Breakpoint.h; empty for no breakpoint.
  std::string breakAt;
  std::string breakFolder = BreakOptions().folder;
  bool breakEnds = false;
  /// No progress, even on a terminal.
  bool quiet = false;

  /// Whether a trace, coverage or a breakpoint is requested.
  bool any() const { return !trace.empty() || !coverage.empty() || !breakAt.empty(); }
};

class Watch {
public:
  /// Fails if an option is invalid for this entry and grid, or a file cannot be created.
  static support::Result<std::unique_ptr<Watch>>
  create(tile::EntryOp entry, const runtime::Grid &grid, const WatchOptions &options,
         llvm::StringRef file, llvm::raw_ostream &err);

  ~Watch();

  /// Null if there are no observers.
  reference::Observer *observer() { return observers.empty() ? nullptr : &observers; }
  /// Call after the launch: ends the trace and the progress bar, and writes the coverage.
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
