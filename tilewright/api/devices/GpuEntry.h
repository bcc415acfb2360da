// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry compiled for the GPU of this machine and loaded by its driver. The library (Gpu.cpp) and
// `tilewright run --device cuda` share it.

#ifndef TILEWRIGHT_API_DEVICES_GPUENTRY_H
#define TILEWRIGHT_API_DEVICES_GPUENTRY_H

#include "tilewright/api/Array.h"
#include "tilewright/nvidia/Compiler.h"
#include "tilewright/runtime/Cuda.h"

namespace tilewright::api {

class GpuEntry {
public:
  /// Without a target it is compiled for this GPU.
  static support::Result<std::unique_ptr<const GpuEntry>>
  compile(tile::EntryOp entry, runtime::CudaDevice gpu, std::optional<nvidia::Target> target,
          codegen::OptLevel level);
  ~GpuEntry();
  GpuEntry(const GpuEntry &) = delete;

  /// The arguments fit the parameters. Copies arrays to the GPU, and back unless the result is a
  /// fault. What the kernel prints goes to standard output. Fails if the driver cannot launch it.
  support::Result<std::optional<runtime::CudaFault>> run(const runtime::Grid &grid,
                                                         std::span<const Argument> arguments) const;

private:
  GpuEntry(runtime::CudaDevice device, runtime::CudaKernel kernel, unsigned threads)
      : device(std::move(device)), kernel(std::move(kernel)), threads(threads) {}

  const runtime::CudaDevice device;
  const runtime::CudaKernel kernel;
  const unsigned threads; ///< Of a CTA.
};

/// Fails for arguments that are not supported on a GPU.
support::Result<void> verifyForGpu(const Argument &argument);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DEVICES_GPUENTRY_H
