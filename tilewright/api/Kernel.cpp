// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Kernel.h.

#include "tilewright/api/Kernel.h"
#include "tilewright/api/KernelState.h"

#include <charconv>
#include <cstdlib>

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

namespace {
/// The functions of a device (devices/Device.h).
struct DeviceFunctions {
  Result<void> (*verify)(const CompileOptions &options);
  Result<std::unique_ptr<Executable>> (*prepare)(const Request &request);
};
} // namespace

static DeviceFunctions deviceOf(Device device) {
  switch (device) {
  case Device::Cpu:
    return {verifyForCpu, prepareForCpu};
  case Device::Reference:
    return {verifyForReference, prepareForReference};
  case Device::Ptx:
    return {verifyForPtx, prepareForPtx};
  case Device::Gpu:
    return {verifyForGpu, prepareForGpu};
  }
  llvm_unreachable("all devices are listed");
}

//===-- Options -----------------------------------------------------------------------------===//

Result<int64_t> api::stepLimitOf(int64_t maxSteps) {
  constexpr int64_t defaultSteps = 1'000'000'000;
  if (maxSteps)
    return maxSteps;
  const char *given = std::getenv("TILEWRIGHT_MAX_STEPS");
  if (!given || !*given)
    return defaultSteps;
  const std::string_view text = given;
  int64_t steps = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), steps);
  if (error == std::errc() && end == text.data() + text.size() && steps >= 1)
    return steps;
  return Failure{"TILEWRIGHT_MAX_STEPS must be a number of operations, at least 1, but is '" +
                 std::string(text) + "'"};
}

Result<void> CompileOptions::verify() const {
  if (optimization < 0 || optimization > 3)
    return Failure{"the optimization level must be in 0..3, but is " +
                   std::to_string(optimization)};
  if (maxSteps < 0)
    return Failure{"the step limit must be at least 1, but is " + std::to_string(maxSteps)};
  if (schedule == Schedule::Reverse && device != Device::Ptx)
    return Failure{"only the PTX machine runs threads in reverse order"};
  if (schedule == Schedule::Exhaustive && device != Device::Reference)
    return Failure{"only the reference machine has an exhaustive schedule"};
  if (schedule == Schedule::Replay && device != Device::Reference)
    return Failure{"only the reference machine replays schedules"};
  if (exactMma && device != Device::Reference)
    return Failure{"only the reference machine sums matrix products exactly"};
  if (counters && device != Device::Ptx)
    return Failure{"only the PTX machine has counters"};
  return deviceOf(device).verify(*this);
}

//===-- Compiling ---------------------------------------------------------------------------===//

Result<Kernel> Kernel::compile(const Entry &entry, const CompileOptions &options) {
  if (Result<void> known = options.verify(); !known)
    return known.failure();
  if (Result<void> passable = verifyPassable(entry.name(), entry.parameters()); !passable)
    return passable.failure();
  auto state = std::make_shared<KernelState>();
  state->name = entry.name();
  state->parameters = entry.parameters();
  state->module = entry.module;
  Result<std::unique_ptr<Executable>> prepared =
      deviceOf(options.device).prepare({*entry.module, entry.name(), options});
  if (!prepared)
    return prepared.failure();
  state->executable = *std::move(prepared);
  return Kernel(std::move(state));
}

//===-- Properties --------------------------------------------------------------------------===//

const std::string &Kernel::name() const { return state->name; }
const std::vector<Parameter> &Kernel::parameters() const { return state->parameters; }
Device Kernel::device() const { return state->executable->device(); }
