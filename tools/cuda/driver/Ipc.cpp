// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shares memory and events between processes. A handle is the name of a block (Shared.h). An event
// shares only its existence: work is done when it is enqueued, so every recorded event is complete
// by the time another process queries it.

#include "tools/cuda/driver/Memory.h"
#include "tools/cuda/driver/Shared.h"
#include "tools/cuda/driver/Stream.h"

#include <map>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilewright::cuda;

/// CUipcMemHandle and CUipcEventHandle, which clients pass by value.
using CUipcHandle = SharedName;

namespace {
/// A mapping of another process's memory, with a reference count.
struct Mapping {
  void *start;
  size_t size;
  CUdeviceptr address;
  unsigned count;
};

struct Mappings {
  std::mutex mutex;
  std::map<SharedTag, Mapping> byTag;
};
} // namespace

static Mappings &mappings() {
  static auto *const mappings = new Mappings;
  return *mappings;
}

//===-- Memory ------------------------------------------------------------------------------===//

/// Accepts any address within an allocation.
TW_DRIVER_API CUresult cuIpcGetMemHandle(CUipcHandle *handle, CUdeviceptr address) {
  if (CUresult error = verifyInitialised())
    return error;
  const std::optional<CUdeviceptr> base = baseOf(address);
  if (!handle || !base || !nameShared(pointerTo(*base), *handle))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

/// Maps whole pages of the file, which may also contain neighbouring blocks.
static CUresult map(const CUipcHandle &handle, Mapping &mapping) {
  int file;
  if (CUresult error = openShared(handle, SharedKind::Memory, file))
    return error;
  const size_t before = handle.offset % size_t(sysconf(_SC_PAGESIZE));
  mapping.size = before + handle.size;
  mapping.start = mmap(nullptr, mapping.size, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                       off_t(handle.offset - before));
  close(file);
  if (mapping.start == MAP_FAILED)
    return CUDA_ERROR_MAP_FAILED;
  mapping.address = reinterpret_cast<uintptr_t>(mapping.start) + before;
  mapping.count = 1;
  return CUDA_SUCCESS;
}

/// Opening it again increments the reference count.
TW_DRIVER_API CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcHandle handle,
                                             unsigned flags) {
  constexpr unsigned lazyEnablePeerAccess = 1;
  if (CUresult error = verifyInitialised())
    return error;
  if (!address || flags != lazyEnablePeerAccess)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(mappings().mutex);
  auto &byTag = mappings().byTag;
  if (const auto open = byTag.find(handle.tag);
      open != byTag.end() && handle.kind == SharedKind::Memory) {
    ++open->second.count;
    *address = open->second.address;
    return CUDA_SUCCESS;
  }
  Mapping mapping = {};
  if (CUresult error = map(handle, mapping))
    return error;
  byTag[handle.tag] = mapping;
  addOpened(mapping.address, handle.size);
  *address = mapping.address;
  return CUDA_SUCCESS;
}

/// The same for clients that were built before 11.0.
TW_DRIVER_API CUresult cuIpcOpenMemHandle(CUdeviceptr *address, CUipcHandle handle,
                                          unsigned flags) {
  return cuIpcOpenMemHandle_v2(address, handle, flags);
}

TW_DRIVER_API CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  if (CUresult error = verifyInitialised())
    return error;
  std::lock_guard lock(mappings().mutex);
  auto &byTag = mappings().byTag;
  for (auto open = byTag.begin(); open != byTag.end(); ++open) {
    Mapping &mapping = open->second;
    if (mapping.address != address)
      continue;
    if (--mapping.count == 0) {
      removeOpened(address);
      munmap(mapping.start, mapping.size);
      byTag.erase(open);
    }
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

//===-- Events ------------------------------------------------------------------------------===//

/// Only the process that created an event can export it.
TW_DRIVER_API CUresult cuIpcGetEventHandle(CUipcHandle *handle, CUevent event) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!handle)
    return CUDA_ERROR_INVALID_VALUE;
  const std::shared_ptr<CUevent_st> found = findEvent(event);
  if (!found || !found->block || !nameShared(found->block.get(), *handle))
    return CUDA_ERROR_INVALID_HANDLE;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuIpcOpenEventHandle(CUevent *event, CUipcHandle handle) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!event)
    return CUDA_ERROR_INVALID_VALUE;
  int file;
  if (CUresult error = openShared(handle, SharedKind::Event, file))
    return error;
  close(file);
  *event = addOpenedEvent();
  return CUDA_SUCCESS;
}
