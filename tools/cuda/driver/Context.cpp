// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts. They own nothing: memory, streams and kernels belong to the process.

#include "tools/cuda/driver/Capture.h"
#include "tools/cuda/driver/Handles.h"
#include "tools/cuda/driver/State.h"

#include <vector>

using namespace tilewright::cuda;
using SharedContext = std::shared_ptr<CUctx_st>;

/// The last element is the current context.
static thread_local std::vector<SharedContext> contextStack;

static Handles<CUctx_st> &contexts() {
  static auto *const contexts = new Handles<CUctx_st>;
  return *contexts;
}

static const SharedContext &primary() {
  static const auto *const primary = [] {
    auto *made = new SharedContext(std::make_shared<CUctx_st>(1));
    contexts().add(*made);
    return made;
  }();
  return *primary;
}

SharedContext tilewright::cuda::currentContext() {
  return contextStack.empty() ? primary() : contextStack.back();
}

/// The context, or the current one for null. Fails before cuInit, and if there is none.
static CUresult find(CUcontext handle, SharedContext &context) {
  if (CUresult error = verifyInitialised())
    return error;
  const SharedContext current = currentContext();
  context = handle ? contexts().find(handle) : current;
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  return context->isDestroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

//===-- The primary context -----------------------------------------------------------------===//

TW_DRIVER_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (CUresult error = verifyDevice(device, context))
    return error;
  *context = primary().get();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return verifyDevice(device, &device);
}

TW_DRIVER_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  if (CUresult error = verifyDevice(device, flags))
    return error;
  if (!active)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = primary()->flags;
  *active = 1;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  if (CUresult error = verifyDevice(device, &device))
    return error;
  primary()->flags = flags;
  return CUDA_SUCCESS;
}

//===-- Creating contexts -------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  if (CUresult error = verifyDevice(device, context))
    return error;
  auto made = std::make_shared<CUctx_st>(state().nextId++, flags);
  *context = contexts().add(made);
  contextStack.push_back(std::move(made));
  return CUDA_SUCCESS;
}

/// `parameters` is for sharing a GPU between contexts, which is not supported.
TW_DRIVER_API CUresult cuCtxCreate_v4(CUcontext *context, void *parameters, unsigned flags,
                                      CUdevice device) {
  if (parameters)
    return notSupported("cuCtxCreate_v4 with parameters");
  return cuCtxCreate_v2(context, flags, device);
}

/// It stays current on other threads, but cannot be used there.
TW_DRIVER_API CUresult cuCtxDestroy_v2(CUcontext context) {
  if (CUresult error = verifyInitialised())
    return error;
  if (context == primary().get())
    return CUDA_ERROR_INVALID_CONTEXT;
  SharedContext found = contexts().remove(context);
  if (!found)
    return CUDA_ERROR_INVALID_CONTEXT;
  found->isDestroyed = true;
  if (!contextStack.empty() && contextStack.back() == found)
    contextStack.pop_back();
  return CUDA_SUCCESS;
}

//===-- The current context -----------------------------------------------------------------===//

TW_DRIVER_API CUresult cuCtxGetCurrent(CUcontext *context) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = currentContext().get();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxPushCurrent_v2(CUcontext context) {
  SharedContext found;
  if (CUresult error = find(context, found))
    return error;
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  contextStack.push_back(std::move(found));
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  if (CUresult error = verifyInitialised())
    return error;
  if (contextStack.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context)
    *context = contextStack.back().get();
  contextStack.pop_back();
  return CUDA_SUCCESS;
}

/// Replaces the current context; null removes it.
TW_DRIVER_API CUresult cuCtxSetCurrent(CUcontext context) {
  if (CUresult error = verifyInitialised())
    return error;
  SharedContext found;
  if (context)
    if (CUresult error = find(context, found))
      return error;
  if (!contextStack.empty())
    contextStack.pop_back();
  if (found)
    contextStack.push_back(std::move(found));
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
  SharedContext found;
  if (CUresult error = find(context, found))
    return error;
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  *device = 0;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxGetDevice(CUdevice *device) {
  return cuCtxGetDevice_v2(device, nullptr);
}

TW_DRIVER_API CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  SharedContext found;
  if (CUresult error = find(context, found))
    return error;
  if (!id)
    return CUDA_ERROR_INVALID_VALUE;
  *id = found->id;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxGetFlags(unsigned *flags) {
  SharedContext current;
  if (CUresult error = find(nullptr, current))
    return error;
  if (!flags)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = current->flags;
  return CUDA_SUCCESS;
}

/// There is only one version of the interface.
TW_DRIVER_API CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version) {
  constexpr unsigned firstWithForms = 3020;
  SharedContext found;
  if (CUresult error = find(context, found))
    return error;
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = firstWithForms;
  return CUDA_SUCCESS;
}

/// There is only one priority.
TW_DRIVER_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  SharedContext current;
  if (CUresult error = find(nullptr, current))
    return error;
  if (least)
    *least = 0;
  if (greatest)
    *greatest = 0;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxSynchronize_v2(CUcontext context) {
  SharedContext found;
  if (CUresult error = find(context, found))
    return error;
  if (CUresult error = verifyUncaptured())
    return error;
  return takeError();
}

TW_DRIVER_API CUresult cuCtxSynchronize() { return cuCtxSynchronize_v2(nullptr); }
