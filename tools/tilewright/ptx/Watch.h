// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who watches a run of the PTX machine, and where does what they see go? Counters become a table
// or JSON after the run, a trace is written while it goes on. Without any, a run costs nothing
// more.

#ifndef TILEWRIGHT_TOOLS_PTX_WATCH_H
#define TILEWRIGHT_TOOLS_PTX_WATCH_H

#include "Command.h"
#include "tilewright/ptx/watch/Counters.h"
#include "tilewright/ptx/watch/Trace.h"
#include "tilewright/support/Result.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::tools {

struct PtxWatchOptions {
  /// Files; "-" is standard error, empty nowhere.
  std::string counters, trace;
  std::vector<std::string> blocks, opcodes;
  std::vector<int64_t> threads;
  int64_t traceLines = int64_t(ptx::TraceFilter().mostLines);
};

/// What --check takes: `all`, `none` and the names of the checks.
std::vector<std::string> ptxCheckNames();
/// The members `schedule` and `seed` of a report.
void addScheduleTo(llvm::json::Object &run, const ptx::Schedule &schedule);

/// The option --counters.
void addPtxCounters(Command command, PtxWatchOptions &options);
/// --trace, and what it is about.
void addPtxTrace(Command command, PtxWatchOptions &options);

class PtxWatch {
public:
  /// Fails if an option means nothing, or the file of the trace cannot be made. `file` is what
  /// places in the PTX text begin with.
  static support::Result<std::unique_ptr<PtxWatch>>
  create(const ptx::Program &program, std::string file, const PtxWatchOptions &options);

  /// Before the run.
  void attach(ptx::Machine &machine);
  /// After the run: ends the trace, and writes the counters.
  support::Result<void> finish(const ptx::Machine &machine);
  /// The counters for programs; null if nobody counts.
  llvm::json::Value countersAsJson(const ptx::Machine &machine) const;

private:
  PtxWatch(std::string file, const PtxWatchOptions &options)
      : file(std::move(file)), options(options) {}

  support::Result<void> openTrace();

  std::string file;
  const PtxWatchOptions &options;
  std::optional<ptx::Counters> counters;
  std::unique_ptr<llvm::raw_fd_ostream> traceFile;
  std::optional<ptx::Trace> trace;
};

/// A table for people: totals, then a row for each line of the source and of the PTX text.
std::string countersAsText(const ptx::Machine &machine, const ptx::Counters &counters,
                           llvm::StringRef file);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PTX_WATCH_H
