// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State shared by the driver's functions: the settings from the environment, and the pending error
// of a kernel. There is one device, this machine. Launches run at once, but as on a GPU, their
// errors are returned by the next synchronisation.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_STATE_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_STATE_H

#include "tilewright/api/Tilewright.h"
#include "tools/cuda/driver/Cuda.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

struct CUctx_st {
  uint64_t id;
  std::atomic<unsigned> flags = 0;
  std::atomic<bool> isDestroyed = false;
};

namespace tilewright::cuda {

/// The settings from the environment, as read by cuInit.
struct Settings {
  twDevice device = TW_CPU;
  /// For TW_REFERENCE and TW_PTX; empty: all.
  std::string checks;
  /// For TW_REFERENCE and TW_PTX: the limit of operations per launch; 0: the default.
  int64_t maxSteps = 0;
  /// Output files, for TW_REFERENCE; empty: none.
  std::string jsonReport, sarifReport, coverage;
};

struct State {
  std::mutex mutex;
  std::atomic<bool> isInitialised = false;
  /// Constant after cuInit.
  Settings settings;
  /// For contexts and streams. Clients may use small numbers for special streams.
  std::atomic<uint64_t> nextId = 16;
  /// The first error of a launch since the last synchronisation.
  std::atomic<int> pendingError = CUDA_SUCCESS;
};

/// Never destroyed, so that it can be used until the process ends.
State &state();

/// CUDA_ERROR_NOT_INITIALIZED before cuInit.
inline CUresult verifyInitialised() {
  return state().isInitialised ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

/// Fails before cuInit, for any device other than 0, and if `result` is null.
CUresult verifyDevice(CUdevice device, const void *result);

/// The current context of this thread, never null. Clients without a framework create none: then it
/// is the primary context.
std::shared_ptr<CUctx_st> currentContext();

/// Returns and clears the error since the last synchronisation.
inline CUresult takeError() { return CUresult(state().pendingError.exchange(CUDA_SUCCESS)); }
void setPendingError(CUresult error);

/// Prints an error message, `tilewright: libcuda: ...`, to standard error. Returns the error.
CUresult reportError(CUresult error, const std::string &what);

/// For unsupported functions of the real driver: prints a message, once for each name.
CUresult notSupported(const std::string &name);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_STATE_H
