// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which `for` keeps what it carries in registers? The sums of a product of a matrix and a vector
// are a tile that each iteration adds to. All iterations run for as many rows of it as registers
// hold, then all of them for the next rows.
//
//     for k: for rows r: sums[r] += w[r, k] x[k]
//     becomes      for some rows r: load sums[r];  for k: sums[r] += w[r, k] x[k];  store sums[r]

#ifndef TILEWRIGHT_CPU_PLAN_ROWLOOPS_H
#define TILEWRIGHT_CPU_PLAN_ROWLOOPS_H

#include "tilewright/cpu/plan/FusionGroups.h"

namespace tilewright::cpu {

struct Target;

struct RowLoop {
  /// What a loop carries, and the operation that computes it for the next iteration.
  struct Tile {
    mlir::BlockArgument carried;
    mlir::Operation *update;
  };
  llvm::SmallVector<Tile, 2> tiles; ///< Of the shape that the group goes over.
  const FusionGroup *group = nullptr;
  int64_t dim = -1;   ///< The dimension of its rows; -1: there is one row.
  int64_t rows = 1;   ///< In registers at a time.
  int64_t blocks = 1; ///< Of so many rows.

  const InnerLoop &loop() const { return group->loops.front(); }
  int64_t vectorsPerRow() const { return group->innerExtent() / loop().width; }
};

/// How the loop goes over rows; none if it does not.
std::optional<RowLoop> rowLoopOf(tile::ForOp loop, const Placements &placements,
                                 const GroupPlan &groups, const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_ROWLOOPS_H
