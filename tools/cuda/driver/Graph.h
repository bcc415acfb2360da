// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA graphs: work that is recorded once and launched any number of times. A graph keeps its nodes
// in a topological order, in which they also run: the order of insertion, unless edges that were
// added later require another one.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_GRAPH_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_GRAPH_H

#include "tools/cuda/driver/State.h"

#include <functional>
#include <vector>

using CUgraph = struct CUgraph_st *;
using CUgraphNode = struct CUgraphNode_st *;
using CUgraphExec = struct CUgraphExec_st *;

namespace tilewright::cuda {

/// With the numbers of the driver interface.
enum class NodeKind {
  Kernel = 0,
  Memcpy = 1,
  Memset = 2,
  Host = 3,
  Graph = 4,
  Empty = 5,
  WaitEvent = 6,
  EventRecord = 7,
  MemAlloc = 10,
  MemFree = 11,
};

using Work = std::function<CUresult()>;
using SharedNode = std::shared_ptr<CUgraphNode_st>;

} // namespace tilewright::cuda

/// Nodes live as long as their graph, or any instance made from it.
struct CUgraphNode_st {
  tilewright::cuda::NodeKind kind;
  tilewright::cuda::Work run;
  /// Nodes of the same graph that precede this one.
  std::vector<CUgraphNode> dependencies;
  CUgraph graph;
};

struct CUgraph_st {
  CUgraph_st() = default;
  ~CUgraph_st();
  CUgraph_st(const CUgraph_st &) = delete;

  std::mutex mutex;
  std::vector<tilewright::cuda::SharedNode> nodes;
};

namespace tilewright::cuda {

/// Null if there is none.
std::shared_ptr<CUgraph_st> findGraph(CUgraph handle);
CUgraph addGraph(std::shared_ptr<CUgraph_st> graph);
/// False if it does not exist.
bool removeGraph(CUgraph handle);
/// Null if there is none.
SharedNode findNode(CUgraphNode handle);
void removeNode(CUgraphNode handle);

/// Fails if one of the dependencies is not a node of the graph.
CUresult addNode(CUgraph_st &graph, NodeKind kind, Work run, std::vector<CUgraphNode> dependencies,
                 CUgraphNode *node);

/// A client's graph and dependencies for a new node.
struct NodePlace {
  CUgraph graph;
  CUgraphNode *node;
  const CUgraphNode *dependencies;
  size_t dependencyCount;
};
CUresult addNode(const NodePlace &place, NodeKind kind, Work run);

/// The complete work of an instance. Null if it does not exist.
Work workOf(CUgraphExec instance);

/// Replaces the work of a node of this kind in an instance.
CUresult changeStep(CUgraphExec instance, CUgraphNode node, NodeKind kind, Work run);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_GRAPH_H
