// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the scales of a block-scaled `tcgen05.mma` are in tensor memory and in pipeline stages (PTX
// ISA, 9.7.16.10.7). In tensor memory, 32 rows of lhs, or columns of rhs, have a column, one lane
// each, which all quarters of the lanes repeat. A word has the scales of four successive blocks
// along k; an instruction takes some of its bytes. The columns of scales follow those of the
// accumulators.
//
// A `tcgen05.cp.32x128b.warpx4` copies 32 rows of 16 bytes from shared memory to four columns. So a
// word of 128 rows of lhs takes 512 bytes there: 16 bytes have the words of rows r, r + 32, r + 64
// and r + 96.

#ifndef TILEWRIGHT_NVIDIA_PLAN_TENSORSCALES_H
#define TILEWRIGHT_NVIDIA_PLAN_TENSORSCALES_H

#include "tilewright/nvidia/plan/MatrixProduct.h"

namespace tilewright::nvidia {

class TensorScales {
public:
  static constexpr int64_t blocksOfWord = 4, linesOfColumn = 32;
  /// The rows of lhs, or columns of rhs, of a copy; the bytes, and the columns of tensor memory.
  static constexpr int64_t linesOfCopy = 128, bytesOfCopy = 512, columnsOfCopy = 4;

  explicit TensorScales(const MatrixProduct &product) : product(product) {}

  /// Words for all blocks along k.
  int64_t words() const { return llvm::divideCeil(blocks(), blocksOfWord); }
  /// The copies of one word, for all rows or all columns of the product.
  int64_t copiesOfWord(bool isLhs) const {
    return llvm::divideCeil(isLhs ? product.m : product.n, linesOfCopy);
  }

  /// The first column, relative to the accumulators, for a row of lhs or a column of rhs.
  int64_t columnOf(bool isLhs, int64_t word, int64_t line) const {
    const int64_t before = isLhs ? 0 : columnsOf(true);
    return product.tensorColumns() + before + word * copiesOfWord(isLhs) * columnsOfCopy +
           line / linesOfColumn;
  }
  int64_t columns() const { return columnsOf(true) + columnsOf(false); }

  /// Bytes of a pipeline stage. The words of the same 128 rows or columns are successive, as in
  /// arrays of scales for cuBLAS.
  int64_t bytesOf(bool isLhs) const { return words() * copiesOfWord(isLhs) * bytesOfCopy; }
  int64_t offsetOf(int64_t word, int64_t copy) const {
    return (copy * words() + word) * bytesOfCopy;
  }
  /// The offset of a scale.
  int64_t placeOf(int64_t line, int64_t block) const {
    return offsetOf(block / blocksOfWord, line / linesOfCopy) +
           line % linesOfColumn * columnsOfCopy * blocksOfWord +
           line / linesOfColumn % columnsOfCopy * blocksOfWord + block % blocksOfWord;
  }

private:
  int64_t blocks() const { return product.isScaled() ? product.k / product.scaledBlock : 0; }
  int64_t columnsOf(bool isLhs) const { return words() * copiesOfWord(isLhs) * columnsOfCopy; }

  const MatrixProduct &product;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_TENSORSCALES_H
