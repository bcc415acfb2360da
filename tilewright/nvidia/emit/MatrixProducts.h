// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are matrices multiplied by matrix instructions (plan/MatrixProduct.h)? Both operands are
// written to shared memory as they are, as many steps along k at a time as fit. Each warp reads the
// fragments that it needs, by `ldmatrix`, and adds to its sums. Rows in shared memory are pieces of
// 16 bytes, whose places are exchanged from row to row, so that the eight rows of a fragment lie in
// different banks.

#ifndef TILEWRIGHT_NVIDIA_EMIT_MATRIXPRODUCTS_H
#define TILEWRIGHT_NVIDIA_EMIT_MATRIXPRODUCTS_H

#include "tilewright/nvidia/emit/SharedMemory.h"

namespace tilewright::nvidia {

class MatrixProducts {
public:
  MatrixProducts(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared)
      : b(b), plan(plan), tiles(tiles), shared(shared) {}

  void emit(tile::MatmulOpInterface op);

private:
  /// One of the operands in shared memory, of `steps` along k.
  struct Matrix {
    mlir::Value tile, base;
    bool isLhs;
    /// Elements of a row follow each other along k; else, of rhs, along n.
    bool isAlongK;
    int64_t rows, rowBytes; ///< Of a batch.
  };
  using Words = llvm::SmallVector<mlir::Value>;

  mlir::Value addressIn(const Matrix &matrix, mlir::Value row, mlir::Value byte);
  void write(const MatrixProduct &product, const Matrix &matrix, mlir::Value window, int64_t steps);
  Words loadFragments(mlir::Value address, bool isTransposed);
  Words fragmentsOfLhs(const MatrixProduct &product, const Matrix &matrix, mlir::Value row,
                       mlir::Value step);
  Words fragmentsOfRhs(const MatrixProduct &product, const Matrix &matrix, mlir::Value row,
                       mlir::Value step);
  void multiply(const MatrixProduct &product, const Matrix &lhs, const Matrix &rhs, int64_t batch,
                mlir::Value step, const Home &sums);
  void multiplyAdd(const MatrixForm &form, mlir::ValueRange lhs, mlir::ValueRange rhs,
                   const Home &sums, int64_t slot);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_MATRIXPRODUCTS_H
