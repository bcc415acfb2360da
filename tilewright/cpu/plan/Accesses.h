// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is memory of the kernel accessed, operation by operation? Element by element where an order
// has to be kept, by vectors where elements are neighbours in memory, and by vectors of addresses
// where they are not: gathers and scatters. What is not known before the kernel runs is tested
// then.

#ifndef TILEWRIGHT_CPU_PLAN_ACCESSES_H
#define TILEWRIGHT_CPU_PLAN_ACCESSES_H

#include "tilewright/analysis/RowMasks.h"
#include "tilewright/cpu/plan/ViewRows.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright::cpu {

class GroupPlan;
class OperationOrder;
class Placements;
struct Target;

/// Why memory is accessed in this way.
enum class AccessReason : uint8_t {
  // Through views, by an access that is no member of a fusion group.
  SharedByte,     ///< Element by element: two of them share a byte.
  Ordered,        ///< Element by element: it is ordered, or atomic, or a scalar.
  OneElement,     ///< Element by element: the tile has one.
  Coordinates,    ///< Gathered: the coordinates along the lanes come from a tile.
  Strided,        ///< Gathered: no stride is known to be 1, and that along the lanes is another.
  KnownInside,    ///< By vectors: the tile is known to be inside of the tensor.
  MaybeAtEdge,    ///< By vectors, under masks where the tile is not inside of the tensor.
  UnknownStride,  ///< By vectors, gathered if the stride is not 1 or the tile is not inside.
  LoadedByReader, ///< What reads the tile loads it, in the way that suits it.
  // As a member of a fusion group, which has versions as a whole.
  GroupContiguous, ///< By vectors: all its rows are known to be contiguous and inside.
  GroupTested,     ///< By vectors where all its rows are, under masks or gathered where not.
  GroupApart,      ///< Under masks or gathered: rows of the group are known to be apart.
  // Through pointers.
  ScalarPointer,   ///< There is one pointer.
  PointersInOrder, ///< Element by element: it is ordered, or has few elements.
  PointersFollow,  ///< By vectors where addresses follow each other.
  PointerRows,     ///< Row by row, and by vectors where those of the whole row do.
  PointersApart,   ///< Gathered: addresses are not known to follow each other.
  // Atomically.
  Atomic,    ///< Element by element, each by an atomic operation.
  BlockOnly, ///< Element by element, by plain accesses: no other block takes part.
};

struct Access {
  AccessReason reason = AccessReason::ScalarPointer;
  /// The dimension of the tile along which lanes lie, and how many there are; -1 and 1: it is done
  /// element by element. Of one that updates memory: how many are done per iteration.
  int64_t laneDim = -1, width = 1;
  /// In which versions there are loops for it: `Contiguous` lanes in one, `outside` in the other.
  /// Those of a fused load are its reader's (TileLoads). Through pointers each row or vector is
  /// tested.
  Rows rows = Rows::Apart;
  Lanes outside = Lanes::ContiguousMasked;
  /// A gather through pointers computes each address by itself, and no vector of them.
  bool hasScalarAddresses = false;
  KnownAxes axes; ///< Through a view.
  /// Through pointers, as a member of a group: a whole row is tested at once, the mask, too.
  std::optional<analysis::RowMask> rowMask;
};

/// The loads that whoever computes the tile does.
TileLoads loadsFusedWith(mlir::Value tile, const Placements &placements);

/// By operation, in the order of the text.
using Accesses = llvm::MapVector<mlir::Operation *, Access>;

Accesses planAccesses(const OperationOrder &order, const Placements &placements,
                      const GroupPlan &groups, const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_ACCESSES_H
