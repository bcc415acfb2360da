// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: work that is recorded once and then launched any number of times. A node can only depend
// on nodes that were there before it, so that running them in the order in which they were added is
// right.

#include "tools/cuda/driver/Library.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

using namespace tilewright::cuda;

struct CUgraphNode_st {
  std::function<CUresult(CUstream)> run;
};

using SharedNode = std::shared_ptr<CUgraphNode_st>;

struct CUgraph_st {
  std::mutex mutex = {};
  std::vector<SharedNode> nodes = {};
};

struct CUgraphExec_st {
  /// Those that the graph had.
  std::vector<SharedNode> nodes;
};

using CUgraph = CUgraph_st *;
using CUgraphNode = CUgraphNode_st *;
using CUgraphExec = CUgraphExec_st *;

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

TW_DRIVER_API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                                        void **parameters, void **extra);
TW_DRIVER_API CUresult cuEventRecord(struct CUevent_st *event, CUstream stream);

//===-- Handles -----------------------------------------------------------------------------===//

/// Which graphs and instances there are.
static std::set<const void *> &handles() {
  static auto *const handles = new std::set<const void *>;
  return *handles;
}

template <typename Handle> static Handle *enter(Handle *handle) {
  std::lock_guard lock(state().mutex);
  handles().insert(handle);
  return handle;
}

static bool isHandle(const void *handle) {
  std::lock_guard lock(state().mutex);
  return handles().contains(handle);
}

template <typename Handle> static CUresult destroy(Handle *handle) {
  {
    std::lock_guard lock(state().mutex);
    if (!handles().erase(handle))
      return CUDA_ERROR_INVALID_HANDLE;
  }
  delete handle;
  return CUDA_SUCCESS;
}

//===-- Graphs ------------------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
  if (!state().isInitialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!graph || flags)
    return CUDA_ERROR_INVALID_VALUE;
  *graph = enter(new CUgraph_st);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuGraphDestroy(CUgraph graph) { return destroy(graph); }

TW_DRIVER_API CUresult cuGraphInstantiateWithFlags(CUgraphExec *instance, CUgraph graph,
                                                   unsigned long long flags) {
  // Memory of a graph lives as long as its nodes: freeing it before a launch changes nothing.
  constexpr unsigned long long freeOnLaunch = 1;
  if (!instance)
    return CUDA_ERROR_INVALID_VALUE;
  if (!isHandle(graph))
    return CUDA_ERROR_INVALID_HANDLE;
  if (flags & ~freeOnLaunch)
    return notSupported("cuGraphInstantiateWithFlags with flags");
  std::lock_guard lock(graph->mutex);
  *instance = enter(new CUgraphExec_st{graph->nodes});
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuGraphExecDestroy(CUgraphExec instance) { return destroy(instance); }

TW_DRIVER_API CUresult cuGraphUpload(CUgraphExec instance, CUstream stream) {
  return isHandle(instance) && isStream(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

TW_DRIVER_API CUresult cuGraphLaunch(CUgraphExec instance, CUstream stream) {
  if (!isHandle(instance) || !isStream(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  for (const SharedNode &node : instance->nodes)
    if (CUresult error = node->run(stream))
      return error;
  return CUDA_SUCCESS;
}

//===-- Nodes -------------------------------------------------------------------------------===//

static CUresult verify(CUgraph graph, CUgraphNode *node, const CUgraphNode *dependencies,
                       size_t dependencyCount) {
  if (!node || (dependencyCount && !dependencies))
    return CUDA_ERROR_INVALID_VALUE;
  if (!isHandle(graph))
    return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard lock(graph->mutex);
  for (size_t i = 0; i < dependencyCount; ++i) {
    bool isOfGraph = false;
    for (const SharedNode &known : graph->nodes)
      isOfGraph |= known.get() == dependencies[i];
    if (!isOfGraph)
      return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

static CUresult add(CUgraph graph, CUgraphNode *node, std::function<CUresult(CUstream)> run) {
  auto made = std::make_shared<CUgraphNode_st>(CUgraphNode_st{std::move(run)});
  *node = made.get();
  std::lock_guard lock(graph->mutex);
  graph->nodes.push_back(std::move(made));
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph,
                                           const CUgraphNode *dependencies, size_t count) {
  if (CUresult error = verify(graph, node, dependencies, count))
    return error;
  return add(graph, node, [](CUstream) { return CUDA_SUCCESS; });
}

TW_DRIVER_API CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                                 const CUgraphNode *dependencies, size_t count,
                                                 struct CUevent_st *event) {
  if (CUresult error = verify(graph, node, dependencies, count))
    return error;
  return add(graph, node, [event](CUstream stream) { return cuEventRecord(event, stream); });
}

/// The words of the parameters are copied.
TW_DRIVER_API CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph,
                                               const CUgraphNode *dependencies, size_t count,
                                               const CUDA_KERNEL_NODE_PARAMS *given) {
  if (CUresult error = verify(graph, node, dependencies, count))
    return error;
  CUkernel kernel = !given ? nullptr : given->function ? given->function : given->kernel;
  if (!kernel || (!given->kernelParams && !kernel->parameters.empty()))
    return CUDA_ERROR_INVALID_VALUE;
  if (given->extra)
    return notSupported("cuGraphAddKernelNode_v2 with extra parameters");
  const CUlaunchConfig config = {given->gridDimX,
                                 given->gridDimY,
                                 given->gridDimZ,
                                 given->blockDimX,
                                 given->blockDimY,
                                 given->blockDimZ,
                                 0,
                                 nullptr,
                                 nullptr,
                                 0};
  std::vector<uint64_t> words;
  for (size_t i = 0; i < kernel->parameters.size(); ++i) {
    words.push_back(0);
    std::memcpy(&words.back(), given->kernelParams[i], kernel->parameters[i].byteCount());
  }
  return add(graph, node, [config, kernel, words](CUstream stream) mutable {
    std::vector<void *> pointers;
    for (uint64_t &word : words)
      pointers.push_back(&word);
    CUlaunchConfig onStream = config;
    onStream.stream = stream;
    return cuLaunchKernelEx(&onStream, kernel, pointers.data(), nullptr);
  });
}

template <typename Word> static void fillRows(const CUDA_MEMSET_NODE_PARAMS &parameters) {
  for (size_t row = 0; row < parameters.height; ++row) {
    auto *words = reinterpret_cast<Word *>(uintptr_t(parameters.address + row * parameters.pitch));
    for (size_t i = 0; i < parameters.width; ++i)
      words[i] = Word(parameters.value);
  }
}

TW_DRIVER_API CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph,
                                            const CUgraphNode *dependencies, size_t count,
                                            const CUDA_MEMSET_NODE_PARAMS *given, CUcontext) {
  if (CUresult error = verify(graph, node, dependencies, count))
    return error;
  if (!given || !given->address)
    return CUDA_ERROR_INVALID_VALUE;
  const unsigned size = given->elementSize;
  if ((size != 1 && size != 2 && size != 4) || given->address % size)
    return CUDA_ERROR_INVALID_VALUE;
  return add(graph, node, [parameters = *given, size](CUstream) {
    (size == 1   ? fillRows<uint8_t>
     : size == 2 ? fillRows<uint16_t>
                 : fillRows<uint32_t>)(parameters);
    return CUDA_SUCCESS;
  });
}

/// The memory lives as long as the node. What it holds at the start of a launch is open.
TW_DRIVER_API CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph,
                                              const CUgraphNode *dependencies, size_t count,
                                              CUDA_MEM_ALLOC_NODE_PARAMS *given) {
  if (CUresult error = verify(graph, node, dependencies, count))
    return error;
  constexpr size_t alignment = 256;
  if (!given || !given->size || given->size > SIZE_MAX - alignment)
    return CUDA_ERROR_INVALID_VALUE;
  const size_t size = (given->size + alignment - 1) / alignment * alignment;
  std::shared_ptr<void> memory(std::aligned_alloc(alignment, size), std::free);
  if (!memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  given->address = reinterpret_cast<uintptr_t>(memory.get());
  return add(graph, node, [memory](CUstream) { return CUDA_SUCCESS; });
}

TW_DRIVER_API CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph,
                                             const CUgraphNode *dependencies, size_t count,
                                             CUdeviceptr address) {
  if (CUresult error = verify(graph, node, dependencies, count))
    return error;
  return address ? add(graph, node, [](CUstream) { return CUDA_SUCCESS; })
                 : CUDA_ERROR_INVALID_VALUE;
}
