// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Launch.h.

#include "tilewright/api/Launch.h"
#include "tilewright/api/KernelState.h"
#include "tilewright/api/Placement.h"
#include "tilewright/api/Records.h"
#include "tilewright/api/ReportState.h"
#include "tilewright/reference/machine/ThrowingAllocations.h"
#include "tilewright/reference/watch/Coverage.h"
#include "tilewright/runtime/Multicast.h"
#include "tilewright/runtime/Output.h"
#include "tilewright/runtime/Threads.h"

#include <atomic>
#include <chrono>
#include <new>

using namespace tilewright;
using namespace tilewright::api;
using numerics::Element;
using numerics::Format;
using support::Failure;
using support::Result;

struct Launch::State {
  State(std::shared_ptr<const KernelState> kernel, const runtime::Grid &grid,
        std::vector<Argument> arguments, LaunchOptions options)
      : kernel(std::move(kernel)), grid(grid), arguments(std::move(arguments)),
        options(std::move(options)) {}

  const std::shared_ptr<const KernelState> kernel;
  const runtime::Grid grid;
  const std::vector<Argument> arguments;
  const LaunchOptions options;
  std::atomic<bool> cancelled = false;
  std::atomic<int64_t> blocksDone = 0;

  Result<LaunchResult> runCompiled() const;
  Result<LaunchResult> runOnReference();
  void addToReport(const reference::LaunchResult &result,
                   const report::OperationCounts &counts) const;
};
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may cancel a launch");

//===-- Arguments ---------------------------------------------------------------------------===//

static std::string spelling(Format format) { return numerics::info(format).spelling; }

static std::string describe(const Argument &argument) {
  if (std::holds_alternative<Address>(argument))
    return "an address";
  if (const auto *multicast = std::get_if<Multicast>(&argument))
    return "multicast memory of " +
           (multicast->copies.empty() ? "no array" : spelling(multicast->copies[0].format()));
  if (const auto *array = std::get_if<Array>(&argument))
    return "an array of " + spelling(array->format());
  return "a scalar " + spelling(std::get<Element>(argument).format);
}

static bool isOfType(const Parameter &parameter, const Argument &argument) {
  if (std::holds_alternative<Address>(argument))
    return parameter.isPointer;
  const auto *array = std::get_if<Array>(&argument);
  if (const auto *multicast = std::get_if<Multicast>(&argument))
    array = multicast->copies.data();
  const Format found = array ? array->format() : std::get<Element>(argument).format;
  return bool(array) == parameter.isPointer && found == *parameter.format;
}

static Result<void> verifyArgument(const Parameter &parameter, const Argument &argument,
                                   bool isChecked) {
  if (const auto *multicast = std::get_if<Multicast>(&argument))
    if (Result<void> verified = multicast->verify(); !verified)
      return verified;
  if (!isOfType(parameter, argument))
    return Failure{std::string("expected ") + (parameter.isPointer ? "an array of " : "a scalar ") +
                   spelling(*parameter.format) + ", but got " + describe(argument)};
  if (const auto *scalar = std::get_if<Element>(&argument); scalar && scalar->poison)
    return Failure{"expected a scalar with a value"};
  if (isChecked && std::holds_alternative<Address>(argument))
    return Failure{"the reference machine expected an array, whose extents it checks, but got an "
                   "address"};
  return {};
}

static Result<void> verifyArguments(const KernelState &kernel,
                                    std::span<const Argument> arguments) {
  const size_t count = kernel.parameters.size();
  if (arguments.size() != count)
    return Failure{"expected " + std::to_string(count) + (count == 1 ? " argument" : " arguments") +
                   ", but got " + std::to_string(arguments.size())};
  for (size_t i = 0; i < count; ++i)
    if (Result<void> fits =
            verifyArgument(kernel.parameters[i], arguments[i], kernel.reference.has_value());
        !fits)
      return fits.failure().at("parameter " + std::to_string(i + 1) + " of type " +
                               kernel.parameters[i].type);
  if (kernel.reference)
    if (Result<Placement> placed = Placement::of(arguments); !placed)
      return placed.failure();
  return {};
}

Result<Launch> Launch::create(const Kernel &kernel, const runtime::Grid &grid,
                              std::vector<Argument> arguments, const LaunchOptions &options) {
  const auto place = [&] { return "kernel @" + kernel.name(); };
  if (Result<void> fit = verifyArguments(*kernel.state, arguments); !fit)
    return fit.failure().at(place());
  if (options.threads < 0 || options.threads > runtime::maxThreads)
    return Failure{"threads must be in 0.." + std::to_string(runtime::maxThreads) + ", but are " +
                   std::to_string(options.threads)}
        .at(place());
  if (options.report && !kernel.state->reference)
    return Failure{"only the reference machine has something to report"}.at(place());
  return Launch(std::make_shared<State>(kernel.state, grid, std::move(arguments), options));
}

//===-- Compiled ----------------------------------------------------------------------------===//

static Outcome outcomeOf(const runtime::LaunchResult &result) {
  if (!result.failedAsserts.empty())
    return Outcome::Failed;
  return result.wasCancelled ? Outcome::Cancelled : Outcome::Succeeded;
}

static Result<runtime::Multicast> addressFor(const Multicast &multicast) {
  std::vector<void *> copies;
  for (const Array &copy : multicast.copies)
    copies.push_back(copy.bytes().data());
  return runtime::Multicast::create(copies, multicast.copies[0].bytes().size());
}

/// The bits of an argument, as compiled code reads them.
static uint64_t slotOf(const Argument &argument) {
  if (const auto *array = std::get_if<Array>(&argument))
    return slotFor(array->bytes());
  if (const auto *address = std::get_if<Address>(&argument))
    return reinterpret_cast<uintptr_t>(address->data);
  return slotFor(std::get<Element>(argument));
}

Result<LaunchResult> Launch::State::runCompiled() const {
  llvm::SmallVector<uint64_t, 32> slots;
  std::vector<runtime::Multicast> multicasts; // until the launch has ended
  for (const Argument &argument : arguments) {
    const auto *multicast = std::get_if<Multicast>(&argument);
    if (!multicast) {
      slots.push_back(slotOf(argument));
      continue;
    }
    Result<runtime::Multicast> made = addressFor(*multicast);
    if (!made)
      return made.failure();
    slots.push_back(reinterpret_cast<uintptr_t>(made->address()));
    multicasts.push_back(*std::move(made));
  }
  runtime::LaunchOptions launch;
  launch.threads = options.threads;
  launch.output = options.output ? &options.output : nullptr;
  launch.cancelled = &cancelled;
  Result<runtime::LaunchResult> ran = kernel->compiled->launch(grid, slots, launch);
  if (!ran)
    return ran.failure();

  LaunchResult result{outcomeOf(*ran), {}, ran->unlistedAsserts};
  for (const runtime::FailedAssert &failed : ran->failedAsserts)
    result.findings.push_back(toFinding(failed, kernel->name));
  return result;
}

//===-- On the reference machine ------------------------------------------------------------===//

namespace {
/// What the kernel prints, for the caller.
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

/// Waits for launches of the kernel by other threads. One by this thread goes on below: it waits
/// for whoever takes what it prints. Holds no lock if this launch was cancelled before.
static std::unique_lock<std::recursive_timed_mutex> waitFor(std::recursive_timed_mutex &mutex,
                                                            const std::atomic<bool> &cancelled) {
  std::unique_lock lock(mutex, std::defer_lock);
  // A signal handler may cancel, but wakes nobody.
  while (!cancelled && !lock.try_lock_for(std::chrono::milliseconds(10)))
    ;
  return lock;
}

void Launch::State::addToReport(const reference::LaunchResult &result,
                                const report::OperationCounts &counts) const {
  ReportState &report = *options.report->state;
  std::lock_guard lock(report.mutex);
  report.findings.add(kernel->reference->module->name, result.findings, result.unlistedFindings,
                      result.blocksSynchronise);
  if (!report.hasCoverage)
    return;
  KernelCoverage &coverage = report.coverage[kernel.get()];
  coverage.kernel = kernel;
  report::add(coverage.counts, counts);
}

Result<LaunchResult> Launch::State::runOnReference() {
  blocksDone = 0;
  const ReferenceEntry &reference = *kernel->reference;
  const std::unique_lock lock = waitFor(reference.module->mutex, cancelled);
  if (!lock)
    return LaunchResult{Outcome::Cancelled};
  Result<Placement> placement = Placement::of(arguments);
  if (!placement)
    return placement.failure();
  Result<reference::Machine> machine =
      reference::Machine::load(reference.module->module, reference.options.seed);
  if (!machine)
    return machine.failure();
  // Not llvm::outs(): other kernels may print at the same time, and what cannot be written there
  // ends the process.
  OutputStream output(options.output ? options.output : runtime::standardOutput());
  reference::LaunchOptions launch = reference.options;
  launch.cancelled = &cancelled;
  launch.blocksDone = &blocksDone;
  std::optional<reference::Coverage> coverage;
  if (options.report && options.report->state->hasCoverage)
    launch.observer = &coverage.emplace(reference.entry);
  Result<reference::LaunchResult> ran =
      machine->launch(reference.entry, grid, placement->bind(*machine), output, launch);
  if (!ran)
    return ran.failure();
  if (options.report)
    addToReport(*ran, coverage ? coverage->counts() : report::OperationCounts());
  // What else it did wrong comes first.
  if (Result<void> brought = placement->bringBack(); !brought && ran->succeeded())
    return brought.failure();

  LaunchResult result{outcomeOf(*ran), {}, ran->unlistedFindings, ran->blocksSynchronise};
  for (const report::Finding &finding : ran->findings)
    result.findings.push_back(toFinding(finding, reference.module->name));
  return result;
}

//===-- Running -----------------------------------------------------------------------------===//

Result<LaunchResult> Launch::run() {
  if (state->kernel->compiled)
    return state->runCompiled();
  reference::ThrowingAllocations throwing;
  try {
    return state->runOnReference();
  } catch (const std::bad_alloc &) {
    return Failure{"out of memory: what the kernel's tiles and checks take is more than this "
                   "process may have"};
  }
}

std::optional<int64_t> Launch::blocksDone() const noexcept {
  return state->kernel->compiled ? std::nullopt : std::optional(state->blocksDone.load());
}

void Launch::cancel() noexcept { state->cancelled.store(true, std::memory_order_relaxed); }
