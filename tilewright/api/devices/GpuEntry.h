// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry compiled for the GPU of this machine and loaded by its driver. `Kernel` (Gpu.cpp) and
// `tilewright run --device gpu` share it.

#ifndef TILEWRIGHT_API_DEVICES_GPUENTRY_H
#define TILEWRIGHT_API_DEVICES_GPUENTRY_H

#include "tilewright/api/Array.h"
#include "tilewright/nvidia/Compiler.h"
#include "tilewright/runtime/Cuda.h"

#include <atomic>

namespace tilewright::api {

class GpuEntry {
public:
  /// Without a target, compiles for `gpu`.
  static support::Result<std::unique_ptr<const GpuEntry>>
  compile(tile::EntryOp entry, runtime::CudaDevice gpu, std::optional<nvidia::Target> target,
          codegen::OptLevel level);
  ~GpuEntry();
  GpuEntry(const GpuEntry &) = delete;

  /// The arguments must match the parameters. Copies arrays to the GPU, and back unless the result
  /// is a fault. What the kernel prints goes to standard output. With a stream, enqueues the launch
  /// there and does not wait; there must be no arrays. Fails if the driver cannot launch the
  /// kernel, an earlier kernel failed, or an address is on another GPU.
  support::Result<std::optional<runtime::CudaFault>>
  run(const runtime::Grid &grid, std::span<const Argument> arguments, void *stream = nullptr) const;

private:
  GpuEntry(runtime::CudaDevice device, runtime::CudaKernel kernel,
           const codegen::CompiledKernel &compiled)
      : device(std::move(device)), kernel(std::move(kernel)), threads(unsigned(compiled.threads)),
        dynamicShared(unsigned(compiled.dynamicSharedBytes)) {}

  support::Result<void> verify(std::span<const Argument> arguments) const;
  support::Result<std::optional<runtime::CudaFault>>
  runAndWait(const runtime::Grid &grid, std::span<const Argument> arguments) const;
  support::Result<void> enqueue(const runtime::Grid &grid, std::vector<uint64_t> words,
                                void *stream) const;

  const runtime::CudaDevice device;
  std::optional<runtime::CudaKernel> kernel;     ///< Unloaded by the destructor.
  const unsigned threads, dynamicShared;         ///< Per CTA.
  mutable std::atomic<bool> wasEnqueued = false; ///< On a stream.
};

/// Fails for arguments that the GPU does not support.
support::Result<void> verifyForGpu(const Argument &argument);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DEVICES_GPUENTRY_H
