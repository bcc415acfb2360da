// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Graph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace tilewright;
using namespace tilewright::reference;

//===-- Events --------------------------------------------------------------------------------===//

static size_t eventCount(llvm::ArrayRef<const Trace *> traces) {
  size_t count = 0;
  for (const Trace *trace : traces)
    count += trace->events.size();
  return count;
}

/// Puts each operation after those that it depends on.
Relation reference::operationOrder(const Trace &trace) {
  Relation order(trace.tokens.size());
  for (size_t operation = 0; operation < trace.tokens.size(); ++operation)
    for (unsigned predecessor : trace.tokens[operation])
      order.put(predecessor, operation);
  return order;
}

Graph::Graph(llvm::ArrayRef<const Trace *> traces) : tokenOrder(eventCount(traces)) {
  for (auto [block, trace] : llvm::enumerate(traces)) {
    unsigned first = events.size();
    Relation order = operationOrder(*trace);
    for (auto [number, event] : llvm::enumerate(trace->events)) {
      events.push_back({{unsigned(block), unsigned(number)}, &event});
      llvm::BitVector after(tokenOrder.size());
      for (auto [other, otherEvent] : llvm::enumerate(trace->events))
        if (order(event.operation, otherEvent.operation))
          after.set(first + other);
      tokenOrder.putBeforeAll(first + number, after);
    }
  }
}

/// A grid runs on one device, so every scope wider than a tile block includes the other block.
bool Graph::areScoped(unsigned x, unsigned y) const {
  auto includes = [&](unsigned one, unsigned other) {
    Scope scope = events[one]->scope;
    return scope > Scope::TileBlock ||
           (scope == Scope::TileBlock && events[one].id.block == events[other].id.block);
  };
  return events[x]->location == events[y]->location && includes(x, y) && includes(y, x);
}

bool Graph::areMorallyStrong(unsigned x, unsigned y) const {
  return tokenOrder(x, y) || tokenOrder(y, x) || areScoped(x, y);
}

/// For races, the two elements in one byte are the same location (memory model, 12), except within
/// one operation, which could otherwise not store a tile of f4E2M1FN.
std::vector<std::pair<unsigned, unsigned>> Graph::suspects() const {
  auto isSameOperation = [&](unsigned x, unsigned y) {
    return events[x].id.block == events[y].id.block && events[x]->operation == events[y]->operation;
  };
  auto byteOf = [](uint64_t halfBytes) { return halfBytes / 2; };
  auto byBegin = llvm::to_vector(llvm::seq<unsigned>(events.size()));
  llvm::sort(byBegin, [&](unsigned x, unsigned y) {
    return events[x]->location.begin < events[y]->location.begin;
  });

  std::vector<std::pair<unsigned, unsigned>> found;
  for (size_t i = 0; i < byBegin.size(); ++i)
    for (size_t j = i + 1; j < byBegin.size(); ++j) {
      auto [x, y] = std::minmax(byBegin[i], byBegin[j]);
      const Event &lower = *events[byBegin[i]].event, &upper = *events[byBegin[j]].event;
      if (byteOf(upper.location.begin) > byteOf(lower.location.end - 1))
        break;
      if (isSameOperation(x, y) && upper.location.begin >= lower.location.end)
        continue;
      if ((lower.written || upper.written) && !areMorallyStrong(x, y))
        found.push_back({x, y});
    }
  return found;
}

//===-- Cells ---------------------------------------------------------------------------------===//

std::vector<Cell> reference::cellsOf(const Graph &graph, const std::set<uint64_t> &splits) {
  std::set<uint64_t> bounds = splits;
  for (const auto &event : graph.events)
    bounds.insert({event->location.begin, event->location.end});

  std::vector<Cell> cells;
  std::map<uint64_t, size_t> cellAt;
  for (auto [number, event] : llvm::enumerate(graph.events)) {
    Location location = event->location;
    for (auto bound = bounds.find(location.begin); *bound != location.end;) {
      uint64_t begin = *bound++;
      Location piece{begin, *bound};
      auto [cell, isNew] = cellAt.insert({begin, cells.size()});
      if (isNew)
        cells.push_back({piece});
      Part part{unsigned(number)};
      if (event->read)
        part.read = slice(*event->read, location, piece);
      if (event->written)
        part.written = slice(*event->written, location, piece);
      cells[cell->second].parts.push_back(part);
    }
  }
  return cells;
}
