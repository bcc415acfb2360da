// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses how each operation accesses the kernel's memory: element by element where an order must
// be kept, by vectors where elements are contiguous, and by gathers and scatters where they are
// not. Conditions that are unknown at compile time are tested at run time.

#ifndef TILEWRIGHT_CPU_PLAN_ACCESSES_H
#define TILEWRIGHT_CPU_PLAN_ACCESSES_H

#include "tilewright/analysis/RowMasks.h"
#include "tilewright/cpu/plan/NonTemporal.h"
#include "tilewright/cpu/plan/ViewRows.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright::cpu {

class GroupPlan;
class OperationOrder;
class Placements;

/// Why an operation accesses memory the way it does.
enum class AccessReason : uint8_t {
  // Accesses through views outside of fusion groups.
  SharedByte,  ///< Element by element: two of them share a byte.
  Ordered,     ///< Element by element: the access is ordered, atomic, or a scalar.
  OneElement,  ///< Element by element: the tile has one element.
  Coordinates, ///< Gathered: a tile supplies the coordinates along the lanes.
  Strided,     ///< Gathered: no stride is known to be 1, and the lanes' stride is known not to be.
  KnownInside, ///< By vectors: the tile is known to lie inside the tensor.
  MaybeAtEdge, ///< By vectors, masked where the tile crosses the tensor's edge.
  UnknownStride,  ///< By vectors, gathered if the stride is not 1 or the tile crosses the edge.
  LoadedByReader, ///< A fused load: the operation that reads the tile chooses the access.
  // Members of a fusion group, whose loops are versioned as a whole.
  GroupContiguous, ///< By vectors: all rows of the group are known to be contiguous and inside.
  GroupTested,     ///< By vectors if a test finds all rows contiguous and inside, else masked or
                   ///< gathered.
  GroupApart,      ///< Masked or gathered: rows of the group are known not to be contiguous.
  // Accesses through pointers.
  ScalarPointer,   ///< There is a single pointer.
  PointersInOrder, ///< Element by element: the access is ordered, or has few elements.
  PointersFollow,  ///< By vectors where addresses are consecutive.
  PointerRows,     ///< Row by row, by vectors where the whole row is contiguous.
  PointersApart,   ///< Gathered: addresses are not known to be consecutive.
  // Atomic accesses.
  Atomic,    ///< Element by element, with an atomic operation each.
  BlockOnly, ///< Element by element, with plain accesses: the scope is one block.
};

struct Access {
  AccessReason reason = AccessReason::ScalarPointer;
  /// The tile dimension along which the lanes lie, and the number of lanes; -1 and 1 for
  /// element-by-element accesses. For atomic updates, `width` is the number of updates per
  /// iteration.
  int64_t laneDim = -1, width = 1;
  /// The loop versions that exist: in one, lanes are `Contiguous`; in the other, they are as
  /// `outside` says. A fused load uses the versions of its reader (TileLoads). Accesses through
  /// pointers are tested per row or vector.
  Rows rows = Rows::Apart;
  Lanes outside = Lanes::ContiguousMasked;
  /// A gather through pointers computes its addresses one by one, not as a vector.
  bool hasScalarAddresses = false;
  KnownAxes axes; ///< Of an access through a view.
  /// Of an access through pointers in a group: one test covers a whole row and its mask.
  std::optional<analysis::RowMask> rowMask;
  NonTemporal nonTemporal; ///< Of a store in a group.
};

/// The loads that are fused into the computation of the tile.
TileLoads loadsFusedWith(mlir::Value tile, const Placements &placements);

/// By operation, in program order.
using Accesses = llvm::MapVector<mlir::Operation *, Access>;

Accesses planAccesses(const OperationOrder &order, const Placements &placements,
                      const GroupPlan &groups, const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_ACCESSES_H
