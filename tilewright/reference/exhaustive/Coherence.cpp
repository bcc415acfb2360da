// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Coherence.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::reference;

Coherence::Coherence(const Graph &graph, const Cell &cell, const Relation &before,
                     StepBudget &steps)
    : graph(graph), parts(cell.parts), before(before), steps(steps), ordered(parts.size()) {
  for (size_t x = 0; x < parts.size(); ++x)
    for (size_t y = 0; y < parts.size(); ++y) {
      if (!parts[x].written || !parts[y].written)
        continue;
      if (before(parts[x].event, parts[y].event))
        ordered.put(x, y);
      else if (x < y && areMorallyStrong(x, y) && !before(parts[y].event, parts[x].event))
        unordered.push_back({x, y});
    }
}

bool Coherence::exists() {
  bool isFound = false;
  extend(ordered, [&](const Relation &) {
    isFound = true;
    return false;
  });
  return isFound;
}

bool Coherence::enumerate() {
  return extend(ordered, [&](const Relation &order) {
    ++count;
    for (size_t x = 0; x < parts.size(); ++x)
      if (parts[x].written && order.after(x).none())
        finals.insert(*parts[x].written);
    return true;
  });
}

bool Coherence::extend(Relation order, llvm::function_ref<bool(const Relation &)> visit) {
  if (!steps.take())
    return false;
  if (!complete(order))
    return true;
  auto isOpen = [&](std::pair<size_t, size_t> pair) {
    return !order(pair.first, pair.second) && !order(pair.second, pair.first);
  };
  auto open = llvm::find_if(unordered, isOpen);
  if (open == unordered.end())
    return visit(order);
  for (auto [first, second] : {*open, std::pair(open->second, open->first)}) {
    Relation more = order;
    more.put(first, second);
    if (!extend(std::move(more), visit))
      return false;
  }
  return true;
}

/// Adds the pairs whose order the rules determine. Returns false if the rules exclude the order.
bool Coherence::complete(Relation &order) const {
  for (bool hasGrown = true; hasGrown;) {
    hasGrown = false;
    std::optional<Relation> path = communication(order);
    if (!path)
      return false;
    // The opposite order would close a cycle.
    for (auto [x, y] : unordered)
      for (auto [first, second] : {std::pair(x, y), std::pair(y, x)})
        if ((*path)(first, second) && !order(first, second)) {
          order.put(first, second);
          hasGrown = true;
        }
  }
  return true;
}

/// The relation that must be acyclic by rule 7; none if it has a cycle or another rule is violated.
std::optional<Relation> Coherence::communication(const Relation &order) const {
  // Rule 6: order contains happens-before.
  if (!order.isStrictOrder())
    return std::nullopt;

  Relation communication(parts.size());
  auto relate = [&](size_t x, size_t y) {
    if (areMorallyStrong(x, y))
      communication.putOnly(x, y);
  };
  for (size_t x = 0; x < parts.size(); ++x) {
    for (size_t y = 0; y < parts.size(); ++y)
      if (order(x, y) || before(parts[x].event, parts[y].event))
        relate(x, y);

    SourceNumber source = parts[x].source;
    if (source == notChosen)
      continue;
    if (source != initialWrite) {
      // Rule 5: a read does not see a later write.
      if (before(parts[x].event, parts[source].event))
        return std::nullopt;
      relate(source, x);
    }
    for (size_t write = 0; write < parts.size(); ++write) {
      if (write == x || !parts[write].written || !isOlder(source, write, order))
        continue;
      // Rule 5: a read does not see an overwritten value.
      if (before(parts[write].event, parts[x].event) || graph.events[parts[x].event]->isLast)
        return std::nullopt;
      relate(x, write);
    }
  }
  // Rule 7.
  communication.close();
  if (!communication.isStrictOrder())
    return std::nullopt;
  return communication;
}

bool Coherence::areMorallyStrong(size_t x, size_t y) const {
  return graph.areMorallyStrong(parts[x].event, parts[y].event);
}

/// The initial value precedes all writes.
bool Coherence::isOlder(SourceNumber source, size_t write, const Relation &order) const {
  return source == initialWrite || order(source, write);
}
