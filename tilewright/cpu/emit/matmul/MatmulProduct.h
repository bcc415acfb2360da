// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The description of a matrix product that is being emitted, shared by MatmulOperands.h, which
// packs the operands, and Matmul.h and MatmulAmx.h, which accumulate the products.

#ifndef TILEWRIGHT_CPU_EMIT_MATMULPRODUCT_H
#define TILEWRIGHT_CPU_EMIT_MATMULPRODUCT_H

#include "tilewright/cpu/emit/FinalStores.h"
#include "tilewright/cpu/plan/Matmuls.h"

namespace tilewright::cpu {

/// One product, or a batch of several.
struct MatmulProduct {
  mlir::Operation *op = nullptr;
  const MatmulPlan &plan;
  MatmulForm form;
  int64_t batches = 1, m = 1, n = 1, k = 1;
  /// Blocks of accumulators: rows by vectors of columns.
  llvm::ArrayRef<RowBlocks> rowBlocks;
  int64_t vectors = 1, width = 1;

  /// The base address of packed words, and the distances between rows, panels and batches in words.
  struct Words {
    mlir::Value base;
    int64_t perRow = 0;   ///< Between rows of lhs, or steps along k of rhs.
    int64_t perPanel = 0; ///< Between the panels of rhs.
    int64_t perBatch = 0;
  };
  Words left, right; ///< The packed lhs and rhs.
  /// Where lhs is read, packed or in the tensor. Distances are in bytes.
  struct Rows {
    mlir::Value base, perRow, perBatch;

    mlir::Value at(LoopBuilder &b, mlir::Value batch, mlir::Value row) const;
  } leftRows;
  /// Iterations of the surrounding loop whose operands are packed one after the other along k
  /// before their products are accumulated, and the number of the current one.
  int64_t iterations = 1;
  mlir::Value iteration;
  /// Whether accumulators begin with the loop's constant initial value, as an i1; or null.
  mlir::Value isFirst;
  /// The store of the final accumulators, and whether this product performs it, as an i1; or null.
  const OpenStore *finalStore = nullptr;
  mlir::Value isFinal;
  /// Corrections to subtract from the accumulators of each column, as i32 words; or null.
  mlir::Value corrections;

  /// Data that the surrounding loop will load in its next iteration: rows of cache lines to
  /// prefetch.
  struct Stream {
    mlir::Value first;    ///< The address of the first element.
    mlir::Value rowBytes; ///< The distance between rows.
    int64_t rows, lines;
    mlir::Value perIteration; ///< The distance to the iteration after that.
    mlir::Value isNeeded;     ///< An i1; null: always.
  };
  llvm::SmallVector<Stream, 2> streams;

  /// Operands are packed later.
  MatmulProduct(mlir::Operation *op, const MatmulPlan &plan);

  int64_t stepsPerIteration() const { return k / form.perWord; }
  int64_t blocksInPanel() const;
  int64_t blockCount() const { return blocksInPanel() * (n / blockColumns()); }
  int64_t blockColumns() const { return vectors * width; }
};

/// A block of accumulators.
struct BlockOfSums {
  mlir::Value batch, row, column; ///< Its position.
  int64_t rows = 1, unroll = 1;
  mlir::Value panel;  ///< The number of its panel.
  mlir::Value number; ///< Its number among the blocks of the batch.
};

/// Emits `body` in loops over all blocks of accumulators, once for each height of blocks.
void forEachBlock(LoopBuilder &b, const MatmulProduct &product,
                  llvm::function_ref<void(const BlockOfSums &)> body);
/// Prefetches one of `parts` equal parts of the lines of all streams.
void prefetchStreams(LoopBuilder &b, CacheHints &hints, const MatmulProduct &product,
                     mlir::Value part, int64_t parts);

/// sum + lhs rhs, of words.
mlir::Value multiplyAdd(LoopBuilder &b, const Target &target, const MatmulProduct &product,
                        mlir::Value lhs, mlir::Value rhs, mlir::Value sum);
/// The same for words of several elements, with the instruction of the product's form.
mlir::Value dot(LoopBuilder &b, const MatmulProduct &product, mlir::Value lhs, mlir::Value rhs,
                mlir::Value sum);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_MATMULPRODUCT_H
