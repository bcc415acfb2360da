// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations share their loops? A group is a list of operations that go over tiles of
// one shape, the domain, row after row: loads, stores, reductions and scans along the row, and
// what else has a buffer. Row by row they do all their work on data that is in the cache, if not
// in registers. A row is gone through in runs: the steps of one run share the innermost loop,
// and a step that needs what a reduction gives, or goes the other way, begins the next one.
//
//     rows:  run 1   load x, max of x         y = softmax(x): three runs
//            run 2   e = exp(x - max), sum of e
//            run 3   store e / sum

#ifndef TILEWRIGHT_CPU_PLAN_FUSIONGROUPS_H
#define TILEWRIGHT_CPU_PLAN_FUSIONGROUPS_H

#include "tilewright/tile/Ops.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::cpu {

class OperationOrder;
class Placements;

/// Steps that share the innermost loop, or one step that is done once per row.
struct Run {
  llvm::SmallVector<mlir::Operation *, 4> steps;
  bool isOncePerRow = false;
  unsigned work = 0; ///< What its steps and all that is fused with them cost per element (costOf).

  /// The way its scans go; none if there is none.
  std::optional<bool> isReverse() const;
};

struct Group {
  llvm::SmallVector<int64_t, 4> domain;
  /// The dimension of a row, the last one with several elements; -1 if none has.
  int64_t rowDim;
  /// In the order of the text. The group runs where the last one stands.
  llvm::SmallVector<mlir::Operation *, 8> steps;
  std::vector<Run> runs;

  bool contains(mlir::Operation *op) const { return llvm::is_contained(steps, op); }
  /// The number of the run that the step is in.
  unsigned runOf(mlir::Operation *step) const;
  int64_t rowExtent() const { return rowDim < 0 ? 1 : domain[rowDim]; }
  bool hasSeveralRows() const;
};

/// The groups of an entry.
class GroupPlan {
public:
  GroupPlan(const OperationOrder &order, const Placements &placements);

  llvm::ArrayRef<Group> all() const { return groups; }
  /// The group that the operation is a step of; null if it stands alone.
  const Group *groupOf(mlir::Operation *op) const;

private:
  std::vector<Group> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOfStep;
};

/// The shape that the operation goes over as a step; empty if it cannot be one. `hasBuffer` tells
/// which results of elementwise operations have a buffer, and are steps, from those that are
/// computed by their readers.
llvm::SmallVector<int64_t> domainOf(mlir::Operation *op,
                                    llvm::function_ref<bool(mlir::Value)> hasBuffer);

/// A weak access through a view, whose rows may be vectors of neighbours and have coordinates that
/// follow each other.
bool isPlainAccess(mlir::Operation *op);

/// A scan of integers of 16 bits or more along rows, which goes through them vector by vector.
bool isScannedByLanes(tile::ScanOp op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_FUSIONGROUPS_H
