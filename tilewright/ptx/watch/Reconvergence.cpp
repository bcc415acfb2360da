// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reconvergence.h. Computes post-dominators with the algorithm of Cooper, Harvey and Kennedy
// ("A simple, fast dominance algorithm", 2001) on the reversed control-flow graph.

#include "tilewright/ptx/watch/Reconvergence.h"

#include <algorithm>

using namespace tilewright::ptx;

namespace {
/// Control-flow graph of a function: its instructions, and an end node that all paths lead to.
class Graph {
public:
  explicit Graph(const Code &code) : code(code), end(uint32_t(code.ops.size())) {}

  /// Successors of an instruction.
  std::vector<uint32_t> allSuccessorsOf(uint32_t at) const;
  /// The same without successors that end the thread at once, if there is another one.
  std::vector<uint32_t> successorsOf(uint32_t at) const;
  std::string_view opcodeOf(uint32_t at) const {
    const auto &body = code.function->body;
    return at < body.size() ? body[at].opcode : std::string_view("ret");
  }
  bool isEnd(uint32_t at) const {
    const std::string_view opcode = opcodeOf(at);
    return at < end && code.ops[at].guard == noSlot && (opcode == "ret" || opcode == "exit");
  }
  bool isBranch(uint32_t at) const {
    return opcodeOf(at) == "brx" || (opcodeOf(at) == "bra" && code.ops[at].guard != noSlot);
  }
  uint32_t size() const { return end + 1; }

private:
  const Code &code;

public:
  const uint32_t end;
};

/// Post-dominator tree; nodes are numbered in post-order of the reversed graph.
class PostDominators {
public:
  explicit PostDominators(const Graph &graph);
  /// The immediate post-dominator; the end node is its own.
  uint32_t of(uint32_t at) const { return dominator[at]; }

private:
  void number(const Graph &graph);
  uint32_t common(uint32_t lhs, uint32_t rhs) const;

  std::vector<std::vector<uint32_t>> successors, predecessors;
  std::vector<uint32_t> order, numberOf, dominator;
};
} // namespace

std::vector<uint32_t> Graph::allSuccessorsOf(uint32_t at) const {
  if (at == end)
    return {};
  const Op &op = code.ops[at];
  const std::string_view opcode = opcodeOf(at);
  std::vector<uint32_t> next;
  if (opcode == "bra")
    next.push_back(op.target);
  else if (opcode == "brx")
    next.assign(code.slots.begin() + op.list.first,
                code.slots.begin() + op.list.first + op.list.count);
  else if (isEnd(at))
    return {end};
  if (next.empty() || op.guard != noSlot)
    next.push_back(at + 1);
  return next;
}

std::vector<uint32_t> Graph::successorsOf(uint32_t at) const {
  std::vector<uint32_t> next = allSuccessorsOf(at);
  if (next.size() > 1) {
    std::vector<uint32_t> staying = next;
    std::erase_if(staying, [&](uint32_t to) { return isEnd(to); });
    if (!staying.empty())
      return staying;
  }
  return next;
}

PostDominators::PostDominators(const Graph &graph)
    : successors(graph.size()), predecessors(graph.size()), numberOf(graph.size(), noReconvergence),
      dominator(graph.size(), noReconvergence) {
  for (uint32_t at = 0; at < graph.size(); ++at) {
    successors[at] = graph.successorsOf(at);
    for (uint32_t next : successors[at])
      predecessors[next].push_back(at);
  }
  number(graph);
  dominator[graph.end] = graph.end;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (size_t step = order.size() - 1; step-- > 0;) { // the end node is last
      const uint32_t at = order[step];
      uint32_t found = noReconvergence;
      for (uint32_t next : successors[at])
        if (dominator[next] != noReconvergence)
          found = found == noReconvergence ? next : common(found, next);
      isChanged |= dominator[at] != found;
      dominator[at] = found;
    }
  }
}

/// Numbers the instructions in post-order of the reversed graph, from the end node.
void PostDominators::number(const Graph &graph) {
  std::vector<std::pair<uint32_t, size_t>> walk = {{graph.end, 0}};
  std::vector<bool> isSeen(graph.size());
  isSeen[graph.end] = true;
  while (!walk.empty()) {
    auto &[at, next] = walk.back();
    if (next < predecessors[at].size()) {
      const uint32_t before = predecessors[at][next++];
      if (!isSeen[before]) {
        isSeen[before] = true;
        walk.push_back({before, 0});
      }
      continue;
    }
    numberOf[at] = uint32_t(order.size());
    order.push_back(at);
    walk.pop_back();
  }
}

uint32_t PostDominators::common(uint32_t lhs, uint32_t rhs) const {
  while (lhs != rhs)
    if (numberOf[lhs] < numberOf[rhs])
      lhs = dominator[lhs];
    else
      rhs = dominator[rhs];
  return lhs;
}

Branches tilewright::ptx::findBranches(const Code &code) {
  const Graph graph(code);
  const PostDominators dominators(graph);
  const size_t count = code.ops.size();
  Branches branches{std::vector<bool>(count), std::vector<uint32_t>(count, noReconvergence),
                    std::vector<bool>(count), std::vector<bool>(count)};
  for (uint32_t at = 0; at < count; ++at) {
    const std::string_view opcode = graph.opcodeOf(at);
    branches.isBranch[at] = graph.isBranch(at);
    branches.isCall[at] = opcode == "call";
    branches.mayEnd[at] = code.ops[at].guard != noSlot && (opcode == "ret" || opcode == "exit");
    const uint32_t reconvergence = dominators.of(at);
    if (branches.isBranch[at] && reconvergence != graph.end)
      branches.reconvergesAt[at] = reconvergence;
  }
  return branches;
}

/// Is there a path from the entry to `to` that avoids `without`?
static bool isReached(const Graph &graph, uint32_t to, uint32_t without) {
  std::vector<bool> isSeen(graph.size());
  std::vector<uint32_t> left = {0};
  while (!left.empty()) {
    const uint32_t at = left.back();
    left.pop_back();
    if (at == without || isSeen[at])
      continue;
    if (at == to)
      return true;
    isSeen[at] = true;
    for (uint32_t next : graph.allSuccessorsOf(at))
      left.push_back(next);
  }
  return false;
}

bool tilewright::ptx::isBypassed(const Code &code, uint32_t at, uint32_t end) {
  const Graph graph(code);
  const PostDominators dominators(graph);
  for (uint32_t reconvergence = dominators.of(at);
       reconvergence != graph.end && reconvergence != noReconvergence;
       reconvergence = dominators.of(reconvergence))
    if (reconvergence != end && isReached(graph, at, reconvergence) &&
        isReached(graph, reconvergence, at) && !isReached(graph, end, reconvergence))
      return true;
  return false;
}
