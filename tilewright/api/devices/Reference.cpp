// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device::Reference: the reference machine, which executes the specification and checks the kernel.
// Each launch loads the module again, so that global variables have their initial values.

#include "tilewright/api/KernelState.h"
#include "tilewright/api/Placement.h"
#include "tilewright/api/Records.h"
#include "tilewright/api/ReportState.h"
#include "tilewright/reference/machine/ThrowingAllocations.h"
#include "tilewright/reference/watch/Coverage.h"
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
  Result<LaunchResult> run(const Run &run) const override;

private:
  Result<LaunchResult> runLocked(const Run &run) const;
  Result<reference::LaunchResult> execute(const Run &run, reference::Machine &machine,
                                          Placement &placement) const;
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
  if (Result<int64_t> steps = stepLimitOf(options); !steps)
    return steps.failure();
  return {};
}

static reference::LaunchOptions launchOptionsOf(const CompileOptions &options) {
  reference::LaunchOptions launch;
  launch.checks = *reference::Checks::parse(options.checks);
  launch.schedule = options.schedule == Schedule::Random ? reference::Schedule::Random
                                                         : reference::Schedule::ProgramOrder;
  launch.seed = options.seed;
  launch.maxSteps = *stepLimitOf(options);
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
  return {};
}

Result<void> ReferenceExecutable::verify(std::span<const Argument> arguments) const {
  return Placement::verify(arguments);
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

static Outcome outcomeOf(const reference::LaunchResult &result) {
  if (result.has(reference::FindingKind::Misbehaviour))
    return Outcome::Misbehaved;
  if (!result.succeeded())
    return Outcome::Failed;
  return result.wasEnded ? Outcome::Cancelled : Outcome::Succeeded;
}

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

Result<reference::LaunchResult> ReferenceExecutable::execute(const Run &run,
                                                             reference::Machine &machine,
                                                             Placement &placement) const {
  // Not llvm::outs(): it is not thread-safe, and a failed write to it ends the process.
  const std::function<void(std::string_view)> &print =
      run.options.output ? run.options.output : runtime::standardOutput();
  OutputStream output(print);
  reference::LaunchOptions launch = options;
  launch.cancelled = &run.cancelled;
  launch.blocksDone = &run.blocksDone;
  std::optional<reference::Coverage> coverage;
  if (run.options.report && stateOf(*run.options.report).hasCoverage)
    launch.observer = &coverage.emplace(entry);
  Result<reference::LaunchResult> ran =
      machine.launch(entry, run.grid, placement.bind(machine), output, launch);
  if (ran && run.options.report)
    addToReport(run, *ran, coverage ? coverage->counts() : report::OperationCounts());
  return ran;
}

Result<LaunchResult> ReferenceExecutable::runLocked(const Run &run) const {
  run.blocksDone = 0;
  const std::unique_lock lock = waitFor(module->mutex, run.cancelled);
  if (!lock)
    return LaunchResult{Outcome::Cancelled};
  Result<Placement> placement = Placement::of(run.arguments);
  if (!placement)
    return placement.failure();
  Result<reference::Machine> machine = reference::Machine::load(module->module, options.seed);
  if (!machine)
    return machine.failure();
  Result<reference::LaunchResult> ran = execute(run, *machine, *placement);
  if (!ran)
    return ran.failure();
  // Other findings take precedence.
  if (Result<void> copied = placement->copyBack(); !copied && ran->succeeded())
    return copied.failure();

  LaunchResult result{outcomeOf(*ran), {}, ran->unlistedFindings, ran->blocksSynchronise};
  for (const report::Finding &finding : ran->findings)
    result.findings.push_back(toFinding(finding, module->name));
  return result;
}

Result<LaunchResult> ReferenceExecutable::run(const Run &run) const {
  reference::ThrowingAllocations throwing;
  try {
    return runLocked(run);
  } catch (const std::bad_alloc &) {
    return Failure{"out of memory: the kernel's tiles and checks exceed this process's limit"};
  }
}
