// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries and edits the nodes and edges of graphs. A graph keeps its nodes in topological order, so
// a new edge may change the order.

#include "tools/cuda/driver/Graph.h"

#include <algorithm>
#include <span>
#include <unordered_set>

using namespace tilewright::cuda;
using SharedGraph = std::shared_ptr<CUgraph_st>;

/// There is only one kind of edge: all bytes must be 0.
struct EdgeData {
  uint64_t bytes = 0;
};

//===-- Queries -----------------------------------------------------------------------------===//

/// Fills the array, if there is one, up to its size, and the rest with nulls. Sets `count` to the
/// number of available elements, or of those filled.
static CUresult fillArray(const std::vector<CUgraphNode> &found, CUgraphNode *array,
                          size_t *count) {
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  if (array) {
    for (size_t i = 0; i < *count; ++i)
      array[i] = i < found.size() ? found[i] : nullptr;
    *count = std::min(*count, found.size());
  } else {
    *count = found.size();
  }
  return CUDA_SUCCESS;
}

/// Returns the nodes of a graph for which `fits` is true.
template <typename Fits>
static CUresult returnNodes(CUgraph handle, CUgraphNode *array, size_t *count, Fits fits) {
  const SharedGraph graph = findGraph(handle);
  if (!graph)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<CUgraphNode> found;
  std::lock_guard lock(graph->mutex);
  for (const SharedNode &node : graph->nodes)
    if (fits(*node))
      found.push_back(node.get());
  return fillArray(found, array, count);
}

TW_DRIVER_API CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *array, size_t *count) {
  return returnNodes(graph, array, count, [](const CUgraphNode_st &) { return true; });
}

TW_DRIVER_API CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *array, size_t *count) {
  return returnNodes(graph, array, count,
                     [](const CUgraphNode_st &node) { return node.dependencies.empty(); });
}

TW_DRIVER_API CUresult cuGraphGetEdges(CUgraph handle, CUgraphNode *from, CUgraphNode *to,
                                       size_t *count) {
  const SharedGraph graph = findGraph(handle);
  if (!graph || !count || !from != !to)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<CUgraphNode> sources, targets;
  std::lock_guard lock(graph->mutex);
  for (const SharedNode &node : graph->nodes)
    for (CUgraphNode dependency : node->dependencies) {
      sources.push_back(dependency);
      targets.push_back(node.get());
    }
  size_t room = *count;
  fillArray(sources, from, &room);
  return fillArray(targets, to, count);
}

TW_DRIVER_API CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                                          void *data, size_t *count) {
  const size_t room = count ? *count : 0;
  const CUresult error = cuGraphGetEdges(graph, from, to, count);
  if (!error && data)
    std::fill_n(static_cast<EdgeData *>(data), std::min(room, *count), EdgeData());
  return error;
}

TW_DRIVER_API CUresult cuGraphNodeGetType(CUgraphNode handle, int *type) {
  const SharedNode node = findNode(handle);
  if (!node || !type)
    return CUDA_ERROR_INVALID_VALUE;
  *type = int(node->kind);
  return CUDA_SUCCESS;
}

static CUresult returnDependencies(CUgraphNode handle, CUgraphNode *array, size_t *count) {
  const SharedNode node = findNode(handle);
  const SharedGraph graph = node ? findGraph(node->graph) : nullptr;
  if (!graph)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(graph->mutex);
  return fillArray(node->dependencies, array, count);
}

static bool dependsOn(const CUgraphNode_st &node, CUgraphNode other) {
  return std::ranges::find(node.dependencies, other) != node.dependencies.end();
}

static CUresult returnDependents(CUgraphNode handle, CUgraphNode *array, size_t *count) {
  const SharedNode node = findNode(handle);
  if (!node)
    return CUDA_ERROR_INVALID_VALUE;
  return returnNodes(node->graph, array, count,
                     [&](const CUgraphNode_st &other) { return dependsOn(other, handle); });
}

using NodeQuery = CUresult(CUgraphNode, CUgraphNode *, size_t *);

static CUresult withEdgeData(NodeQuery &query, CUgraphNode node, CUgraphNode *array, EdgeData *data,
                             size_t *count) {
  const size_t room = count ? *count : 0;
  const CUresult error = query(node, array, count);
  if (!error && array && data)
    std::fill_n(data, std::min(room, *count), EdgeData());
  return error;
}

TW_DRIVER_API CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *array,
                                                  size_t *count) {
  return returnDependencies(node, array, count);
}

TW_DRIVER_API CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *array,
                                                     EdgeData *data, size_t *count) {
  return withEdgeData(returnDependencies, node, array, data, count);
}

TW_DRIVER_API CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *array,
                                                    size_t *count) {
  return returnDependents(node, array, count);
}

TW_DRIVER_API CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *array,
                                                       EdgeData *data, size_t *count) {
  return withEdgeData(returnDependents, node, array, data, count);
}

//===-- Changes -----------------------------------------------------------------------------===//

/// Sorts topologically and stably. Returns false if there is a cycle.
static bool sort(std::vector<SharedNode> &nodes) {
  std::vector<SharedNode> left = nodes, sorted;
  std::unordered_set<CUgraphNode> placed;
  auto isReady = [&](const SharedNode &node) {
    return std::ranges::all_of(node->dependencies,
                               [&](CUgraphNode other) { return placed.contains(other); });
  };
  while (!left.empty()) {
    const auto next = std::ranges::find_if(left, isReady);
    if (next == left.end())
      return false;
    placed.insert(next->get());
    sorted.push_back(std::move(*next));
    left.erase(next);
  }
  nodes = std::move(sorted);
  return true;
}

namespace {
/// Edges as a client passes them: from[i] precedes to[i].
struct Edges {
  const CUgraphNode *from, *to;
  size_t count;

  bool isComplete() const { return count == 0 || (from && to); }
};

/// Changes the edges of a graph, all or none.
class Change {
public:
  explicit Change(CUgraph_st &graph) : graph(graph), lock(graph.mutex) {
    for (const SharedNode &node : graph.nodes)
      before.emplace_back(node, node->dependencies);
  }
  ~Change() {
    if (!isDone)
      for (auto &[node, dependencies] : before)
        node->dependencies = std::move(dependencies);
  }

  /// False if the edge exists, or a node does not belong to the graph.
  bool add(CUgraphNode from, CUgraphNode to) {
    const SharedNode source = own(from), target = own(to);
    if (!source || !target || dependsOn(*target, from))
      return false;
    target->dependencies.push_back(from);
    return true;
  }
  /// False if the edge does not exist.
  bool remove(CUgraphNode from, CUgraphNode to) {
    const SharedNode target = own(to);
    return target && std::erase(target->dependencies, from) > 0;
  }
  /// The driver interface forbids removals in graphs with allocations or frees.
  bool mayRemove() const {
    return std::ranges::none_of(graph.nodes, [](const SharedNode &node) {
      return node->kind == NodeKind::MemAlloc || node->kind == NodeKind::MemFree;
    });
  }
  CUresult finish() {
    isDone = sort(graph.nodes);
    return isDone ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }

private:
  SharedNode own(CUgraphNode handle) const {
    SharedNode node = findNode(handle);
    return node && node->graph == &graph ? node : nullptr;
  }

  CUgraph_st &graph;
  std::lock_guard<std::mutex> lock;
  std::vector<std::pair<SharedNode, std::vector<CUgraphNode>>> before;
  bool isDone = false;
};
} // namespace

/// Fails and changes nothing if the result had a cycle.
static CUresult addEdges(CUgraph handle, const Edges &edges) {
  const SharedGraph graph = findGraph(handle);
  if (!graph || !edges.isComplete())
    return CUDA_ERROR_INVALID_VALUE;
  Change change(*graph);
  for (size_t i = 0; i < edges.count; ++i)
    if (!change.add(edges.from[i], edges.to[i]))
      return CUDA_ERROR_INVALID_VALUE;
  return change.finish();
}

static CUresult removeEdges(CUgraph handle, const Edges &edges) {
  const SharedGraph graph = findGraph(handle);
  if (!graph || !edges.isComplete())
    return CUDA_ERROR_INVALID_VALUE;
  Change change(*graph);
  if (edges.count && !change.mayRemove())
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < edges.count; ++i)
    if (!change.remove(edges.from[i], edges.to[i]))
      return CUDA_ERROR_INVALID_VALUE;
  return change.finish();
}

static bool isPlain(const EdgeData *data, size_t count) {
  return !data || std::ranges::all_of(std::span(data, count),
                                      [](const EdgeData &edge) { return edge.bytes == 0; });
}

TW_DRIVER_API CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                              const CUgraphNode *to, size_t count) {
  return addEdges(graph, {from, to, count});
}

TW_DRIVER_API CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                                 const CUgraphNode *to, const EdgeData *data,
                                                 size_t count) {
  if (!isPlain(data, count))
    return notSupported("cuGraphAddDependencies_v2 with data of edges");
  return addEdges(graph, {from, to, count});
}

TW_DRIVER_API CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                                 const CUgraphNode *to, size_t count) {
  return removeEdges(graph, {from, to, count});
}

TW_DRIVER_API CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                                    const CUgraphNode *to, const EdgeData *data,
                                                    size_t count) {
  // Edges have no data.
  if (!isPlain(data, count))
    return CUDA_ERROR_INVALID_VALUE;
  return removeEdges(graph, {from, to, count});
}

/// Existing instances keep the node.
TW_DRIVER_API CUresult cuGraphDestroyNode(CUgraphNode handle) {
  const SharedNode node = findNode(handle);
  const SharedGraph graph = node ? findGraph(node->graph) : nullptr;
  if (!graph)
    return CUDA_ERROR_INVALID_VALUE;
  Change change(*graph);
  if (!change.mayRemove())
    return CUDA_ERROR_INVALID_VALUE;
  std::erase(graph->nodes, node);
  for (const SharedNode &other : graph->nodes)
    std::erase(other->dependencies, handle);
  removeNode(handle);
  return change.finish();
}
