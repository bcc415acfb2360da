// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do the operands of products by matrix instructions come into shared memory (plan/Staging.h)?
// Rows there are pieces of 16 bytes, whose places are exchanged from row to row, so that the eight
// rows of a fragment lie in different banks.
//
// In a loop with copies ahead, the turns of a ring are: wait until one's own copies for this
// iteration are done; wait for all threads, so that everybody's are, and nobody reads the stage of
// the iteration before; begin the copies into that stage for a later iteration; multiply.

#ifndef TILEWRIGHT_NVIDIA_EMIT_OPERANDS_H
#define TILEWRIGHT_NVIDIA_EMIT_OPERANDS_H

#include "tilewright/nvidia/emit/OperationEmitter.h"
#include "tilewright/nvidia/emit/Views.h"

namespace tilewright::nvidia {

/// An operand in shared memory, of some steps along k.
struct Matrix {
  static constexpr int64_t pieceBytes = 16;

  mlir::Value tile, base;
  bool isLhs;
  /// Elements of a row follow each other along k; else, of rhs, along n.
  bool isAlongK;
  int64_t rows, rowBytes; ///< Of a batch.
  bool isPaired;          ///< MatrixProduct.h
};

/// Where a loop is: iterations left, this one included (i64), the induction value, and the stage of
/// the ring (i32).
struct Turn {
  mlir::Value left, induction, stage;
};

class Operands {
public:
  Operands(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared, Views &views,
           OperationEmitter &operations)
      : b(b), plan(plan), tiles(tiles), shared(shared), views(views), operations(operations) {}

  /// Before the first iteration: begins the copies for the first ones, if there are so many.
  void fill(tile::ForOp loop, mlir::Value lower, mlir::Value runs, mlir::Value tripCount);
  void begin(tile::ForOp loop, const Turn &turn) { turns[loop] = turn; }
  /// The stage of the next iteration.
  mlir::Value nextStage(tile::ForOp loop);

  /// The window of both operands, so that all threads can read it.
  std::pair<Matrix, Matrix> bring(tile::MatmulOpInterface product, mlir::Value window,
                                  int64_t steps);
  mlir::Value addressIn(const Matrix &matrix, mlir::Value row, mlir::Value byte);

private:
  Matrix matrixOf(tile::MatmulOpInterface product, bool isLhs, mlir::Value base, int64_t steps);
  mlir::Value rowOf(const Matrix &matrix, llvm::ArrayRef<mlir::Value> at);
  void write(const MatrixProduct &product, const Matrix &matrix, mlir::Value window, int64_t steps);
  void copy(const Matrix &matrix, tile::LoadViewOp load);
  void copyAhead(tile::MatmulOpInterface product, mlir::Value stage);
  void copyNext(tile::MatmulOpInterface product, const Pipeline &pipeline);
  void keep(tile::MatmulOpInterface product);
  void inIteration(tile::ForOp loop, mlir::Value induction, llvm::function_ref<void()> body);
  void commit();

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  Views &views;
  OperationEmitter &operations;
  llvm::DenseMap<mlir::Operation *, Turn> turns; ///< Of loops that are being emitted.
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_OPERANDS_H
