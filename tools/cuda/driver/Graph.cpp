// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Graph.h. Instantiation copies the nodes' work, which can then be changed in the instance.

#include "tools/cuda/driver/Graph.h"
#include "tools/cuda/driver/Handles.h"

#include <algorithm>

using namespace tilewright::cuda;
using SharedGraph = std::shared_ptr<CUgraph_st>;

/// An instance: each step is a node of the graph, and its work in this instance.
struct CUgraphExec_st {
  struct Step {
    SharedNode node;
    Work run;
    /// The node's dependencies at instantiation.
    std::vector<CUgraphNode> dependencies;
  };
  std::mutex mutex = {};
  std::vector<Step> steps = {};
};
using SharedInstance = std::shared_ptr<CUgraphExec_st>;

static Handles<CUgraph_st> &graphs() {
  static auto *const graphs = new Handles<CUgraph_st>;
  return *graphs;
}

static Handles<CUgraphNode_st> &nodes() {
  static auto *const nodes = new Handles<CUgraphNode_st>;
  return *nodes;
}

static Handles<CUgraphExec_st> &instances() {
  static auto *const instances = new Handles<CUgraphExec_st>;
  return *instances;
}

CUgraph_st::~CUgraph_st() {
  for (const SharedNode &node : nodes)
    ::nodes().remove(node.get());
}

SharedGraph tilewright::cuda::findGraph(CUgraph handle) { return graphs().find(handle); }
CUgraph tilewright::cuda::addGraph(SharedGraph graph) { return graphs().add(std::move(graph)); }
bool tilewright::cuda::removeGraph(CUgraph handle) { return graphs().remove(handle) != nullptr; }
SharedNode tilewright::cuda::findNode(CUgraphNode handle) { return nodes().find(handle); }
void tilewright::cuda::removeNode(CUgraphNode handle) { nodes().remove(handle); }

CUresult tilewright::cuda::addNode(CUgraph_st &graph, NodeKind kind, Work run,
                                   std::vector<CUgraphNode> dependencies, CUgraphNode *node) {
  std::lock_guard lock(graph.mutex);
  for (CUgraphNode dependency : dependencies)
    if (const SharedNode known = nodes().find(dependency); !known || known->graph != &graph)
      return CUDA_ERROR_INVALID_VALUE;
  graph.nodes.push_back(std::make_shared<CUgraphNode_st>(
      CUgraphNode_st{kind, std::move(run), std::move(dependencies), &graph}));
  *node = nodes().add(graph.nodes.back());
  return CUDA_SUCCESS;
}

//===-- Graphs ------------------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!graph || flags)
    return CUDA_ERROR_INVALID_VALUE;
  *graph = addGraph(std::make_shared<CUgraph_st>());
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuGraphDestroy(CUgraph graph) {
  return removeGraph(graph) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/// A graph with the same nodes, order and dependencies.
static SharedGraph copyOf(CUgraph_st &graph) {
  auto copy = std::make_shared<CUgraph_st>();
  std::unordered_map<CUgraphNode, CUgraphNode> copies;
  std::lock_guard lock(graph.mutex);
  for (const SharedNode &node : graph.nodes) {
    std::vector<CUgraphNode> dependencies;
    for (CUgraphNode dependency : node->dependencies)
      dependencies.push_back(copies.at(dependency));
    addNode(*copy, node->kind, node->run, std::move(dependencies), &copies[node.get()]);
  }
  return copy;
}

TW_DRIVER_API CUresult cuGraphClone(CUgraph *clone, CUgraph handle) {
  if (!clone)
    return CUDA_ERROR_INVALID_VALUE;
  const SharedGraph graph = findGraph(handle);
  if (!graph)
    return CUDA_ERROR_INVALID_VALUE;
  *clone = addGraph(copyOf(*graph));
  return CUDA_SUCCESS;
}

//===-- Instances ---------------------------------------------------------------------------===//

static std::vector<CUgraphExec_st::Step> stepsOf(CUgraph_st &graph) {
  std::vector<CUgraphExec_st::Step> steps;
  std::lock_guard lock(graph.mutex);
  for (const SharedNode &node : graph.nodes)
    steps.push_back({node, node->run, node->dependencies});
  return steps;
}

TW_DRIVER_API CUresult cuGraphInstantiateWithFlags(CUgraphExec *instance, CUgraph handle,
                                                   unsigned long long flags) {
  // Memory allocated by a graph lives as long as its nodes, so freeing it at launch is not needed.
  constexpr unsigned long long freeOnLaunch = 1;
  if (!instance)
    return CUDA_ERROR_INVALID_VALUE;
  const SharedGraph graph = findGraph(handle);
  if (!graph)
    return CUDA_ERROR_INVALID_HANDLE;
  if (flags & ~freeOnLaunch)
    return notSupported("cuGraphInstantiateWithFlags with flags");
  auto made = std::make_shared<CUgraphExec_st>();
  made->steps = stepsOf(*graph);
  *instance = instances().add(std::move(made));
  return CUDA_SUCCESS;
}

struct CUDA_GRAPH_INSTANTIATE_PARAMS {
  uint64_t flags;
  CUstream uploadStream;
  CUgraphNode errorNode;
  int result;
};

TW_DRIVER_API CUresult cuGraphInstantiateWithParams(CUgraphExec *instance, CUgraph graph,
                                                    CUDA_GRAPH_INSTANTIATE_PARAMS *parameters) {
  enum { instantiated = 0, failed = 1 };
  constexpr uint64_t upload = 2; // has no effect
  if (!parameters)
    return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = cuGraphInstantiateWithFlags(instance, graph, parameters->flags & ~upload);
  parameters->errorNode = nullptr;
  parameters->result = error ? failed : instantiated;
  return error;
}

TW_DRIVER_API CUresult cuGraphExecDestroy(CUgraphExec instance) {
  return instances().remove(instance) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult runAll(const std::vector<CUgraphExec_st::Step> &steps) {
  for (const CUgraphExec_st::Step &step : steps)
    if (CUresult error = step.run())
      return error;
  return CUDA_SUCCESS;
}

Work tilewright::cuda::workOf(CUgraphExec handle) {
  const SharedInstance instance = instances().find(handle);
  if (!instance)
    return nullptr;
  std::lock_guard lock(instance->mutex);
  return [steps = instance->steps] { return runAll(steps); };
}

//===-- Updates -----------------------------------------------------------------------------===//

struct CUgraphExecUpdateResultInfo {
  int result;
  CUgraphNode errorNode, errorFromNode;
};

enum UpdateResult { updated = 0, updateFailed = 1, topologyChanged = 2, kindChanged = 3 };

/// As indices of steps.
static std::vector<size_t> dependenciesOf(const std::vector<CUgraphExec_st::Step> &steps,
                                          size_t at) {
  std::vector<size_t> numbers;
  for (CUgraphNode dependency : steps[at].dependencies)
    for (size_t i = 0; i < at; ++i)
      if (steps[i].node.get() == dependency)
        numbers.push_back(i);
  std::ranges::sort(numbers);
  return numbers;
}

/// The first difference; sets `at` to the index of the node.
static UpdateResult compare(const std::vector<CUgraphExec_st::Step> &now,
                            const std::vector<CUgraphExec_st::Step> &updatedSteps, size_t &at) {
  if (now.size() != updatedSteps.size())
    return at = updatedSteps.size(), topologyChanged;
  for (at = 0; at < now.size(); ++at) {
    if (dependenciesOf(now, at) != dependenciesOf(updatedSteps, at))
      return topologyChanged;
    if (now[at].node->kind != updatedSteps[at].node->kind)
      return kindChanged;
  }
  return updated;
}

/// Updates an instance from a graph with nodes of the same kinds, in the same order.
TW_DRIVER_API CUresult cuGraphExecUpdate_v2(CUgraphExec handle, CUgraph graphHandle,
                                            CUgraphExecUpdateResultInfo *info) {
  if (!info)
    return CUDA_ERROR_INVALID_VALUE;
  *info = {updateFailed, nullptr, nullptr};
  const SharedInstance instance = instances().find(handle);
  const SharedGraph graph = findGraph(graphHandle);
  if (!instance || !graph)
    return CUDA_ERROR_INVALID_HANDLE;
  std::vector<CUgraphExec_st::Step> updatedSteps = stepsOf(*graph);
  std::lock_guard lock(instance->mutex);
  size_t at = 0;
  info->result = compare(instance->steps, updatedSteps, at);
  if (info->result != updated) {
    info->errorNode = at < updatedSteps.size() ? updatedSteps[at].node.get() : nullptr;
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  }
  for (size_t i = 0; i < updatedSteps.size(); ++i)
    instance->steps[i].run = std::move(updatedSteps[i].run);
  return CUDA_SUCCESS;
}

CUresult tilewright::cuda::changeStep(CUgraphExec handle, CUgraphNode node, NodeKind kind,
                                      Work run) {
  const SharedInstance instance = instances().find(handle);
  if (!instance)
    return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard lock(instance->mutex);
  for (CUgraphExec_st::Step &step : instance->steps)
    if (step.node.get() == node && step.node->kind == kind) {
      step.run = std::move(run);
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

//===-- Adding nodes ------------------------------------------------------------------------===//

CUresult tilewright::cuda::addNode(const NodePlace &place, NodeKind kind, Work run) {
  if (!place.node || (place.dependencyCount && !place.dependencies))
    return CUDA_ERROR_INVALID_VALUE;
  const SharedGraph graph = findGraph(place.graph);
  if (!graph)
    return CUDA_ERROR_INVALID_HANDLE;
  return addNode(*graph, kind, std::move(run),
                 {place.dependencies, place.dependencies + place.dependencyCount}, place.node);
}

/// The node runs what the child graph contains now; later changes have no effect.
TW_DRIVER_API CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph,
                                                const CUgraphNode *dependencies, size_t count,
                                                CUgraph childHandle) {
  const SharedGraph child = findGraph(childHandle);
  if (!child || childHandle == graph)
    return CUDA_ERROR_INVALID_VALUE;
  return addNode({graph, node, dependencies, count}, NodeKind::Graph,
                 [steps = stepsOf(*child)] { return runAll(steps); });
}
