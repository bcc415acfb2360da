// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a kernel run on an NVIDIA GPU? Through the library of the driver, libcuda.so.1, which is
// opened at run time: a machine without it has a clear error, and nobody links it.

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

/// Memory of a device.
class CudaMemory {
public:
  CudaMemory(std::shared_ptr<const CudaDriver> driver, uint64_t address, uint64_t size)
      : driver(std::move(driver)), start(address), bytes(size) {}
  CudaMemory(CudaMemory &&other) noexcept = default;
  CudaMemory &operator=(CudaMemory &&) = delete;
  ~CudaMemory();

  uint64_t address() const { return start; }
  /// As many bytes as there are.
  support::Result<void> write(std::span<const uint8_t> from);
  support::Result<void> read(std::span<uint8_t> to) const;

private:
  std::shared_ptr<const CudaDriver> driver; ///< Null if it has moved.
  uint64_t start, bytes;
};

/// Why a launch ended early.
struct CudaFault {
  std::string message;
  /// The kernel did what it must not: an access to no memory, or to a misaligned address. Else an
  /// assertion failed, or the driver could not do it.
  bool isMisbehaviour = false;
};

/// Code on a device, of which one kernel can be launched.
class CudaKernel {
public:
  CudaKernel(std::shared_ptr<const CudaDriver> driver, void *module, void *function)
      : driver(std::move(driver)), module(module), function(function) {}
  CudaKernel(CudaKernel &&other) noexcept = default;
  CudaKernel &operator=(CudaKernel &&) = delete;
  ~CudaKernel();

  /// Runs a CTA of so many threads per tile block, and waits for the end. `parameters` points to
  /// each of them. A driver refuses another number than code requires (`.reqntid`), and does not
  /// tell that: the most threads that it allows for such code are more.
  std::optional<CudaFault> launch(const Grid &grid, unsigned threads, std::span<void *> parameters);

private:
  friend class CudaDevice;

  std::shared_ptr<const CudaDriver> driver;
  void *module, *function;
};

/// The first GPU of this machine.
class CudaDevice {
public:
  /// Fails without a driver, without a GPU, and with a driver that does not work.
  static support::Result<CudaDevice> open();

  const std::string &name() const { return deviceName; }
  /// 90 for compute capability 9.0.
  int capability() const { return deviceCapability; }
  /// `code` is PTX text, which the driver compiles, or a cubin.
  support::Result<CudaKernel> load(const std::string &code, const std::string &kernel);
  support::Result<CudaMemory> allocate(uint64_t bytes);

private:
  explicit CudaDevice(std::shared_ptr<const CudaDriver> driver) : driver(std::move(driver)) {}

  std::shared_ptr<const CudaDriver> driver;
  std::string deviceName;
  int deviceCapability = 0;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_CUDA_H
