// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of a row does a mask enable? Bounds checks of counters enable all of them if they
// do so at both ends of the row.

#ifndef TILEWRIGHT_ANALYSIS_ROWMASKS_H
#define TILEWRIGHT_ANALYSIS_ROWMASKS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::analysis {

/// A mask that is the conjunction of these.
struct RowMask {
  /// Tiles that are the same along the row.
  llvm::SmallVector<mlir::Value, 2> splats;
  /// Less-than comparisons of integers that grow by one along the row with a bound that is the
  /// same. One holds for the whole row if the first integer is not greater than the last one, as
  /// the comparison reads them, the last one is below the bound, and they are as far apart as they
  /// should be, so that none has wrapped around.
  llvm::SmallVector<tile::CmpIOp, 2> ranges;
};

/// What the mask consists of along the dimension; none if it has other parts. Null is no mask.
std::optional<RowMask> rowMaskOf(mlir::Value mask, unsigned dim);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_ROWMASKS_H
