// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many sums of a matrix product do registers hold at a time, and for how many steps along k
// before they are written? What is best was measured (docs/decisions/cpu-loops.md, 27).

#ifndef TILEWRIGHT_CPU_PLAN_SUMSBLOCK_H
#define TILEWRIGHT_CPU_PLAN_SUMSBLOCK_H

#include "tilewright/cpu/plan/MatmulForm.h"

namespace tilewright::cpu {

/// Rows of an AMX tile at most, and words of 4 bytes in a row.
inline constexpr int64_t amxExtent = 16;

/// Blocks of as many rows of sums each, one below the other.
struct RowBlocks {
  int64_t first = 0, count = 0, rows = 1;

  int64_t end() const { return first + count * rows; }
};

/// Rows at most, times vectors of so many columns.
struct SumsBlock {
  int64_t rows = 1, vectors = 1, width = 1;

  int64_t columns() const { return vectors * width; }
  /// How so many rows are divided: where a power of two is not a multiple of `rows`, blocks of
  /// `restRows` come last.
  llvm::SmallVector<RowBlocks, 2> rowBlocks(int64_t m) const;

  static constexpr int64_t restRows = 4;
};

SumsBlock sumsBlockOf(mlir::Operation *mma, const MatmulForm &form, const Target &target);

/// For how many iterations of the loop around it a matmul is put off, if it may be, to compute them
/// at once: a block of the accumulator is then read and written once for all of them.
/// `leftInTensor`: left factors need not be packed.
int64_t iterationsTogether(mlir::Operation *mma, const MatmulForm &form, bool leftInTensor,
                           const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_SUMSBLOCK_H
