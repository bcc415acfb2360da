// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaches counters and traces to a run of the PTX machine, and writes their output: a trace during
// the run; counters, as a table or JSON, after it. Without them, the run has no overhead.

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
  /// Output files; "-" is standard error, empty is none.
  std::string counters, trace;
  std::vector<std::string> blocks, opcodes;
  std::vector<int64_t> threads;
  int64_t traceLines = int64_t(ptx::TraceFilter().mostLines);
};

/// The words that --check accepts: `all`, `none` and the names of the checks.
std::vector<std::string> ptxCheckNames();
/// Adds the members `schedule` and `seed` to a report.
void addScheduleTo(llvm::json::Object &run, const ptx::Schedule &schedule);

/// Adds the option --counters.
void addPtxCounters(Command command, PtxWatchOptions &options);
/// Adds the option --trace and its filters.
void addPtxTrace(Command command, PtxWatchOptions &options);

class PtxWatch {
public:
  /// Fails if an option is invalid, or the trace file cannot be created. `file` is the name of the
  /// PTX text, for places in it.
  static support::Result<std::unique_ptr<PtxWatch>>
  create(const ptx::Program &program, std::string file, const PtxWatchOptions &options);

  /// Call before the run.
  void attach(ptx::Machine &machine);
  /// Call after the run: ends the trace, and writes the counters.
  support::Result<void> finish(const ptx::Machine &machine);
  /// The counters as JSON; null without --counters.
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

/// The counters as a table: the totals, then a row for each line of the source and of the PTX text.
std::string countersAsText(const ptx::Machine &machine, const ptx::Counters &counters,
                           llvm::StringRef file);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PTX_WATCH_H
