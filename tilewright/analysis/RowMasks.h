// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyses which elements of a row a mask enables. A mask that consists of bounds checks on
// counters enables the whole row if it enables both ends.

#ifndef TILEWRIGHT_ANALYSIS_ROWMASKS_H
#define TILEWRIGHT_ANALYSIS_ROWMASKS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::analysis {

/// A mask as a conjunction of splats and ranges.
struct RowMask {
  /// Tiles that are constant along the row.
  llvm::SmallVector<mlir::Value, 2> splats;
  /// Less-than comparisons of an integer that grows by one along the row with a bound that is
  /// constant along it. A range holds for the whole row under three conditions: the first integer
  /// is not greater than the last, as the comparison reads them; the last integer is below the
  /// bound; and their difference is the expected one, so that no integer has wrapped around.
  llvm::SmallVector<tile::CmpIOp, 2> ranges;
};

/// Decomposes a mask along the dimension; none if it has other parts. Null stands for no mask.
std::optional<RowMask> rowMaskOf(mlir::Value mask, unsigned dim);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_ROWMASKS_H
