// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the `for` loops whose accumulators stay in registers (register-resident accumulators,
// `RowLoop`). In a matrix-vector product, for example, each iteration adds to a tile of
// accumulators. The loops are interchanged: registers hold one block of the tile, some rows or a
// part of one row, while all iterations run; then the next block follows.
//
//     for k: for rows r: sums[r] += w[r, k] x[k]
//     becomes      for some rows r: load sums[r];  for k: sums[r] += w[r, k] x[k];  store sums[r]

#ifndef TILEWRIGHT_CPU_PLAN_ROWLOOPS_H
#define TILEWRIGHT_CPU_PLAN_ROWLOOPS_H

#include "tilewright/cpu/plan/FusionGroups.h"

namespace tilewright::cpu {

struct Target;

/// What iterations prefetch into L1 while they update a block.
enum class RowPrefetch : uint8_t {
  SeveralRows, ///< Nothing: a block has several rows.
  Apart,       ///< Nothing: rows are known not to be contiguous.
  NoNextRow,   ///< Nothing: rows are cut into parts, but there is only one row, or the loads of an
               ///< iteration are not known to continue those of the previous one.
  /// The next row, line by line: each part of a row reads runs with gaps between them, which the
  /// hardware does not predict, so the whole row shall be there before its first part begins. After
  /// the last row, the next tile mostly follows.
  NextRow,
  /// Lines at a fixed distance: rows are read sequentially, but the hardware prefetcher stops at
  /// the end of each page.
  FarAhead,
};

struct RowLoop {
  /// A loop-carried tile, and the operation that computes it for the next iteration.
  struct Tile {
    mlir::BlockArgument carried;
    mlir::Operation *update;
    tile::ConstantOp
        initial; ///< The value of all its elements before the loop, if it is a known constant.
  };
  llvm::SmallVector<Tile, 2> tiles; ///< Of the same shape as the group's domain.
  const FusionGroup *group = nullptr;
  int64_t dim = -1; ///< The dimension of the tile's rows; -1: there is one row.
  /// The shape of a block: its rows, and the vectors per row.
  int64_t rows = 1, vectors = 1;
  /// The number of blocks along the dimension of rows, and along a row. A block of several rows has
  /// whole rows.
  int64_t rowBlocks = 1, parts = 1;
  /// Whether iterations whose tiles are known to be whole run in a loop of their own, because tests
  /// take a notable part of an iteration.
  bool hasWholeLoop = false;
  RowPrefetch prefetch = RowPrefetch::SeveralRows;
  llvm::SmallVector<mlir::Operation *, 2> prefetched; ///< The loads whose lines are prefetched.
  int64_t bytesAhead = 0;                             ///< The distance, if it is fixed.

  const InnerLoop &loop() const { return group->loops.front(); }
  int64_t blocks() const { return rowBlocks * parts; }
  /// The dimension whose next index is the next row; -1 if there is none.
  int64_t rowDim() const { return dim >= 0 ? dim : group->innerDim - 1; }
};

/// The blocks of the loop; none if its accumulators do not stay in registers.
std::optional<RowLoop> rowLoopOf(tile::ForOp loop, const Placements &placements,
                                 const GroupPlan &groups, const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_ROWLOOPS_H
