// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits matrix products by multiply-adds. Each thread computes its elements of the result, each as
// a chain of fused multiply-adds with k ascending, as the reference machine does (arithmetic, 4.30
// to 4.32). Rows and columns are read from shared memory, as many steps along k at a time as fit,
// in the type in which the chain is computed.

#ifndef TILEWRIGHT_NVIDIA_EMIT_PRODUCTS_H
#define TILEWRIGHT_NVIDIA_EMIT_PRODUCTS_H

#include "tilewright/nvidia/emit/SharedMemory.h"

namespace tilewright::nvidia {

class Products {
public:
  Products(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared)
      : b(b), plan(plan), tiles(tiles), shared(shared) {}

  void emit(tile::MatmulOpInterface op);

private:
  /// One of the operands (lhs or rhs).
  struct Factor {
    mlir::Value tile;
    bool isLhs;
    int64_t batches, lines, k; ///< Rows of lhs or columns of rhs.
    mlir::Type type;           ///< The type in which it is multiplied.
    std::optional<Home> scales;
  };

  /// The operands of one chunk of steps in shared memory, and the result to which their products
  /// are added.
  struct Block {
    const Factor &lhs, &rhs;
    llvm::ArrayRef<int64_t> shape; ///< Of the result.
    TileLayout layout;             ///< Of the result.
    mlir::Value lhsBase, rhsBase;
    int64_t steps;
  };

  static int64_t widestAccess(const Factor &factor, int64_t along);
  Factor factorOf(tile::MatmulOpInterface op, bool isLhs);
  Home spreadScales(const Factor &factor, mlir::Value scales, int64_t bytes);
  mlir::Value elementOf(tile::MatmulOpInterface op, const Factor &factor, const Own &own);
  void writeSteps(tile::MatmulOpInterface op, const Factor &factor, mlir::Value base,
                  mlir::Value window, int64_t steps);
  mlir::Value placeOf(const Factor &factor, mlir::Value base, mlir::Value batch, mlir::Value line,
                      mlir::Value step, int64_t steps);
  llvm::SmallVector<mlir::Value> addSteps(const Block &block, llvm::ArrayRef<Own> together,
                                          mlir::ValueRange soFar, mlir::Value first);
  mlir::Value multiplyAdd(mlir::Value lhs, mlir::Value rhs, mlir::Value sum);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_PRODUCTS_H
