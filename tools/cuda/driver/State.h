// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the functions of the driver share? One device, which is this machine, what exists on it,
// and the error that a kernel left behind: launches run at once, but as with a GPU it is the next
// synchronisation that tells.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_STATE_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_STATE_H

#include "tilewright/api/Tilewright.h"
#include "tools/cuda/driver/Cuda.h"

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>

struct CUctx_st {
  uint64_t id;
  unsigned flags = 0;
};

struct CUstream_st {
  CUcontext context;
  uint64_t id;
  unsigned flags;
};

namespace tilewright::cuda {

/// What the environment asks for, as it was at cuInit.
struct Settings {
  twDevice device = TW_CPU;
  /// For TW_REFERENCE; empty: all.
  std::string checks;
};

struct Allocation {
  size_t size;
  bool isHost;
};

struct State {
  std::mutex mutex;
  Settings settings;
  std::atomic<bool> isInitialised = false;
  CUctx_st primary = {1};
  std::atomic<uint64_t> nextId = 2;
  std::set<CUcontext> contexts = {&primary};
  std::set<CUstream> streams;
  std::set<CUevent> events;
  std::set<CUlibrary> libraries;
  /// By address.
  std::map<CUdeviceptr, Allocation> allocations;
  /// Of the launches since the last synchronisation, the first one.
  std::atomic<int> pendingError = CUDA_SUCCESS;
};

/// Lives until the process ends, whatever else is destroyed.
State &state();

/// The context that is current to this thread. Without a framework that makes one, clients find
/// none: then it is the primary one.
CUcontext currentContext();

/// What went wrong since the last synchronisation, once.
inline CUresult takeError() { return CUresult(state().pendingError.exchange(CUDA_SUCCESS)); }
void leaveError(CUresult error);

/// Whether the handle is a stream: one that was created, or one of those that always exist.
bool isStream(CUstream stream);

/// Says on standard error what went wrong, as `tilewright: libcuda: ...`. Returns the error.
CUresult complain(CUresult error, const std::string &what);

/// For a function of the real driver that is not implemented here: says so, once for each name.
CUresult notSupported(const char *name);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_STATE_H
