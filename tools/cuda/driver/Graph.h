// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs: work that is recorded once and then launched any number of times. A graph keeps its nodes
// in an order in which each comes behind those that it depends on: that is the order in which they
// run. It is the one in which they were added, unless edges that came later ask for another one.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_GRAPH_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_GRAPH_H

#include "tools/cuda/driver/State.h"

#include <functional>
#include <vector>

using CUgraph = struct CUgraph_st *;
using CUgraphNode = struct CUgraphNode_st *;
using CUgraphExec = struct CUgraphExec_st *;

namespace tilewright::cuda {

/// As the interface numbers them.
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

/// Those of a graph live as long as it, or what was made of it.
struct CUgraphNode_st {
  tilewright::cuda::NodeKind kind;
  tilewright::cuda::Work run;
  /// Of the same graph, and before it.
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
/// False if there is none.
bool removeGraph(CUgraph handle);
/// Null if there is none.
SharedNode findNode(CUgraphNode handle);
void removeNode(CUgraphNode handle);

/// Fails if one of the dependencies is no node of the graph.
CUresult addNode(CUgraph_st &graph, NodeKind kind, Work run, std::vector<CUgraphNode> dependencies,
                 CUgraphNode *node);

/// Where a client wants a node.
struct NodePlace {
  CUgraph graph;
  CUgraphNode *node;
  const CUgraphNode *dependencies;
  size_t dependencyCount;
};
CUresult addNode(const NodePlace &place, NodeKind kind, Work run);

/// All that an instance does now. Null if there is none.
Work workOf(CUgraphExec instance);

/// Of an instance: what it does in place of a node of that kind from now on.
CUresult changeStep(CUgraphExec instance, CUgraphNode node, NodeKind kind, Work run);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_GRAPH_H
