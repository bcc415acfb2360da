// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices on its way into loops: what MatmulOperands.cpp, which lays out the
// factors, and Matmul.cpp and MatmulAmx.cpp, which add up their products, tell each other.

#ifndef TILEWRIGHT_CPU_EMIT_MATMUL_H
#define TILEWRIGHT_CPU_EMIT_MATMUL_H

#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/cpu/plan/MatmulForm.h"

namespace tilewright::cpu {

/// Rows of an AMX tile at most, and words of 4 bytes in a row.
inline constexpr int64_t amxExtent = 16;

/// Maybe one of several products that lie one behind the other.
struct KernelEmitter::Product {
  mlir::Operation *op = nullptr;
  ProductForm form;
  int64_t batches = 1, m = 1, n = 1, k = 1;
  /// A block of sums: rows times vectors of so many columns.
  int64_t rows = 1, vectors = 1, width = 1;

  /// Where words are, and how many lie between two neighbours.
  struct Words {
    mlir::Value base;
    int64_t perRow = 0;   ///< From a row of lhs, or a step along k of rhs, to the next.
    int64_t perPanel = 0; ///< From a block's columns of rhs to those of the next.
    int64_t perBatch = 0;
  };
  Words left, right;
  /// Turns of the loop around whose factors are laid out one behind the other, along k, before
  /// their products are added up; and which of these turns this is.
  int64_t turns = 1;
  mlir::Value turn;
  /// Whether sums begin with the constant that the loop around begins with, an i1; or null.
  mlir::Value isFirst;
  /// Where sums go in the end, and whether this is where they do, an i1; or null.
  const OpenStore *finalStore = nullptr;
  mlir::Value isFinal;
  /// What every sum of a column is too large by: i32 words, a column each, or null.
  mlir::Value corrections;

  /// What the loop around will load in its next turn: rows of cache lines.
  struct Stream {
    mlir::Value first;    ///< The address of the first element.
    mlir::Value rowBytes; ///< From a row to the next.
    int64_t rows, lines;
    mlir::Value perTurn; ///< From this to what the turn after that will load.
  };
  llvm::SmallVector<Stream, 2> streams;

  int64_t stepsPerTurn() const { return k / form.perWord; }
  int64_t blockCount() const { return (m / rows) * (n / blockColumns()); }
  int64_t blockColumns() const { return vectors * width; }
  /// Elements along k that share a scale.
  int64_t scaleBlock(unsigned operand) const {
    auto mma = llvm::cast<tile::MmaFScaledOp>(op);
    mlir::Value scale = operand == 0 ? mma.getLhsScale() : mma.getRhsScale();
    auto shape = tileTypeOf(scale).getShape();
    return k / shape[shape.size() - (operand == 0 ? 1 : 2)];
  }
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_MATMUL_H
