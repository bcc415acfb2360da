// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Launch.h.

#include "tilewright/api/Launch.h"
#include "tilewright/api/KernelState.h"
#include "tilewright/runtime/Array.h"
#include "tilewright/runtime/Threads.h"

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

static Result<void> verifyArgument(const Parameter &parameter, const Argument &argument) {
  if (const auto *multicast = std::get_if<Multicast>(&argument))
    if (Result<void> verified = multicast->verify(); !verified)
      return verified;
  if (!isOfType(parameter, argument))
    return Failure{std::string("expected ") + (parameter.isPointer ? "an array of " : "a scalar ") +
                   spelling(*parameter.format) + ", but got " + describe(argument)};
  if (const auto *scalar = std::get_if<Element>(&argument); scalar && scalar->poison)
    return Failure{"expected a scalar with a value"};
  return {};
}

static Result<void> verifyArguments(const KernelState &kernel,
                                    std::span<const Argument> arguments) {
  const size_t count = kernel.parameters.size();
  if (arguments.size() != count)
    return Failure{"expected " + std::to_string(count) + (count == 1 ? " argument" : " arguments") +
                   ", but got " + std::to_string(arguments.size())};
  for (size_t i = 0; i < count; ++i) {
    Result<void> fits = verifyArgument(kernel.parameters[i], arguments[i]);
    if (fits)
      fits = kernel.executable->verify(arguments[i]);
    if (!fits)
      return fits.failure().at("parameter " + std::to_string(i + 1) + " of type " +
                               kernel.parameters[i].type);
  }
  return kernel.executable->verify(arguments);
}

//===-- Options -----------------------------------------------------------------------------===//

static Result<void> verifyTrace(const TraceOptions &trace, const runtime::Grid &grid,
                                Device device) {
  if (!trace.receive && (!trace.blocks.empty() || !trace.operations.empty()))
    return Failure{"blocks and operations to trace need a function that receives the trace"};
  if (!trace.receive)
    return {};
  if (device != Device::Reference && device != Device::Ptx)
    return Failure{"only the reference machine and the PTX machine trace a launch"};
  const int64_t extents[] = {grid.x(), grid.y(), grid.z()};
  for (const std::array<int64_t, 3> &block : trace.blocks)
    for (size_t dim = 0; dim < block.size(); ++dim)
      if (block[dim] < 0 || block[dim] >= extents[dim])
        return Failure{"there is no block " + runtime::toString(block) + " to trace in a grid of " +
                       runtime::toString(extents)};
  return {};
}

static bool areOfOneModule(const KernelState &a, const KernelState &b) {
  return !a.module.owner_before(b.module) && !b.module.owner_before(a.module);
}

static Result<void> verifyDependent(const KernelState &kernel, const KernelState &dependent,
                                    const LaunchOptions &options) {
  const auto typeOf = [](const Parameter &parameter) { return llvm::StringRef(parameter.type); };
  if (dependent.executable->device() != kernel.executable->device())
    return Failure{"it must be for the same device"};
  if (!areOfOneModule(kernel, dependent))
    return Failure{"it must be in the same module"};
  if (!llvm::equal(llvm::map_range(kernel.parameters, typeOf),
                   llvm::map_range(dependent.parameters, typeOf)))
    return Failure{"it must have the same parameters, because it runs on the same arguments"};
  if (options.report || options.trace.receive)
    return Failure{"a report or a trace is of a single launch"};
  if (Result<void> first = kernel.executable->verifyDependent(); !first)
    return first;
  return dependent.executable->verifyDependent();
}

static Result<void> verifyOptions(const KernelState &kernel, const KernelState *dependent,
                                  const runtime::Grid &grid, const LaunchOptions &options) {
  const Device device = kernel.executable->device();
  if (options.threads < 0 || options.threads > runtime::maxThreads)
    return Failure{"threads must be in 0.." + std::to_string(runtime::maxThreads) + ", but are " +
                   std::to_string(options.threads)};
  if (options.report && device != Device::Reference)
    return Failure{"only the reference machine has something to report"};
  if (options.stream && device != Device::Gpu)
    return Failure{"only a GPU has streams"};
  if (Result<void> verified = verifyTrace(options.trace, grid, device); !verified)
    return verified;
  if (dependent)
    if (Result<void> verified = verifyDependent(kernel, *dependent, options); !verified)
      return verified.failure().at("dependent kernel @" + dependent->name);
  return kernel.executable->verify(options);
}

//===-- Creating ----------------------------------------------------------------------------===//

Result<Launch> Launch::create(const Kernel &kernel, const runtime::Grid &grid,
                              std::vector<Argument> arguments, const LaunchOptions &options) {
  const auto place = [&] { return "kernel @" + kernel.name(); };
  if (Result<void> fit = verifyArguments(*kernel.state, arguments); !fit)
    return fit.failure().at(place());
  const KernelState *dependent = options.dependent ? options.dependent->state.get() : nullptr;
  if (Result<void> known = verifyOptions(*kernel.state, dependent, grid, options); !known)
    return known.failure().at(place());
  if (options.stream && llvm::any_of(arguments, [](const Argument &argument) {
        return std::holds_alternative<Array>(argument);
      }))
    return Failure{"a launch on a stream does not wait, so it cannot copy arrays to the GPU: "
                   "expected addresses in the GPU's memory"}
        .at(place());
  return Launch(std::make_shared<State>(kernel.state, grid, std::move(arguments), options));
}

//===-- Running -----------------------------------------------------------------------------===//

Result<LaunchResult> Launch::run() {
  const std::optional<Kernel> &dependent = state->options.dependent;
  return state->kernel->executable->run({state->kernel, state->grid, state->arguments,
                                         state->options, state->cancelled, state->blocksDone,
                                         dependent ? dependent->state.get() : nullptr});
}

std::optional<int64_t> Launch::blocksDone() const noexcept {
  if (state->kernel->executable->device() != Device::Reference)
    return std::nullopt;
  return state->blocksDone.load();
}

void Launch::cancel() noexcept { state->cancelled.store(true, std::memory_order_relaxed); }
