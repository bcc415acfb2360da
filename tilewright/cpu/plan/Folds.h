// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does each `reduce` and `scan` of an entry combine elements? Where their order does not
// matter, along rows, as a member of a fusion group, by vectors. Else each result by itself, with
// results side by side in the lanes where they lie along another dimension: one element after the
// other, or, in a `reduce` whose order matters, neighbours first, by a tree. These orders depend on
// shapes alone (operations, 4.11 and 4.12).

#ifndef TILEWRIGHT_CPU_PLAN_FOLDS_H
#define TILEWRIGHT_CPU_PLAN_FOLDS_H

#include "tilewright/tile/Ops.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright::cpu {

class GroupPlan;
class OperationOrder;
struct Target;

enum class FoldForm : uint8_t {
  ByVectors, ///< As a member of a fusion group: lanes are elements of one row.
  InOrder,   ///< One element after the other.
  ByTree,    ///< Neighbours with each other, the earlier one as accumulator, and so on.
};

/// Why there are so many lanes.
enum class FoldReason : uint8_t {
  AlongRows,      ///< The order does not matter: lanes are neighbours along the fold.
  OtherDimension, ///< Lanes have a result each.
  OneDimension,   ///< One: no dimension after that of the fold has several elements.
  BodyHasTiles,   ///< One: the body computes with tiles of its own.
};

struct Fold {
  FoldForm form = FoldForm::InOrder;
  FoldReason reason = FoldReason::AlongRows;
  /// Results at once. Of a scan by vectors: elements that are combined with each other in a
  /// register before what comes before is added.
  int64_t width = 1;
  /// Of a fold by vectors: the bits of an identity of the body, if one is known.
  std::optional<uint64_t> neutral;
};

/// By operation, in the order of the text.
using Folds = llvm::MapVector<mlir::Operation *, Fold>;

Folds planFolds(const OperationOrder &order, const GroupPlan &groups, const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_FOLDS_H
