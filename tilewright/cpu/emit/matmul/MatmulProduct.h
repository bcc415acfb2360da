// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices on its way into loops: what MatmulOperands.h, which lays out the factors,
// and Matmul.h and MatmulAmx.h, which add up their products, share.

#ifndef TILEWRIGHT_CPU_EMIT_MATMULPRODUCT_H
#define TILEWRIGHT_CPU_EMIT_MATMULPRODUCT_H

#include "tilewright/cpu/emit/FinalStores.h"
#include "tilewright/cpu/plan/Matmuls.h"

namespace tilewright::cpu {

/// Maybe one of several products that lie one behind the other.
struct MatmulProduct {
  mlir::Operation *op = nullptr;
  const MatmulPlan &plan;
  MatmulForm form;
  int64_t batches = 1, m = 1, n = 1, k = 1;
  /// Blocks of sums: so many rows each, times vectors of so many columns.
  llvm::SmallVector<RowBlocks, 2> rowBlocks;
  int64_t vectors = 1, width = 1;

  /// Where words are, and how many lie between two neighbours.
  struct Words {
    mlir::Value base;
    int64_t perRow = 0;   ///< From a row of lhs, or a step along k of rhs, to the next.
    int64_t perPanel = 0; ///< From a block's columns of rhs to those of the next.
    int64_t perBatch = 0;
  };
  Words left, right; ///< lhs, where it is packed.
  /// Where words of lhs are read: maybe in the tensor. In bytes.
  struct Rows {
    mlir::Value base, perRow, perBatch;

    mlir::Value at(LoopBuilder &b, mlir::Value batch, mlir::Value row) const;
  } leftRows;
  /// Iterations of the loop around whose factors are laid out one behind the other, along k, before
  /// their products are added up; and which of these iterations this is.
  int64_t iterations = 1;
  mlir::Value iteration;
  /// Whether sums begin with the constant that the loop around begins with, an i1; or null.
  mlir::Value isFirst;
  /// Where sums go in the end, and whether this is where they do, an i1; or null.
  const OpenStore *finalStore = nullptr;
  mlir::Value isFinal;
  /// What every sum of a column is too large by: i32 words, a column each, or null.
  mlir::Value corrections;

  /// What the loop around will load in its next iteration: rows of cache lines.
  struct Stream {
    mlir::Value first;    ///< The address of the first element.
    mlir::Value rowBytes; ///< From a row to the next.
    int64_t rows, lines;
    mlir::Value perIteration; ///< From this to what the iteration after that will load.
    mlir::Value isNeeded;     ///< An i1; null: always.
  };
  llvm::SmallVector<Stream, 2> streams;

  /// Factors are not laid out yet.
  MatmulProduct(mlir::Operation *op, const MatmulPlan &plan);

  int64_t stepsPerIteration() const { return k / form.perWord; }
  int64_t blocksInPanel() const;
  int64_t blockCount() const { return blocksInPanel() * (n / blockColumns()); }
  int64_t blockColumns() const { return vectors * width; }
  /// Elements along k that share a scale.
  int64_t scaleBlock(unsigned operand) const;
};

/// A block of sums.
struct BlockOfSums {
  mlir::Value batch, row, column; ///< Where it begins.
  int64_t rows = 1;
  mlir::Value panel;  ///< Which columns of blocks these are.
  mlir::Value number; ///< Among all blocks of the batch.
};

/// Emits `body` in loops over all blocks of sums: once for each number of rows that blocks have.
void forEachBlock(LoopBuilder &b, const MatmulProduct &product,
                  llvm::function_ref<void(const BlockOfSums &)> body);
/// Of so many parts of the lines of all streams, one.
void prefetchStreams(LoopBuilder &b, CacheHints &hints, const MatmulProduct &product,
                     mlir::Value part, int64_t parts);

/// sum + lhs rhs, of words.
mlir::Value multiplyAdd(LoopBuilder &b, const Target &target, const MatmulProduct &product,
                        mlir::Value lhs, mlir::Value rhs, mlir::Value sum);
/// The same of words of several factors each, by the instruction of the product's form.
mlir::Value dot(LoopBuilder &b, const MatmulProduct &product, mlir::Value lhs, mlir::Value rhs,
                mlir::Value sum);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_MATMULPRODUCT_H
