// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which orders may the writes of one cell come, given the sources of its reads and
// happens-before? Rules 5 to 7 of the memory model decide. Writes that no rule orders stay
// unrelated: they race.
//
// Most pairs of writes are not free: a read between them, or an atomic pair, leaves one order.
// Forced pairs are added before any free pair is tried in both orders.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_COHERENCE_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_COHERENCE_H

#include "tilewright/reference/exhaustive/Graph.h"

namespace tilewright::reference {

class Coherence {
public:
  Coherence(const Graph &graph, const Cell &cell, const Relation &before, StepBudget &steps);

  /// Whether there is an order; sources may be missing. False for want of steps, too.
  bool exists();
  /// Counts the orders, and collects what each leaves in memory; false for want of steps.
  bool enumerate();

  uint64_t count = 0;
  std::set<Value> finals;

private:
  /// Calls visit for each order that contains this one, until it returns false. False if it did, or
  /// for want of steps.
  bool extend(Relation order, llvm::function_ref<bool(const Relation &)> visit);
  bool complete(Relation &order) const;
  std::optional<Relation> communication(const Relation &order) const;
  bool areMorallyStrong(size_t x, size_t y) const;
  bool isOlder(SourceNumber source, size_t write, const Relation &order) const;

  const Graph &graph;
  llvm::ArrayRef<Part> parts;
  const Relation &before;
  StepBudget &steps;
  /// Happens-before among the writes.
  Relation ordered;
  /// Other pairs of writes that coherence has to order.
  std::vector<std::pair<size_t, size_t>> unordered;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_COHERENCE_H
