// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device::Reference: the reference machine, which executes the specification and checks the kernel.
// Each launch loads the module again, so that global variables have their initial values.

#include "tilewright/api/KernelState.h"
#include "tilewright/api/Launch.h"
#include "tilewright/api/Placement.h"
#include "tilewright/api/Records.h"
#include "tilewright/api/ReportState.h"
#include "tilewright/api/devices/ReferenceRun.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/reference/machine/ThrowingAllocations.h"
#include "tilewright/reference/watch/Coverage.h"
#include "tilewright/reference/watch/TraceWriter.h"
#include "tilewright/runtime/Output.h"

#include <chrono>
#include <new>

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

namespace {
class ReferenceExecutable : public Executable {
public:
  ReferenceExecutable(std::unique_ptr<ModuleState> module, tile::EntryOp entry,
                      reference::LaunchOptions options)
      : module(std::move(module)), entry(entry), options(options) {}

  Device device() const override { return Device::Reference; }
  Result<void> verify(const Argument &argument) const override;
  Result<void> verify(std::span<const Argument> arguments) const override;
  Result<void> verify(const LaunchOptions &options) const override;
  Result<void> verifyDependent() const override;
  Result<LaunchResult> run(const Run &run) const override;

private:
  bool isExhaustive() const { return options.schedule == reference::Schedule::Exhaustive; }
  ReferenceRun onMachine(const Run &run) const;
  reference::TraceWriter::Writer writerOf(const Run &run) const;
  Result<LaunchResult> runLocked(const Run &run) const;
  Result<LaunchResult> launch(const Run &run) const;
  Result<LaunchResult> explore(const Run &run) const;
  LaunchResult finish(const Run &run, const reference::LaunchResult &ran,
                      const report::OperationCounts &counts = {}) const;
  void addToReport(const Run &run, const reference::LaunchResult &result,
                   const report::OperationCounts &counts) const;

  /// A separate copy of the module, because other threads may use the one that the entry was
  /// compiled from. Its locations include the byte offsets of bytecode.
  std::unique_ptr<ModuleState> module;
  mutable tile::EntryOp entry;
  reference::LaunchOptions options;
};
} // namespace

//===-- Preparing ---------------------------------------------------------------------------===//

Result<void> api::verifyForReference(const CompileOptions &options) {
  if (Result<reference::Checks> known = reference::Checks::parse(options.checks); !known)
    return known.failure();
  if (options.schedule == Schedule::Replay)
    if (auto order = reference::ReplayOrder::parse(options.replay); !order)
      return order.failure();
  if (Result<int64_t> steps = stepLimitOf(options.maxSteps); !steps)
    return steps.failure();
  return {};
}

static reference::Schedule scheduleOf(Schedule schedule) {
  switch (schedule) {
  case Schedule::ProgramOrder:
    return reference::Schedule::ProgramOrder;
  case Schedule::Random:
    return reference::Schedule::Random;
  case Schedule::Exhaustive:
    return reference::Schedule::Exhaustive;
  case Schedule::Replay:
    return reference::Schedule::Replay;
  case Schedule::Reverse:
    break;
  }
  llvm_unreachable("only the PTX machine runs threads in reverse order");
}

static reference::LaunchOptions launchOptionsOf(const CompileOptions &options) {
  reference::LaunchOptions launch;
  launch.checks = *reference::Checks::parse(options.checks);
  launch.schedule = scheduleOf(options.schedule);
  launch.seed = options.seed;
  if (options.schedule == Schedule::Replay)
    launch.replay = *reference::ReplayOrder::parse(options.replay);
  launch.mma = options.exactMma ? reference::MmaMode::Exact : reference::MmaMode::Chain;
  launch.maxSteps = *stepLimitOf(options.maxSteps);
  return launch;
}

Result<std::unique_ptr<Executable>> api::prepareForReference(const Request &request) {
  LoadOptions load;
  load.markPlaces = true;
  auto copy = std::make_unique<ModuleState>(request.module.context, load);
  {
    std::lock_guard lock(request.module.mutex);
    if (!copy->accept(copy->loader.loadMemory(request.module.loader.bytes(), request.module.name)))
      return copy->takeFailure(nullptr);
  }
  tile::EntryOp entry = copy->find(request.entry);
  return std::unique_ptr<Executable>(std::make_unique<ReferenceExecutable>(
      std::move(copy), entry, launchOptionsOf(request.options)));
}

//===-- Arguments ---------------------------------------------------------------------------===//

Result<void> ReferenceExecutable::verify(const Argument &argument) const {
  if (std::holds_alternative<Address>(argument))
    return Failure{"the reference machine expected an array, whose extents it checks, but got an "
                   "address"};
  return isExhaustive() ? verifyForExploration(argument) : Result<void>();
}

Result<void> ReferenceExecutable::verify(std::span<const Argument> arguments) const {
  return Placement::verify(arguments);
}

Result<void> ReferenceExecutable::verify(const LaunchOptions &launch) const {
  if (isExhaustive() && launch.report && stateOf(*launch.report).hasCoverage)
    return Failure{"the exhaustive schedule has no coverage"};
  if (!launch.trace.receive)
    return {};
  if (isExhaustive())
    return Failure{"the exhaustive schedule has no trace"};
  if (auto operations = tracedOperations(launch.trace.operations); !operations)
    return operations.failure();
  return {};
}

Result<void> ReferenceExecutable::verifyDependent() const {
  if (isExhaustive())
    return Failure{"the exhaustive schedule has no dependent launches"};
  return {};
}

//===-- Running -----------------------------------------------------------------------------===//

namespace {
/// Passes what the kernel prints to the caller's function.
class OutputStream : public llvm::raw_ostream {
public:
  explicit OutputStream(const std::function<void(std::string_view)> &sink)
      : raw_ostream(/*unbuffered=*/true), sink(sink) {}

private:
  void write_impl(const char *text, size_t size) override {
    sink({text, size});
    written += size;
  }
  uint64_t current_pos() const override { return written; }

  const std::function<void(std::string_view)> &sink;
  uint64_t written = 0;
};
} // namespace

/// Waits for launches of the kernel by other threads. A launch by this thread does not block: it is
/// the one whose output function started this launch. Returns without the lock if this launch is
/// cancelled first.
static std::unique_lock<std::recursive_timed_mutex> waitFor(std::recursive_timed_mutex &mutex,
                                                            const std::atomic<bool> &cancelled) {
  std::unique_lock lock(mutex, std::defer_lock);
  // Polls, because a signal handler cannot wake a waiting thread.
  while (!cancelled && !lock.try_lock_for(std::chrono::milliseconds(10)))
    ;
  return lock;
}

void ReferenceExecutable::addToReport(const Run &run, const reference::LaunchResult &result,
                                      const report::OperationCounts &counts) const {
  ReportState &report = stateOf(*run.options.report);
  std::lock_guard lock(report.mutex);
  report.findings.add(module->name, result.findings, result.unlistedFindings,
                      result.blocksSynchronise);
  if (!report.hasCoverage)
    return;
  KernelCoverage &coverage = report.coverage[run.kernel.get()];
  coverage.kernel = run.kernel;
  coverage.name = run.kernel->name;
  coverage.entry = entry;
  coverage.file = module->name;
  report::add(coverage.counts, counts);
}

/// Reports the findings, and converts the result.
LaunchResult ReferenceExecutable::finish(const Run &run, const reference::LaunchResult &ran,
                                         const report::OperationCounts &counts) const {
  if (run.options.report)
    addToReport(run, ran, counts);
  LaunchResult result{outcomeOf(ran), {}, ran.unlistedFindings, ran.blocksSynchronise};
  for (const report::Finding &finding : ran.findings)
    result.findings.push_back(toFinding(finding, module->name));
  return result;
}

ReferenceRun ReferenceExecutable::onMachine(const Run &run) const {
  ReferenceRun onMachine{entry, run.grid, run.arguments, options};
  onMachine.options.cancelled = &run.cancelled;
  onMachine.options.blocksDone = &run.blocksDone;
  return onMachine;
}

/// The filter for verified options.
static reference::TraceFilter filterOf(const TraceOptions &trace, const runtime::Grid &grid) {
  reference::TraceFilter filter;
  for (const auto &[x, y, z] : trace.blocks)
    filter.blocks.insert(x + grid.x() * (y + grid.y() * z));
  filter.operations = *tracedOperations(trace.operations);
  return filter;
}

reference::TraceWriter::Writer ReferenceExecutable::writerOf(const Run &run) const {
  return [this, &run](const reference::TraceLine &line) {
    run.options.trace.receive({placeOf(line.location, module->name),
                               {line.block.x, line.block.y, line.block.z},
                               std::nullopt,
                               line.operation.str(),
                               line.text.str()});
  };
}

Result<LaunchResult> ReferenceExecutable::launch(const Run &run) const {
  // Not llvm::outs(): it is not thread-safe, and a failed write to it ends the process.
  const std::function<void(std::string_view)> &print =
      run.options.output ? run.options.output : runtime::standardOutput();
  OutputStream output(print);
  ReferenceRun onMachine = this->onMachine(run);
  if (run.dependent)
    onMachine.dependent = module->find(run.dependent->name);
  reference::Observers observers;
  std::optional<reference::Coverage> coverage;
  if (run.options.report && stateOf(*run.options.report).hasCoverage)
    observers.add(coverage.emplace(entry));
  std::optional<reference::TraceWriter> trace;
  if (run.options.trace.receive)
    observers.add(trace.emplace(entry, filterOf(run.options.trace, run.grid), writerOf(run)));
  if (!observers.empty())
    onMachine.options.observer = &observers;
  Result<reference::LaunchResult> ran = api::launch(onMachine, output);
  if (!ran)
    return ran.failure();
  return finish(run, *ran, coverage ? coverage->counts() : report::OperationCounts());
}

static Exploration toExploration(const reference::ExhaustiveResult &explored) {
  Exploration exploration{explored.executions, {}, explored.limit.value_or("")};
  for (const reference::MemoryChange &change : explored.outcomes) {
    std::vector<ChangedElement> &outcome = exploration.outcomes.emplace_back();
    for (const reference::ArrayElement &element : change)
      outcome.push_back(
          {element.array, element.index, element.value, numerics::toString(element.value)});
  }
  return exploration;
}

Result<LaunchResult> ReferenceExecutable::explore(const Run &run) const {
  Result<reference::ExhaustiveResult> explored = api::explore(onMachine(run));
  if (!explored)
    return explored.failure();
  LaunchResult result = finish(run, {.findings = explored->findings});
  if (explored->limit && result.outcome == Outcome::Succeeded)
    result.outcome = run.cancelled ? Outcome::Cancelled : Outcome::Failed;
  result.exploration = toExploration(*explored);
  return result;
}

Result<LaunchResult> ReferenceExecutable::runLocked(const Run &run) const {
  run.blocksDone = 0;
  const std::unique_lock lock = waitFor(module->mutex, run.cancelled);
  if (!lock)
    return LaunchResult{Outcome::Cancelled};
  return isExhaustive() ? explore(run) : launch(run);
}

Result<LaunchResult> ReferenceExecutable::run(const Run &run) const {
  reference::ThrowingAllocations throwing;
  try {
    return runLocked(run);
  } catch (const std::bad_alloc &) {
    return Failure{"out of memory: the kernel's tiles and checks exceed this process's limit"};
  }
}
