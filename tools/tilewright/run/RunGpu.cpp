// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright run --device gpu`: compiles the program for the GPU of this machine, or for the GPU
// that --target names, and runs it there.

#include "tilewright/api/devices/GpuEntry.h"
#include "tilewright/codegen/Remarks.h"
#include "tools/tilewright/run/PreparedRun.h"

using namespace tilewright;
using namespace tilewright::tools;
using api::GpuEntry;
using support::Result;

static Result<std::unique_ptr<const GpuEntry>> compile(const PreparedRun &run,
                                                       runtime::CudaDevice gpu) {
  const nvidia::CompileOptions &options = run.options.ptx.compile;
  std::optional<nvidia::Target> target;
  if (run.options.ptx.isTargetGiven)
    target = options.target;
  codegen::PrintedRemarks remarks(run.options.remarks, run.err);
  return GpuEntry::compile(run.entry, std::move(gpu), target, options.level);
}

RunStatus tools::runOnGpu(const PreparedRun &run) {
  if (Result<void> supported = run.verifyForGpuCode("gpu"); !supported)
    return run.unusable(supported.failure());
  Result<runtime::CudaDevice> gpu = runtime::CudaDevice::open();
  if (!gpu)
    return run.unusable({"--device gpu: " + gpu.failure().message});
  auto entry = compile(run, *std::move(gpu));
  if (!entry)
    return run.failed(entry.failure());
  Result<std::vector<api::Argument>> arguments = run.arguments.forLibrary();
  if (!arguments)
    return run.unusable(arguments.failure());
  // The kernel's output goes to standard output directly, not through this stream.
  run.out.flush();
  auto fault = (*entry)->run(run.grid, *arguments);
  if (!fault)
    return run.failed(fault.failure());
  if (!*fault)
    return run.finish();
  run.err << (*fault)->message << "\n";
  return (*fault)->isMisbehaviour ? RunStatus::Misbehaved : RunStatus::Failed;
}
