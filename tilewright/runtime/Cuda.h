// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs kernels on an NVIDIA GPU. The driver library, libcuda.so.1, is opened at run time, so that
// nothing is linked against it and a machine without it gets a clear error.

#ifndef TILEWRIGHT_RUNTIME_CUDA_H
#define TILEWRIGHT_RUNTIME_CUDA_H

#include "tilewright/runtime/Grid.h"
#include "tilewright/support/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tilewright::runtime {

struct CudaDriver;

/// Device memory.
class CudaMemory {
public:
  CudaMemory(std::shared_ptr<const CudaDriver> driver, uint64_t address, uint64_t size)
      : driver(std::move(driver)), start(address), bytes(size) {}
  CudaMemory(CudaMemory &&other) noexcept = default;
  CudaMemory &operator=(CudaMemory &&) = delete;
  ~CudaMemory();

  uint64_t address() const { return start; }
  /// `from` has exactly the size of the memory; so has `to`.
  support::Result<void> write(std::span<const uint8_t> from);
  support::Result<void> read(std::span<uint8_t> to) const;

private:
  std::shared_ptr<const CudaDriver> driver; ///< Null after a move.
  uint64_t start, bytes;
};

/// Makes the primary context of the first GPU current on this thread during its life, and
/// afterwards the context that was current before.
class CudaContext {
public:
  explicit CudaContext(std::shared_ptr<const CudaDriver> driver) : driver(std::move(driver)) {}
  CudaContext(CudaContext &&other) noexcept = default;
  CudaContext &operator=(CudaContext &&) = delete;
  ~CudaContext();

private:
  std::shared_ptr<const CudaDriver> driver; ///< Null after a move.
};

/// Why a launch ended early.
struct CudaFault {
  std::string message;
  /// True: the kernel made an invalid access, such as one to unmapped memory or a misaligned
  /// address.
  bool isMisbehaviour = false;
  /// True: an assertion of the kernel failed. If neither is true, the driver failed.
  bool isAssertion = false;
};

/// A kernel of a module that is loaded on a device.
class CudaKernel {
public:
  CudaKernel(std::shared_ptr<const CudaDriver> driver, void *module, void *function)
      : driver(std::move(driver)), module(module), function(function) {}
  CudaKernel(CudaKernel &&other) noexcept = default;
  CudaKernel &operator=(CudaKernel &&) = delete;
  ~CudaKernel();

  /// Permits launches with this much dynamic shared memory, for more than 48 KiB.
  support::Result<void> permitDynamicShared(unsigned bytes);
  /// Enqueues one CTA of `threads` threads per tile block on a stream (CUstream); null is the
  /// default stream. `shared` is the dynamic shared memory in bytes. `parameters` holds a pointer
  /// to each parameter. If the code has a fixed CTA size
  /// (`.reqntid`), `threads` must be that size. The driver does not report it: the maximum that it
  /// gives for such code is larger. Fails if the driver refuses the launch, for example because an
  /// earlier kernel failed.
  support::Result<void> enqueue(const Grid &grid, unsigned threads, unsigned shared,
                                std::span<void *> parameters, void *stream) const;

private:
  friend class CudaDevice;

  std::shared_ptr<const CudaDriver> driver;
  void *module, *function;
};

/// The first GPU of this machine.
class CudaDevice {
public:
  /// Fails without a driver, without a GPU, or if the driver does not work.
  static support::Result<CudaDevice> open();

  const std::string &name() const { return deviceName; }
  /// For example, 90 for compute capability 9.0.
  int capability() const { return deviceCapability; }

  /// What follows, and kernels and memory of the device, need its context on the calling thread.
  support::Result<CudaContext> enter() const;
  /// `code` is a cubin, or PTX text that the driver compiles.
  support::Result<CudaKernel> load(const std::string &code, const std::string &kernel) const;
  support::Result<CudaMemory> allocate(uint64_t bytes) const;
  /// Fails for an address in the memory of another GPU, even if this one could access it. Managed
  /// memory and addresses that the driver does not know are accepted.
  support::Result<void> verify(uint64_t address) const;
  /// Waits for all work of the primary context. Fails if a kernel failed.
  support::Result<void> synchronize() const;
  /// Waits for the default stream. Returns why the kernel there ended early, if it did.
  std::optional<CudaFault> wait() const;

private:
  explicit CudaDevice(std::shared_ptr<const CudaDriver> driver) : driver(std::move(driver)) {}

  std::shared_ptr<const CudaDriver> driver;
  std::string deviceName;
  int deviceCapability = 0;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_CUDA_H
