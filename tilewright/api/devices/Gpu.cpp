// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device::Gpu: compiles an entry for the GPU of this machine and runs it there. Arrays are copied
// to the GPU, and back if the launch succeeds; memory of the GPU is used in place.

#include "tilewright/api/KernelState.h"
#include "tilewright/api/Launch.h"
#include "tilewright/api/Placement.h"
#include "tilewright/api/devices/GpuEntry.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

Result<void> api::verifyForGpu(const CompileOptions &options) {
  if (options.target.empty())
    return {};
  if (Result<nvidia::Target> known = nvidia::Target::named(options.target); !known)
    return known.failure();
  return {};
}

namespace {
class GpuExecutable : public Executable {
public:
  explicit GpuExecutable(std::unique_ptr<const GpuEntry> entry) : entry(std::move(entry)) {}

  Device device() const override { return Device::Gpu; }
  Result<void> verify(const Argument &argument) const override { return verifyForGpu(argument); }
  Result<void> verify(std::span<const Argument> arguments) const override {
    return Placement::verify(arguments);
  }
  Result<LaunchResult> run(const Run &run) const override;

private:
  const std::unique_ptr<const GpuEntry> entry;
};
} // namespace

/// The result for a kernel that faulted. The driver reports neither a place nor a block.
static LaunchResult resultOf(const runtime::CudaFault &fault, const std::string &kernel) {
  LaunchResult result{fault.isMisbehaviour ? Outcome::Misbehaved : Outcome::Failed};
  Finding &finding = result.findings.emplace_back(
      Finding{fault.isMisbehaviour ? FindingKind::Misbehaviour : FindingKind::FailedAssert,
              /*isWarning=*/false, fault.message, "entry @" + kernel + ": error: " + fault.message,
              Place{}});
  finding.kernel = kernel;
  return result;
}

Result<LaunchResult> GpuExecutable::run(const Run &run) const {
  if (run.cancelled)
    return LaunchResult{Outcome::Cancelled};
  Result<std::optional<runtime::CudaFault>> fault =
      entry->run(run.grid, run.arguments, run.options.stream);
  if (!fault)
    return fault.failure();
  if (!*fault)
    return LaunchResult{};
  if (!(*fault)->isMisbehaviour && !(*fault)->isAssertion)
    return Failure{(*fault)->message};
  return resultOf(**fault, run.kernel->name);
}

Result<std::unique_ptr<Executable>> api::prepareForGpu(const Request &request) {
  Result<runtime::CudaDevice> gpu = runtime::CudaDevice::open();
  if (!gpu)
    return gpu.failure();
  std::optional<nvidia::Target> target;
  if (!request.options.target.empty())
    target = *nvidia::Target::named(request.options.target);
  std::lock_guard lock(request.module.mutex);
  auto entry = GpuEntry::compile(request.module.find(request.entry), *std::move(gpu), target,
                                 codegen::OptLevel(request.options.optimization));
  (void)request.module.takeFailure(nullptr);
  if (!entry)
    return entry.failure();
  return std::unique_ptr<Executable>(std::make_unique<GpuExecutable>(*std::move(entry)));
}
