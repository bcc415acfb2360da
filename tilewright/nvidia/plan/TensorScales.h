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
//
// In a pair of CTAs, the scales of the rows of lhs are in the tensor memory of the CTA that has the
// rows. Those of all columns of rhs are in both, although each CTA has half of the columns.

#ifndef TILEWRIGHT_NVIDIA_PLAN_TENSORSCALES_H
#define TILEWRIGHT_NVIDIA_PLAN_TENSORSCALES_H

#include "tilewright/nvidia/plan/MatrixProduct.h"

#include <array>

namespace tilewright::nvidia {

class TensorScales {
public:
  static constexpr int64_t blocksOfWord = 4, linesOfColumn = 32;
  /// The rows of lhs, or columns of rhs, of a copy; the bytes, and the columns of tensor memory.
  static constexpr int64_t linesOfCopy = 128, bytesOfCopy = 512, columnsOfCopy = 4;

  explicit TensorScales(const MatrixProduct &product) : product(product) {}

  /// The CTAs that divide the scales.
  int64_t parts(bool isLhs) const { return isLhs ? product.ctas : 1; }
  /// The rows or columns whose scales a CTA has.
  int64_t linesOfCta(bool isLhs) const { return isLhs ? product.rowsOfCta() : product.n; }
  /// Words for all blocks along k.
  int64_t words() const { return llvm::divideCeil(blocks(), blocksOfWord); }
  /// The copies of one word, for all lines of a CTA.
  int64_t copiesOfWord(bool isLhs) const {
    return llvm::divideCeil(linesOfCta(isLhs), linesOfCopy);
  }

  /// The first column, relative to the accumulators, for a row of lhs or a column of rhs, counted
  /// from the first one of the CTA.
  int64_t columnOf(bool isLhs, int64_t word, int64_t line) const {
    const int64_t before = isLhs ? 0 : columnsOf(true);
    return product.tensorColumns() + before + word * copiesOfWord(isLhs) * columnsOfCopy +
           line / linesOfColumn;
  }
  int64_t columns() const { return columnsOf(true) + columnsOf(false); }

  /// Bytes of a pipeline stage in a CTA. The words of the same 128 rows or columns are successive,
  /// as in arrays of scales for cuBLAS.
  int64_t bytesOf(bool isLhs) const { return words() * copiesOfWord(isLhs) * bytesOfCopy; }
  int64_t offsetOf(int64_t word, int64_t copy) const {
    return (copy * words() + word) * bytesOfCopy;
  }
  /// A part of the offset of a scale: `number / divisor % count * step`, where the number is that
  /// of the scale's line or of its block along k. All are powers of two; a count of 0 means all.
  struct Part {
    bool isOfLine;
    int64_t divisor, count, step;
  };
  std::array<Part, 5> partsOfPlace() const {
    constexpr int64_t row = columnsOfCopy * blocksOfWord;
    return {{{false, 1, blocksOfWord, 1},
             {true, linesOfColumn, columnsOfCopy, blocksOfWord},
             {true, 1, linesOfColumn, row},
             {false, blocksOfWord, 0, offsetOf(1, 0)},
             {true, linesOfCopy, 0, offsetOf(0, 1)}}};
  }
  /// The offset of a scale, if the parts of all CTAs follow each other.
  int64_t placeOf(int64_t line, int64_t block) const {
    int64_t place = 0;
    for (const Part &part : partsOfPlace()) {
      const int64_t number = (part.isOfLine ? line : block) / part.divisor;
      place += (part.count ? number % part.count : number) * part.step;
    }
    return place;
  }

private:
  int64_t blocks() const { return product.isScaled() ? product.k / product.scaledBlock : 0; }
  int64_t columnsOf(bool isLhs) const { return words() * copiesOfWord(isLhs) * columnsOfCopy; }

  const MatrixProduct &product;
};

inline mlir::Value scalesOf(tile::MmaFScaledOp op, bool isLhs) {
  return isLhs ? op.getLhsScale() : op.getRhsScale();
}

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_TENSORSCALES_H
