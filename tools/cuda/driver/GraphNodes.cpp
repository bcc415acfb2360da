// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates graph nodes and changes their work. Memory copies are in Rectangle.cpp.

#include "tools/cuda/driver/Graph.h"
#include "tools/cuda/driver/Library.h"
#include "tools/cuda/driver/Memory.h"
#include "tools/cuda/driver/Stream.h"

#include <algorithm>
#include <vector>

using namespace tilewright::cuda;

struct CUDA_KERNEL_NODE_PARAMS {
  CUfunction function;
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  void **kernelParams;
  void **extra;
  CUkernel kernel;
  CUcontext context;
};

struct CUDA_MEMSET_NODE_PARAMS {
  CUdeviceptr address;
  size_t pitch;
  unsigned value;
  unsigned elementSize;
  size_t width, height;
};

struct CUDA_MEM_ALLOC_NODE_PARAMS {
  char poolProperties[88];
  const void *accesses;
  size_t accessCount;
  size_t size;
  CUdeviceptr address;
};

TW_DRIVER_API CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph,
                                           const CUgraphNode *dependencies, size_t count) {
  return addNode({graph, node, dependencies, count}, NodeKind::Empty, [] { return CUDA_SUCCESS; });
}

TW_DRIVER_API CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                                 const CUgraphNode *dependencies, size_t count,
                                                 CUevent handle) {
  std::shared_ptr<CUevent_st> event = findEvent(handle);
  if (!event)
    return CUDA_ERROR_INVALID_VALUE;
  return addNode({graph, node, dependencies, count}, NodeKind::EventRecord, [event] {
    event->record();
    return CUDA_SUCCESS;
  });
}

/// Does nothing: work is done when it is enqueued, so the event is complete.
TW_DRIVER_API CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph,
                                               const CUgraphNode *dependencies, size_t count,
                                               CUevent event) {
  if (!findEvent(event))
    return CUDA_ERROR_INVALID_VALUE;
  return addNode({graph, node, dependencies, count}, NodeKind::WaitEvent,
                 [] { return CUDA_SUCCESS; });
}

struct CUDA_HOST_NODE_PARAMS {
  void (*function)(void *);
  void *data;
};

TW_DRIVER_API CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph,
                                          const CUgraphNode *dependencies, size_t count,
                                          const CUDA_HOST_NODE_PARAMS *given) {
  if (!given || !given->function)
    return CUDA_ERROR_INVALID_VALUE;
  return addNode({graph, node, dependencies, count}, NodeKind::Host, [host = *given] {
    host.function(host.data);
    return CUDA_SUCCESS;
  });
}

/// Copies the parameter words.
static CUresult read(const CUDA_KERNEL_NODE_PARAMS *given, Work &work) {
  if (!given)
    return CUDA_ERROR_INVALID_VALUE;
  const SharedKernel kernel = findKernel(given->function ? given->function : given->kernel);
  if (!kernel)
    return CUDA_ERROR_INVALID_VALUE;
  if (given->extra)
    return notSupported("a kernel node with extra parameters");
  CUlaunchConfig config = {};
  config.gridDimX = given->gridDimX;
  config.gridDimY = given->gridDimY;
  config.gridDimZ = given->gridDimZ;
  config.blockDimX = given->blockDimX;
  config.blockDimY = given->blockDimY;
  config.blockDimZ = given->blockDimZ;
  if (CUresult error = verifyLaunch(config))
    return error;
  std::vector<uint64_t> words;
  if (!copyParameters(*kernel, given->kernelParams, words))
    return CUDA_ERROR_INVALID_VALUE;
  work = [config, kernel, words = std::move(words)] { return launch(*kernel, config, words); };
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph,
                                               const CUgraphNode *dependencies, size_t count,
                                               const CUDA_KERNEL_NODE_PARAMS *given) {
  Work work;
  if (CUresult error = read(given, work))
    return error;
  return addNode({graph, node, dependencies, count}, NodeKind::Kernel, std::move(work));
}

TW_DRIVER_API CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec instance, CUgraphNode node,
                                                         const CUDA_KERNEL_NODE_PARAMS *given) {
  Work work;
  if (CUresult error = read(given, work))
    return error;
  return changeStep(instance, node, NodeKind::Kernel, std::move(work));
}

template <typename Word> static void fillRows(const CUDA_MEMSET_NODE_PARAMS &parameters) {
  for (size_t row = 0; row < parameters.height; ++row) {
    auto *words = reinterpret_cast<Word *>(uintptr_t(parameters.address + row * parameters.pitch));
    std::fill_n(words, parameters.width, Word(parameters.value));
  }
}

TW_DRIVER_API CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph,
                                            const CUgraphNode *dependencies, size_t count,
                                            const CUDA_MEMSET_NODE_PARAMS *given, CUcontext) {
  if (!given || !given->address)
    return CUDA_ERROR_INVALID_VALUE;
  const unsigned size = given->elementSize;
  if ((size != 1 && size != 2 && size != 4) || given->address % size ||
      (given->height > 1 && given->pitch % size))
    return CUDA_ERROR_INVALID_VALUE;
  return addNode({graph, node, dependencies, count}, NodeKind::Memset, [parameters = *given, size] {
    (size == 1   ? fillRows<uint8_t>
     : size == 2 ? fillRows<uint16_t>
                 : fillRows<uint32_t>)(parameters);
    return CUDA_SUCCESS;
  });
}

TW_DRIVER_API CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph,
                                              const CUgraphNode *dependencies, size_t count,
                                              CUDA_MEM_ALLOC_NODE_PARAMS *given) {
  Work work;
  if (!given)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult error = allocateForNode(&given->address, given->size, work))
    return error;
  return addNode({graph, node, dependencies, count}, NodeKind::MemAlloc, std::move(work));
}

TW_DRIVER_API CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph,
                                             const CUgraphNode *dependencies, size_t count,
                                             CUdeviceptr address) {
  if (!isOfNode(address))
    return CUDA_ERROR_INVALID_VALUE;
  return addNode({graph, node, dependencies, count}, NodeKind::MemFree,
                 [] { return CUDA_SUCCESS; });
}
