// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright run --device reference`: binds the arrays to the reference machine, attaches the
// requested observers, launches the entry, and reports the findings.

#include "tilewright/reference/exhaustive/Exhaustive.h"
#include "tilewright/reference/machine/ThrowingAllocations.h"
#include "tools/tilewright/WriteReports.h"
#include "tools/tilewright/run/LaunchReport.h"
#include "tools/tilewright/run/PreparedRun.h"

#include "llvm/Support/Signals.h"
#include <atomic>
#include <new>

using namespace tilewright;
using namespace tilewright::tools;
using llvm::StringRef;
using reference::FindingKind;
using support::Result;

//===-- Arguments ---------------------------------------------------------------------------===//

/// `4x8xf32`
static std::string typeText(llvm::ArrayRef<int64_t> shape, numerics::Format format) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + numerics::info(format).spelling;
}

/// The name of an array in messages: `parameter 2 (4x8xf32)`, counted from 1.
static std::string nameOf(size_t parameter, const TypedArray &array) {
  return "parameter " + std::to_string(parameter + 1) + " (" +
         typeText(array.shape(), array.format()) + ")";
}

/// Returns a multicast address. Its copies are named `parameter 2, copy 0 (8xf32)` and so on.
static uint64_t bindMulticast(reference::Machine &machine, size_t parameter, TypedArray &array) {
  const std::span<uint8_t> bytes = array.storage().bytes();
  const size_t count = array.shape().front(), size = bytes.size() / count;
  const std::string name = "parameter " + std::to_string(parameter + 1),
                    type = typeText(llvm::ArrayRef(array.shape()).drop_front(), array.format());
  std::vector<uint64_t> copies;
  for (size_t i = 0; i < count; ++i)
    copies.push_back(machine.bindArray(name + ", copy " + std::to_string(i) + " (" + type + ")",
                                       array.format(), bytes.subspan(i * size, size),
                                       array.isInitialised()));
  return machine.bindMulticast(name + " (multicast, " + std::to_string(count) + " copies of " +
                                   type + ")",
                               array.format(), size, std::move(copies));
}

/// Binds each array to the machine once, and returns the values of all parameters.
static std::vector<numerics::Element> bind(reference::Machine &machine, Arguments &arguments) {
  std::vector<std::optional<uint64_t>> addresses(arguments.arrays.size());
  std::vector<numerics::Element> elements;
  for (auto [index, value] : llvm::enumerate(arguments.values)) {
    if (!value.array) {
      elements.push_back(value.scalar);
      continue;
    }
    TypedArray &array = arguments.arrays[*value.array];
    std::optional<uint64_t> &address = addresses[*value.array];
    if (!address)
      address = value.isMulticast
                    ? bindMulticast(machine, index, array)
                    : machine.bindArray(nameOf(index, array), array.format(),
                                        array.storage().bytes(), array.isInitialised());
    elements.push_back(numerics::Element::fromBits(numerics::Format::Pointer, *address));
  }
  return elements;
}

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

/// Launches the entry, and then the dependent one if the first one succeeds.
static Result<reference::LaunchResult> launchAll(const PreparedRun &run,
                                                 reference::Machine &machine,
                                                 const reference::LaunchOptions &options) {
  const std::vector<numerics::Element> parameters = bind(machine, run.arguments);
  Result<reference::LaunchResult> first =
      machine.launch(run.entry, run.grid, parameters, run.out, options);
  if (!first || !run.dependent || !first->succeeded() || first->wasEnded)
    return first;
  reference::LaunchOptions dependent = options;
  dependent.isDependent = true;
  Result<reference::LaunchResult> second =
      machine.launch(run.dependent, run.grid, parameters, run.out, dependent);
  if (!second)
    return second;
  // The first launch succeeded, but may have warnings: they come first.
  second->findings.insert(second->findings.begin(), first->findings.begin(), first->findings.end());
  second->blocksSynchronise |= first->blocksSynchronise;
  return second;
}

/// Runs one execution with the given schedule, and writes its outputs.
static RunStatus launch(const PreparedRun &run) {
  const RunOptions &options = run.options;
  Result<std::unique_ptr<Watch>> watch =
      Watch::create(run.entry, run.grid, options.watch, run.file, run.err);
  if (!watch)
    return run.unusable(watch.failure());
  Result<reference::Machine> machine = reference::Machine::load(run.module(), options.launch.seed);
  if (!machine)
    return run.failed(machine.failure());
  reference::LaunchOptions launchOptions = options.launch;
  launchOptions.observer = (*watch)->observer();
  Result<reference::LaunchResult> result = launchAll(run, *machine, launchOptions);
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

/// Set by Ctrl-C during the exhaustive schedule.
static std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

/// Explores all executions and prints their outcomes. Ctrl-C stops the exploration, and the
/// outcomes found so far are printed; a second Ctrl-C ends the program.
static RunStatus explore(const PreparedRun &run) {
  const RunOptions &options = run.options;
  if (options.watch.any())
    return run.unusable({"--schedule exhaustive executes blocks many times and in no order: there "
                         "is nothing to trace, to break at or to cover"});
  if (llvm::any_of(run.arguments.values, [](const BoundValue &value) { return value.isMulticast; }))
    return run.unusable({"--schedule exhaustive does not support multicast memory"});
  if (!run.arguments.outputs.empty())
    return run.unusable({"--schedule exhaustive has no one result to write or print; it lists "
                         "all outcomes"});
  Result<reference::Machine> machine = reference::Machine::load(run.module(), options.launch.seed);
  if (!machine)
    return run.failed(machine.failure());
  reference::LaunchOptions launchOptions = options.launch;
  launchOptions.cancelled = &interrupted;
  llvm::sys::SetInterruptFunction([] { interrupted = true; });
  Result<reference::ExhaustiveResult> result =
      machine->explore(run.entry, run.grid, bind(*machine, run.arguments), launchOptions);
  llvm::sys::SetInterruptFunction(nullptr);
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
