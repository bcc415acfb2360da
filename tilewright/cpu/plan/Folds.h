// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses how each `reduce` and `scan` combines elements. If the order is free, members of fusion
// groups combine vectors along rows. Otherwise each result is computed by itself, several results
// in the lanes of a vector if they lie along another dimension: one element after the other, or, in
// a `reduce` whose order matters, neighbours first, as a tree. The order is fixed
// at compile time: it depends on the shape, the operations in the same loop and the target
// (operations, 4.11 and 4.12), never on threads.

#ifndef TILEWRIGHT_CPU_PLAN_FOLDS_H
#define TILEWRIGHT_CPU_PLAN_FOLDS_H

#include "tilewright/tile/Ops.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright::cpu {

class GroupPlan;
class OperationOrder;
struct Target;

enum class FoldForm : uint8_t {
  ByVectors, ///< As a member of a fusion group: lanes hold elements of one row.
  InOrder,   ///< One element after the other.
  ByTree,    ///< As a tree: neighbours first, the earlier one as accumulator.
};

/// Why the fold has this number of lanes.
enum class FoldReason : uint8_t {
  AlongRows,      ///< The order is free: lanes are neighbours along the folded dimension.
  OtherDimension, ///< Each lane computes a result of its own.
  OneDimension,   ///< One: the dimensions after the folded one have a single element.
  BodyHasTiles,   ///< One: the body computes with tiles.
};

struct Fold {
  FoldForm form = FoldForm::InOrder;
  FoldReason reason = FoldReason::AlongRows;
  /// Results computed at once. Of a scan by vectors: the number of elements that are combined
  /// within a register before the prefix is added.
  int64_t width = 1;
  /// Of a fold by vectors: the bits of the body's identity element, if known.
  std::optional<uint64_t> neutral;
};

/// By operation, in program order.
using Folds = llvm::MapVector<mlir::Operation *, Fold>;

Folds planFolds(const OperationOrder &order, const GroupPlan &groups, const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_FOLDS_H
