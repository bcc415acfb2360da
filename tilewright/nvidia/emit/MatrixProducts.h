// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits products by matrix instructions (plan/MatrixProduct.h). Both operands are staged in shared
// memory unconverted (Operands.h), as many steps along k at a time as fit. For `mma.sync`, each
// warp loads its fragments with `ldmatrix`, and adds products to its accumulators; `wgmma` reads
// shared memory itself (WarpgroupProducts.h).
// Block-scaled products are in ScaledProducts.cpp.

#ifndef TILEWRIGHT_NVIDIA_EMIT_MATRIXPRODUCTS_H
#define TILEWRIGHT_NVIDIA_EMIT_MATRIXPRODUCTS_H

#include "tilewright/nvidia/emit/BlockScales.h"
#include "tilewright/nvidia/emit/Operands.h"
#include "tilewright/nvidia/emit/WarpgroupProducts.h"

namespace tilewright::nvidia {

class MatrixProducts {
public:
  MatrixProducts(ThreadBuilder &b, const Plan &plan, Tiles &tiles, Operands &operands,
                 SharedMemory &shared)
      : b(b), plan(plan), tiles(tiles), operands(operands), warpgroups(b, plan, tiles),
        scales(b, plan, tiles, shared) {}

  void emit(tile::MatmulOpInterface op);

private:
  using Words = llvm::SmallVector<mlir::Value>;

  Words loadFragments(mlir::Value address, bool isTransposed);
  Words fragmentsOfLhs(const MatrixProduct &product, const Matrix &matrix, mlir::Value row,
                       mlir::Value step);
  Words fragmentsOfRhs(const MatrixProduct &product, const Matrix &matrix, mlir::Value row,
                       mlir::Value step);
  Words pairedFragments(const Matrix &matrix, mlir::Value column, mlir::Value row);
  /// Accumulators of some rows of fragments of a batch, while products are added to them: the
  /// accumulators themselves, or copies in registers.
  struct Piece {
    Home sums;
    int64_t batch, firstRow, rows;
    bool isApart;

    llvm::SmallVector<int64_t, 4> slotsOf(const MatrixProduct &product, int64_t i,
                                          int64_t j) const {
      return isApart ? product.slotsOf(0, i, j) : product.slotsOf(batch, firstRow + i, j);
    }
  };
  /// The operands of the instructions: rhs in shared memory, lhs there or, else, in registers.
  struct Inputs {
    tile::MatmulOpInterface op;
    const MatrixProduct &product;
    std::optional<Matrix> lhs;
    Matrix rhs;
    Words lhsWords;
    mlir::Value firstStep; ///< Of the chunk, in instructions along k.
  };
  /// The fragments of one instruction along k: those of the rows of a piece, and of all columns.
  struct Fragments {
    llvm::SmallVector<Words> lefts, rights;
  };
  mlir::Value firstRow(const MatrixProduct &product);
  mlir::Value firstColumn(const MatrixProduct &product);
  Words left(const Inputs &inputs, mlir::Value step, const Piece &piece, int64_t i);
  llvm::SmallVector<Words> rights(const Inputs &inputs, mlir::Value step, const Piece &piece);
  Fragments fragments(const Inputs &inputs, mlir::Value step, const Piece &piece);
  void multiplyRow(const Inputs &inputs, const Words &left, llvm::ArrayRef<Words> rights,
                   const Piece &piece, int64_t i);
  void multiply(const Inputs &inputs, mlir::Value step, const Piece &piece);
  /// Scales of the rows or columns of fragments, by fragment and block along k: for each, two.
  using Scales = llvm::SmallVector<llvm::SmallVector<std::array<BlockScales::Scale, 2>, 2>>;
  Scales scalesOf(const Inputs &inputs, mlir::Value step, const Piece &piece, bool isLhs);
  void scaleAfterwards(const Inputs &inputs, const Fragments &fragments, mlir::Value step,
                       const Piece &piece);
  Words scaleWords(const Inputs &inputs, mlir::Value step, const Piece &piece, bool isLhs);
  void multiplyWithScales(const Inputs &inputs, const Fragments &fragments, mlir::Value step,
                          const Piece &piece);
  void multiplyScaled(const Inputs &inputs, mlir::Value step, const Piece &piece);
  Words sumOfBlock(const MatrixProduct &product, const Words &left, const Words &right,
                   int64_t block);
  void multiplyAhead(const Inputs &inputs, int64_t count, const Piece &piece);
  void multiplySteps(const Inputs &inputs, int64_t count, const Piece &piece);
  void multiplyPieces(const Inputs &inputs, int64_t steps, const Home &sums);
  void copyPiece(const MatrixProduct &product, const Piece &piece, const Home &sums, bool isBack);
  Words multiplyAdd(const MatrixForm &form, mlir::ValueRange lhs, mlir::ValueRange rhs,
                    mlir::ValueRange sums, mlir::ValueRange scales = {});
  void multiplyAdd(const MatrixForm &form, mlir::ValueRange lhs, mlir::ValueRange rhs,
                   const Home &sums, llvm::ArrayRef<int64_t> slots);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  Operands &operands;
  WarpgroupProducts warpgroups;
  BlockScales scales;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_MATRIXPRODUCTS_H
