// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axis analysis: by how much integers and addresses in a tile grow along a dimension, and so
// whether addresses are contiguous. The answer follows from arithmetic on `iota` and splats, and
// from `assume`.

#ifndef TILEWRIGHT_ANALYSIS_AXISINFO_H
#define TILEWRIGHT_ANALYSIS_AXISINFO_H

#include "tilewright/tile/Ops.h"

#include "llvm/ADT/DenseMap.h"

namespace tilewright::analysis {

/// Analyses the values of one kernel, which must not change meanwhile. Results are cached, because
/// an operand may have many users.
class AxisInfo {
public:
  /// The stride of an integer tile along a dimension: the difference of neighbouring elements. For
  /// a pointer tile, the difference of addresses in elements. None if the stride is unknown or not
  /// constant.
  ///
  /// Integer strides hold modulo 2^width, because integers wrap around. At most one growing integer
  /// is extended, by `exti` or as the offset of an address; if it wraps around, the elements move
  /// by another amount there. So a caller can check the stride at run time: all elements have it if
  /// the last element differs from the first one by the expected multiple of it.
  std::optional<int64_t> stride(mlir::Value tile, unsigned dim);

private:
  struct Growth {
    int64_t stride;
    bool isExtended = false; ///< The growing integer has been extended.
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

/// The dimension along which the addresses of a pointer tile are contiguous, unless an integer from
/// which they are computed wraps around; -1 if there is none.
int64_t contiguousDimension(mlir::Value pointers);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_AXISINFO_H
