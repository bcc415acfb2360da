// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events of all tile blocks as one graph: numbered consecutively, in token order, and split
// into cells, the parts of memory that no access splits. Executions.cpp adds reads-from and
// happens-before; Coherence.h orders the writes to a cell.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_GRAPH_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_GRAPH_H

#include "tilewright/reference/exhaustive/Events.h"
#include "tilewright/reference/exhaustive/Relation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

namespace tilewright::reference {

/// Token order of the operations of a trace (memory model, 5).
Relation operationOrder(const Trace &trace);

/// The events of all blocks, numbered consecutively, and the relations that the traces define.
struct Graph {
  explicit Graph(llvm::ArrayRef<const Trace *> traces);

  struct Numbered {
    EventId id;
    const Event *event;
    const Event *operator->() const { return event; }
    AccessId access() const { return {id.block, event->access}; }
  };
  std::vector<Numbered> events;
  Relation tokenOrder;

  /// Both events are scoped, and the scope of each includes the other's block: the second condition
  /// under which two events are morally strong.
  bool areScoped(unsigned x, unsigned y) const;
  bool areMorallyStrong(unsigned x, unsigned y) const;
  /// Pairs of events that race unless one happens before the other.
  std::vector<std::pair<unsigned, unsigned>> suspects() const;
};

using SourceNumber = int;
constexpr SourceNumber initialWrite = -1, notChosen = -2;

/// The part of an event that lies in one cell.
struct Part {
  unsigned event;
  std::optional<Value> read = std::nullopt, written = std::nullopt;
  /// The possible sources of the value that is read, as parts of the cell, and the chosen one.
  llvm::SmallVector<SourceNumber, 2> choices = {};
  SourceNumber source = notChosen;
};

/// A location that no access splits.
struct Cell {
  Location location;
  std::vector<Part> parts = {};

  bool isWritten() const {
    return llvm::any_of(parts, [](const Part &part) { return part.written.has_value(); });
  }
  bool hasSources() const {
    return llvm::any_of(parts, [](const Part &part) { return part.source != notChosen; });
  }
};

/// Splits memory at the bounds of all locations and at `splits`.
std::vector<Cell> cellsOf(const Graph &graph, const std::set<uint64_t> &splits);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_GRAPH_H
