// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which `for` keeps what it carries in registers? The sums of a product of a matrix and a vector
// are a tile that each iteration adds to. All iterations run for a block of it that registers hold,
// some rows or a part of one, then all of them for the next block.
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
    tile::ConstantOp initial; ///< What all its elements are before the loop, if that is known.
  };
  llvm::SmallVector<Tile, 2> tiles; ///< Of the shape that the group goes over.
  const FusionGroup *group = nullptr;
  int64_t dim = -1; ///< The dimension of its rows; -1: there is one row.
  /// Of a block, which is in registers at a time: rows, and vectors of each.
  int64_t rows = 1, vectors = 1;
  /// Blocks along the tile's rows; blocks that each of its rows is cut into, if one is a block's.
  int64_t rowBlocks = 1, parts = 1;

  const InnerLoop &loop() const { return group->loops.front(); }
  int64_t blocks() const { return rowBlocks * parts; }
};

/// How the loop goes over blocks; none if it does not.
std::optional<RowLoop> rowLoopOf(tile::ForOp loop, const Placements &placements,
                                 const GroupPlan &groups, const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_ROWLOOPS_H
