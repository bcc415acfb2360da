// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the integers and addresses in a tile? How they grow along a dimension, which
// says whether addresses are contiguous, and what divides them, which says how they are aligned.
// Both follow from arithmetic on `iota` and splats, and from `assume`.

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
  /// everywhere. Integers wrap around, so this holds modulo 2 to their width. At most one offset of
  /// an address grows; where that one wraps around, the address moves by something else.
  std::optional<int64_t> stride(mlir::Value tile, unsigned dim);

  /// The largest power of two that is known to divide every element, addresses in bytes; at most
  /// `largestDivisor`. An integer of N bits that 2^N divides is 0.
  uint64_t divisor(mlir::Value tile);
  static constexpr uint64_t largestDivisor = uint64_t(1) << 62;

private:
  std::optional<int64_t> computeStride(mlir::Value tile, unsigned dim);
  uint64_t computeDivisor(mlir::Value tile);

  llvm::DenseMap<std::pair<mlir::Value, unsigned>, std::optional<int64_t>> strides;
  llvm::DenseMap<mlir::Value, uint64_t> divisors;
};

/// The dimension along which the addresses of a tile of pointers follow each other, unless an
/// integer that they are made from wraps around; -1 if there is none.
int64_t contiguousDimension(mlir::Value pointers);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_AXISINFO_H
