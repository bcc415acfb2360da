// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Devices.h.

#include "tilewright/api/diff/Devices.h"
#include "tilewright/api/CompiledEntry.h"
#include "tilewright/api/devices/Device.h"
#include "tilewright/api/devices/GpuEntry.h"
#include "tilewright/api/devices/PtxEntry.h"
#include "tilewright/api/devices/ReferenceRun.h"
#include "tilewright/api/devices/WithinMemory.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

//===-- Names -------------------------------------------------------------------------------===//

static constexpr std::pair<const char *, Device> deviceNames[] = {{"reference", Device::Reference},
                                                                  {"cpu", Device::Cpu},
                                                                  {"ptx", Device::Ptx},
                                                                  {"gpu", Device::Gpu}};

Result<DiffDevice> DiffDevice::parse(std::string_view text) {
  const auto [name, target] = llvm::StringRef(text).split(':');
  const bool hasTarget = llvm::StringRef(text).contains(':');
  for (const auto &[known, device] : deviceNames) {
    if (name != known)
      continue;
    if (hasTarget && (target.empty() || device == Device::Reference))
      return Failure{"expected a device like 'cpu' or 'ptx:sm_90a', but got '" + std::string(text) +
                     "'"};
    CompileOptions options;
    options.device = device;
    options.target = target.str();
    if (Result<void> verified = options.verify(); !verified)
      return verified.failure().at(std::string(text));
    return DiffDevice{device, target.str()};
  }
  return Failure{"expected reference, cpu, ptx or gpu, but got '" + name.str() + "'"};
}

std::string DiffDevice::name() const {
  std::string text;
  for (const auto &[known, named] : deviceNames)
    if (named == device)
      text = known;
  return target.empty() ? text : text + ":" + target;
}

bool api::isOnlyReference(const std::vector<DiffDevice> &devices) {
  return !devices.empty() && llvm::all_of(devices, [](const DiffDevice &device) {
    return device.device == Device::Reference;
  });
}

//===-- Running -----------------------------------------------------------------------------===//

static std::vector<report::Finding> withoutWarnings(std::vector<report::Finding> findings) {
  llvm::erase_if(findings, [](const auto &finding) { return isWarning(finding.kind); });
  return findings;
}

/// A finding of a device that says no more than that.
static report::Finding findingOf(tile::EntryOp entry, report::FindingKind kind,
                                 std::string message) {
  report::Finding finding{kind, entry.getLoc(), std::move(message)};
  finding.kernel = entry.getSymName().str();
  return finding;
}

static Result<DeviceOutcome> runReference(const DeviceLaunch &launch) {
  const Result<int64_t> steps = stepLimitOf(0);
  if (!steps)
    return steps.failure();
  ReferenceRun run{launch.entry, launch.grid, launch.arguments, {}};
  run.options.maxSteps = *steps;
  if (!launch.checks)
    run.options.checks = *reference::Checks::parse("none");
  run.options.observer = launch.observer;
  return withinMemory([&]() -> Result<DeviceOutcome> {
    Result<reference::LaunchResult> ran = api::launch(run, llvm::nulls());
    if (!ran)
      return ran.failure();
    return DeviceOutcome{outcomeOf(*ran), withoutWarnings(std::move(ran->findings))};
  });
}

static Result<DeviceOutcome> runCpu(const std::string &target, const DeviceLaunch &launch) {
  cpu::CompileOptions options;
  options.target = *targetForThisMachine(target.empty() ? "native" : target);
  Result<CompiledEntry> entry = CompiledEntry::compile(launch.entry, options, /*cache=*/nullptr);
  if (!entry)
    return entry.failure();
  const Result<Slots> slots = Slots::of(launch.arguments);
  if (!slots)
    return slots.failure();
  const std::function<void(std::string_view)> discard = [](std::string_view) {};
  runtime::LaunchOptions run;
  run.output = &discard;
  Result<runtime::LaunchResult> ran = entry->launch(launch.grid, slots->values, run);
  if (!ran)
    return ran.failure();
  DeviceOutcome outcome;
  if (!ran->failedAsserts.empty())
    outcome = {Outcome::Failed,
               {findingOf(launch.entry, report::FindingKind::FailedAssert, "an assertion failed")}};
  return outcome;
}

static Result<DeviceOutcome> runPtx(const std::string &target, const DeviceLaunch &launch) {
  for (const Argument &argument : launch.arguments)
    if (Result<void> verified = verifyForPtxMachine(argument); !verified)
      return verified.failure();
  nvidia::CompileOptions options{
      *nvidia::Target::named(target.empty() ? nvidia::defaultTarget : target)};
  auto entry = PtxEntry::compile(launch.entry, options, launch.file);
  if (!entry)
    return entry.failure();
  PtxRunOptions run;
  run.output = [](std::string_view) {};
  run.schedule.stepLimit = uint64_t(*stepLimitOf(0));
  std::string unknown;
  run.checks = *ptx::Checks::parse(launch.checks ? "all" : "none", unknown);
  return withinMemory([&]() -> Result<DeviceOutcome> {
    Result<PtxRunResult> ran = (*entry)->run(launch.grid, launch.arguments, run);
    if (!ran)
      return ran.failure();
    return DeviceOutcome{ran->outcome, withoutWarnings(std::move(ran->findings)),
                         std::move(ran->context)};
  });
}

static Result<DeviceOutcome> runGpu(const std::string &target, const DeviceLaunch &launch) {
  Result<runtime::CudaDevice> gpu = runtime::CudaDevice::open();
  if (!gpu)
    return gpu.failure();
  std::optional<nvidia::Target> chosen;
  if (!target.empty())
    chosen = *nvidia::Target::named(target);
  auto entry = GpuEntry::compile(launch.entry, *gpu, chosen, codegen::OptLevel::O2);
  if (!entry)
    return entry.failure();
  for (const Argument &argument : launch.arguments)
    if (Result<void> verified = verifyForGpu(argument); !verified)
      return verified.failure();
  Result<std::optional<runtime::CudaFault>> fault = (*entry)->run(launch.grid, launch.arguments);
  if (!fault)
    return fault.failure();
  if (!*fault)
    return DeviceOutcome{};
  const bool isMisbehaviour = (*fault)->isMisbehaviour;
  return DeviceOutcome{isMisbehaviour ? Outcome::Misbehaved : Outcome::Failed,
                       {findingOf(launch.entry,
                                  isMisbehaviour ? report::FindingKind::Misbehaviour
                                                 : report::FindingKind::FailedAssert,
                                  (*fault)->message)}};
}

Result<DeviceOutcome> api::runOn(const DiffDevice &device, const DeviceLaunch &launch) {
  switch (device.device) {
  case Device::Reference:
    return runReference(launch);
  case Device::Cpu:
    return runCpu(device.target, launch);
  case Device::Ptx:
    return runPtx(device.target, launch);
  case Device::Gpu:
    return runGpu(device.target, launch);
  }
  llvm_unreachable("every device is listed");
}
