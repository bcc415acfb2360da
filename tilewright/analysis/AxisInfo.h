// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do the integers and addresses in a tile grow along a dimension? That says whether addresses
// are contiguous. It follows from arithmetic on `iota` and splats, and from `assume`.

#ifndef TILEWRIGHT_ANALYSIS_AXISINFO_H
#define TILEWRIGHT_ANALYSIS_AXISINFO_H

#include "tilewright/tile/Ops.h"

#include "llvm/ADT/DenseMap.h"

namespace tilewright::analysis {

/// Answers about the values of one kernel, which does not change meanwhile. Answers are kept,
/// because an operand may be read many times.
class AxisInfo {
public:
  /// By how much the elements of an integer tile grow from one to the next along a dimension, or
  /// the addresses of a pointer tile, in elements; none if that is not known, or not the same
  /// everywhere. Integers wrap around, so this holds modulo 2 to their width. At most one integer
  /// that grows is extended, by `exti` or as the offset of an address; where that one wraps around,
  /// the elements move by something else. So all of them grow by the stride if the first and the
  /// last are as far apart as they then should be.
  std::optional<int64_t> stride(mlir::Value tile, unsigned dim);

private:
  struct Growth {
    int64_t stride;
    bool isExtended = false; ///< The integer that grows has been extended.
  };
  std::optional<Growth> growth(mlir::Value tile, unsigned dim);
  std::optional<Growth> computeGrowth(mlir::Value tile, unsigned dim);
  std::optional<Growth> ofConstant(tile::ConstantOp op, unsigned dim);
  std::optional<Growth> ofElementwise(mlir::Operation *op, unsigned dim);
  std::optional<Growth> ofSum(mlir::Value a, mlir::Value b, int64_t factor, unsigned dim);
  std::optional<Growth> ofProduct(mlir::Value a, mlir::Value b, unsigned dim);
  std::optional<Growth> ofExtension(mlir::Value narrow, unsigned dim);
  std::optional<Growth> ofOffset(tile::OffsetOp op, unsigned dim);

  llvm::DenseMap<std::pair<mlir::Value, unsigned>, std::optional<Growth>> known;
};

/// The dimension along which the addresses of a tile of pointers follow each other, unless an
/// integer that they are made from wraps around; -1 if there is none.
int64_t contiguousDimension(mlir::Value pointers);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_AXISINFO_H
