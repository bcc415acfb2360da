// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright run --device reference`: binds the arrays to the reference machine, attaches the
// requested observers, launches the entry, and reports the findings.

#include "tilewright/api/devices/ReferenceRun.h"
#include "tilewright/reference/machine/ThrowingAllocations.h"
#include "tools/tilewright/Interrupt.h"
#include "tools/tilewright/WriteReports.h"
#include "tools/tilewright/run/LaunchReport.h"
#include "tools/tilewright/run/PreparedRun.h"

#include <new>

using namespace tilewright;
using namespace tilewright::tools;
using llvm::StringRef;
using reference::FindingKind;
using support::Result;

//===-- The run -----------------------------------------------------------------------------===//

static RunStatus statusOf(const reference::LaunchResult &result) {
  if (result.succeeded())
    return RunStatus::Succeeded;
  return result.has(FindingKind::Misbehaviour) ? RunStatus::Misbehaved : RunStatus::Failed;
}

static Result<void> writeReports(const PreparedRun &run, const reference::LaunchResult &result,
                                 RunStatus status,
                                 const reference::ExhaustiveResult *exhaustive = nullptr) {
  StringRef kernel = tile::EntryOp(run.entry).getSymName();
  const LaunchReport launch{run.file,           run.text, kernel,      run.grid,
                            run.options.launch, result,   int(status), exhaustive};
  const report::Report report = launch.toReport();
  const llvm::ArrayRef<report::ReportRequest> requests = run.options.reports;
  const report::ReportFormat format = formatOnStandardError(requests);
  if (format == report::ReportFormat::Text)
    launch.print(run.err);
  else
    run.err << toString(report, format, /*text=*/"");
  return writeReportFiles(report, launch.toText(), requests);
}

/// Runs one execution with the given schedule, and writes its outputs.
static RunStatus launch(const PreparedRun &run) {
  const RunOptions &options = run.options;
  Result<std::unique_ptr<Watch>> watch =
      Watch::create(run.entry, run.grid, options.watch, run.file, run.err);
  if (!watch)
    return run.unusable(watch.failure());
  Result<std::vector<api::Argument>> arguments = run.arguments.forLibrary();
  if (!arguments)
    return run.unusable(arguments.failure());
  api::ReferenceRun onMachine{run.entry, run.grid, *arguments, options.launch, run.dependent};
  onMachine.options.observer = (*watch)->observer();
  Result<reference::LaunchResult> result = api::launch(onMachine, run.out);
  if (!result)
    return run.failed(result.failure());

  Result<void> watched = (*watch)->finish();
  RunStatus status = statusOf(*result);
  if (Result<void> reported = writeReports(run, *result, status); !reported)
    return run.unusable(reported.failure());
  if (!watched)
    return run.unusable(watched.failure());
  // If the launch was ended early, the arrays do not contain its results.
  if (status != RunStatus::Succeeded || result->wasEnded)
    return status;
  return run.finish();
}

/// Explores all executions and prints their outcomes. Ctrl-C stops the exploration, and the
/// outcomes found so far are printed; a second Ctrl-C ends the program.
static RunStatus explore(const PreparedRun &run) {
  const RunOptions &options = run.options;
  if (options.watch.any())
    return run.unusable({"--schedule exhaustive executes blocks many times and in no order: there "
                         "is nothing to trace, to break at or to cover"});
  if (!run.arguments.outputs.empty())
    return run.unusable({"--schedule exhaustive has no one result to write or print; it lists "
                         "all outcomes"});
  Result<std::vector<api::Argument>> arguments = run.arguments.forLibrary();
  if (!arguments)
    return run.unusable(arguments.failure());
  for (const api::Argument &argument : *arguments)
    if (Result<void> supported = api::verifyForExploration(argument); !supported)
      return run.unusable(supported.failure());
  api::ReferenceRun onMachine{run.entry, run.grid, *arguments, options.launch};
  onMachine.options.cancelled = &Interrupt::requested;
  std::optional<Interrupt> interrupt(std::in_place);
  Result<reference::ExhaustiveResult> result = api::explore(onMachine);
  interrupt.reset();
  if (!result)
    return run.failed(result.failure());

  print(*result, run.out);
  reference::LaunchResult found{result->findings};
  RunStatus status = statusOf(found);
  if (status == RunStatus::Succeeded && result->limit)
    status = RunStatus::Failed;
  if (Result<void> reported = writeReports(run, found, status, &*result); !reported)
    return run.unusable(reported.failure());
  return status;
}

RunStatus tools::runOnReference(const PreparedRun &run) {
  reference::ThrowingAllocations throwing;
  bool isExhaustive = run.options.launch.schedule == reference::Schedule::Exhaustive;
  try {
    return isExhaustive ? explore(run) : launch(run);
  } catch (const std::bad_alloc &) {
    return run.unusable(
        {"out of memory: the kernel's tiles and checks exceed this process's limit"});
  }
}
