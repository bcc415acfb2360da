// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the functions of the driver share? One device, which is this machine, what the
// environment asks for, and the error that a kernel left behind: launches run at once, but as with
// a GPU it is the next synchronisation that tells.

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

/// What the environment asks for, as it was at cuInit.
struct Settings {
  twDevice device = TW_CPU;
  /// For TW_REFERENCE and TW_PTX; empty: all.
  std::string checks;
  /// The same: operations that a launch may execute; 0: as usual.
  int64_t maxSteps = 0;
  /// Files, for TW_REFERENCE; empty: none.
  std::string jsonReport, sarifReport, coverage;
};

struct State {
  std::mutex mutex;
  std::atomic<bool> isInitialised = false;
  /// Never changes after that.
  Settings settings;
  /// Of contexts and streams. Clients may take small numbers for something else.
  std::atomic<uint64_t> nextId = 16;
  /// Of the launches since the last synchronisation, the first one.
  std::atomic<int> pendingError = CUDA_SUCCESS;
};

/// Lives until the process ends, whatever else is destroyed.
State &state();

/// CUDA_ERROR_NOT_INITIALIZED before cuInit.
inline CUresult verifyInitialised() {
  return state().isInitialised ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

/// Fails before cuInit, for another device than 0, and if there is no place for the result.
CUresult verifyDevice(CUdevice device, const void *result);

/// The context that is current to this thread, never null. Without a framework that makes one,
/// clients find none: then it is the primary one.
std::shared_ptr<CUctx_st> currentContext();

/// What went wrong since the last synchronisation, once.
inline CUresult takeError() { return CUresult(state().pendingError.exchange(CUDA_SUCCESS)); }
void leaveError(CUresult error);

/// Says on standard error what went wrong, as `tilewright: libcuda: ...`. Returns the error.
CUresult complain(CUresult error, const std::string &what);

/// For a function of the real driver that is not implemented here: says so, once for each name.
CUresult notSupported(const std::string &name);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_STATE_H
