// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the scales of a block-scaled `tcgen05.mma` are in tensor memory (PTX ISA, 9.7.16.10.7): 32
// rows of lhs, or columns of rhs, have a column of tensor memory, one lane each, which all quarters
// of the lanes repeat. A word has the scales of four successive blocks along k; an instruction
// takes one of its bytes. The columns of scales follow those of the accumulators.

#ifndef TILEWRIGHT_NVIDIA_PLAN_TENSORSCALES_H
#define TILEWRIGHT_NVIDIA_PLAN_TENSORSCALES_H

#include "tilewright/nvidia/plan/MatrixProduct.h"

namespace tilewright::nvidia {

class TensorScales {
public:
  static constexpr int64_t blocksOfWord = 4, linesOfColumn = 32;

  explicit TensorScales(const MatrixProduct &product) : product(product) {}

  /// Words for all blocks along k.
  int64_t words() const { return llvm::divideCeil(blocks(), blocksOfWord); }
  int64_t blocks() const { return product.isScaled() ? product.k / product.scaledBlock : 0; }
  /// The columns of one word, for all rows or all columns of the product; a power of two.
  int64_t columnsOfWord(bool isLhs) const {
    return llvm::divideCeil(isLhs ? product.m : product.n, linesOfColumn);
  }
  /// The first column, relative to the accumulators, for a row of lhs or a column of rhs.
  int64_t columnOf(bool isLhs, int64_t word, int64_t line) const {
    const int64_t before = isLhs ? 0 : words() * distance(true);
    return product.tensorColumns() + before + word * distance(isLhs) + line / linesOfColumn;
  }
  int64_t columns() const { return words() * (distance(true) + distance(false)); }

private:
  /// Columns from one word to the next: as many as 128 rows take, at least, as other producers of
  /// code place them.
  int64_t distance(bool isLhs) const {
    constexpr int64_t leastDistance = 4;
    return std::max(columnsOfWord(isLhs), leastDistance);
  }

  const MatrixProduct &product;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_TENSORSCALES_H
