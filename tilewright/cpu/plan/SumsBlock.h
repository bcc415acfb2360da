// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the block of a matmul's accumulators that registers hold at a time (`SumsBlock`), and the
// number of steps along k before it is written. The choices were measured
// (docs/decisions/cpu-loops.md, 27).

#ifndef TILEWRIGHT_CPU_PLAN_SUMSBLOCK_H
#define TILEWRIGHT_CPU_PLAN_SUMSBLOCK_H

#include "tilewright/cpu/plan/MatmulForm.h"

namespace tilewright::cpu {

/// The most rows of an AMX tile, and the most words of 4 bytes in a row.
inline constexpr int64_t amxExtent = 16;

/// Consecutive blocks with the same number of rows.
struct RowBlocks {
  int64_t first = 0, count = 0, rows = 1;
  /// Steps along k per iteration of the innermost loop: a power of two. AMX tiles take one.
  int64_t unroll = 1;

  int64_t end() const { return first + count * rows; }
};

/// The most rows of a block, and its columns: `vectors` vectors of `width` elements.
struct SumsBlock {
  int64_t rows = 1, vectors = 1, width = 1;
  int64_t lastRows = 4; ///< Rows of the last blocks, if m is not a multiple of `rows`.

  int64_t columns() const { return vectors * width; }
  /// Divides m rows into blocks, not unrolled. If m, a power of two, is not a multiple of `rows`,
  /// blocks of `lastRows` come last.
  llvm::SmallVector<RowBlocks, 2> rowBlocks(int64_t m) const;
};

/// The blocks of all rows of the product, with as many steps along k per iteration as hide the
/// loop's own overhead.
llvm::SmallVector<RowBlocks, 2> rowBlocksOf(mlir::Operation *mma, const MatmulForm &form,
                                            const SumsBlock &sums, const Tuning &tuning);

SumsBlock sumsBlockOf(mlir::Operation *mma, const MatmulForm &form, const Target &target);

/// The number of iterations of the surrounding loop to compute at once, if the matmul may be
/// deferred: a block of the accumulator is then read and written once for all of them.
/// `leftInTensor`: lhs is read in place, without packing.
int64_t iterationsTogether(mlir::Operation *mma, const MatmulForm &form, bool leftInTensor,
                           const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_SUMSBLOCK_H
