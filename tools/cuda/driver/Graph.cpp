// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: work that is recorded once and then launched any number of times. A node can only depend
// on nodes that were there before it, so that running them in the order in which they were added is
// right.

#include "tools/cuda/driver/Handles.h"
#include "tools/cuda/driver/Library.h"
#include "tools/cuda/driver/Stream.h"

#include <algorithm>
#include <cstdlib>
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

static Handles<CUgraph_st> &graphs() {
  static auto *const graphs = new Handles<CUgraph_st>;
  return *graphs;
}

static Handles<const CUgraphExec_st> &instances() {
  static auto *const instances = new Handles<const CUgraphExec_st>;
  return *instances;
}

//===-- Graphs ------------------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!graph || flags)
    return CUDA_ERROR_INVALID_VALUE;
  *graph = graphs().add(std::make_shared<CUgraph_st>());
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuGraphDestroy(CUgraph graph) {
  return graphs().remove(graph) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

TW_DRIVER_API CUresult cuGraphInstantiateWithFlags(CUgraphExec *instance, CUgraph handle,
                                                   unsigned long long flags) {
  // Memory of a graph lives as long as its nodes: freeing it before a launch changes nothing.
  constexpr unsigned long long freeOnLaunch = 1;
  if (!instance)
    return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<CUgraph_st> graph = graphs().find(handle);
  if (!graph)
    return CUDA_ERROR_INVALID_HANDLE;
  if (flags & ~freeOnLaunch)
    return notSupported("cuGraphInstantiateWithFlags with flags");
  std::lock_guard lock(graph->mutex);
  *instance = const_cast<CUgraphExec>(
      instances().add(std::make_shared<const CUgraphExec_st>(graph->nodes)));
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuGraphExecDestroy(CUgraphExec instance) {
  return instances().remove(instance) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/// What may be launched on the stream, or why not.
static CUresult find(CUgraphExec handle, CUstream stream,
                     std::shared_ptr<const CUgraphExec_st> &instance) {
  if (CUresult error = verifyStream(stream))
    return error;
  instance = instances().find(handle);
  return instance ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

TW_DRIVER_API CUresult cuGraphUpload(CUgraphExec handle, CUstream stream) {
  std::shared_ptr<const CUgraphExec_st> instance;
  return find(handle, stream, instance);
}

TW_DRIVER_API CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream) {
  std::shared_ptr<const CUgraphExec_st> instance;
  if (CUresult error = find(handle, stream, instance))
    return error;
  for (const SharedNode &node : instance->nodes)
    if (CUresult error = node->run(stream))
      return error;
  return CUDA_SUCCESS;
}

//===-- Nodes -------------------------------------------------------------------------------===//

namespace {
/// Where a node is to be added.
struct Place {
  CUgraph graph;
  CUgraphNode *node;
  const CUgraphNode *dependencies;
  size_t dependencyCount;
};
} // namespace

static bool hasNode(const CUgraph_st &graph, CUgraphNode node) {
  return std::ranges::any_of(graph.nodes,
                             [&](const SharedNode &known) { return known.get() == node; });
}

static CUresult add(const Place &place, std::function<CUresult(CUstream)> run) {
  if (!place.node || (place.dependencyCount && !place.dependencies))
    return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<CUgraph_st> graph = graphs().find(place.graph);
  if (!graph)
    return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard lock(graph->mutex);
  for (size_t i = 0; i < place.dependencyCount; ++i)
    if (!hasNode(*graph, place.dependencies[i]))
      return CUDA_ERROR_INVALID_VALUE;
  graph->nodes.push_back(std::make_shared<CUgraphNode_st>(std::move(run)));
  *place.node = graph->nodes.back().get();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph,
                                           const CUgraphNode *dependencies, size_t count) {
  return add({graph, node, dependencies, count}, [](CUstream) { return CUDA_SUCCESS; });
}

TW_DRIVER_API CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                                 const CUgraphNode *dependencies, size_t count,
                                                 CUevent handle) {
  std::shared_ptr<CUevent_st> event = findEvent(handle);
  if (!event)
    return CUDA_ERROR_INVALID_VALUE;
  return add({graph, node, dependencies, count}, [event](CUstream) {
    event->record();
    return CUDA_SUCCESS;
  });
}

/// The words of the parameters are copied.
TW_DRIVER_API CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph,
                                               const CUgraphNode *dependencies, size_t count,
                                               const CUDA_KERNEL_NODE_PARAMS *given) {
  if (!given)
    return CUDA_ERROR_INVALID_VALUE;
  const SharedKernel kernel = findKernel(given->function ? given->function : given->kernel);
  if (!kernel)
    return CUDA_ERROR_INVALID_VALUE;
  if (given->extra)
    return notSupported("cuGraphAddKernelNode_v2 with extra parameters");
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
  return add({graph, node, dependencies, count},
             [config, kernel, words](CUstream) { return launch(*kernel, config, words); });
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
  return add({graph, node, dependencies, count}, [parameters = *given, size](CUstream) {
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
  constexpr size_t alignment = 256;
  if (!given || !given->size)
    return CUDA_ERROR_INVALID_VALUE;
  if (given->size > PTRDIFF_MAX - alignment)
    return CUDA_ERROR_OUT_OF_MEMORY;
  const size_t size = (given->size + alignment - 1) / alignment * alignment;
  std::shared_ptr<void> memory(std::aligned_alloc(alignment, size), std::free);
  if (!memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  given->address = reinterpret_cast<uintptr_t>(memory.get());
  return add({graph, node, dependencies, count}, [memory](CUstream) { return CUDA_SUCCESS; });
}

TW_DRIVER_API CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph,
                                             const CUgraphNode *dependencies, size_t count,
                                             CUdeviceptr address) {
  if (!address)
    return CUDA_ERROR_INVALID_VALUE;
  return add({graph, node, dependencies, count}, [](CUstream) { return CUDA_SUCCESS; });
}
