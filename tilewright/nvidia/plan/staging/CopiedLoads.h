// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the loads whose data can be copied into shared memory instead of being held in registers:
// only products read their elements, possibly rearranged, and memory does not change between the
// load and the copy. A copy can be prefetched if the load's operands can be computed iterations
// ahead.

#ifndef TILEWRIGHT_NVIDIA_PLAN_STAGING_COPIEDLOADS_H
#define TILEWRIGHT_NVIDIA_PLAN_STAGING_COPIEDLOADS_H

#include "tilewright/tile/Ops.h"

#include "llvm/ADT/SetVector.h"

namespace tilewright::nvidia {

struct Plan;

/// Whether the result has each element of the source exactly once, in another order or shape.
bool permutesElements(tile::RearrangementOpInterface op);
/// The load whose data can be copied into shared memory at the operation `until`; null if there is
/// none.
tile::LoadViewOp copiedLoad(const Plan &plan, tile::MatmulOpInterface product, bool isLhs,
                            bool isAlongK, mlir::Operation *until);
/// The load whose tile has the scales in the order of a pipeline stage, so that the producer can
/// copy them; null if there is none.
tile::LoadViewOp copiedScales(const Plan &plan, tile::MmaFScaledOp op, bool isLhs);

/// A loop whose loads may be prefetched.
struct LoopLoads {
  LoopLoads(const Plan &plan, tile::ForOp loop);

  bool isOutside(mlir::Value value) const {
    return !loop->isAncestor(value.getParentBlock()->getParentOp());
  }
  /// Adds the operations in the body that compute the load's operands. False if one of them has
  /// effects, or depends on another iteration. In a loop with effects, the load must not take a
  /// token from inside the loop, because it must not move before the accesses that the token
  /// orders.
  bool takeIndices(tile::LoadViewOp load, llvm::SetVector<mlir::Operation *> &indices) const;

  const Plan &plan;
  tile::ForOp loop;
  bool hasEffects; ///< Whether an operation orders other accesses, or changes memory.

private:
  bool isIndexOperation(mlir::Operation *op) const;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_STAGING_COPIEDLOADS_H
