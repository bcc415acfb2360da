// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerates the coherence orders of the writes to one cell, given the sources of its reads and
// happens-before. Rules 5 to 7 of the memory model decide which orders are legal. Writes that no
// rule orders stay unrelated: they race.
//
// Most pairs of writes have only one legal order, because of a read between them or an atomic pair.
// Such pairs are ordered first; only then are both orders tried for a pair that is free.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_COHERENCE_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_COHERENCE_H

#include "tilewright/reference/exhaustive/Graph.h"

namespace tilewright::reference {

class Coherence {
public:
  Coherence(const Graph &graph, const Cell &cell, const Relation &before, StepBudget &steps);

  /// Whether a legal order exists; reads may still lack a source. Also false if the steps run out.
  bool exists();
  /// Counts the orders and collects the final value of each. Returns false if the steps run out.
  bool enumerate();

  uint64_t count = 0;
  std::set<Value> finals;

private:
  /// Calls visit for each order that extends `order`, until it returns false. Returns false in that
  /// case, or if the steps run out.
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
  /// The remaining pairs of writes that coherence has to order.
  std::vector<std::pair<size_t, size_t>> unordered;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_COHERENCE_H
