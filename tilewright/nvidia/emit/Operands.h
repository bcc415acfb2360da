// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages operands of matrix instructions in shared memory (plan/staging/Staging.h,
// plan/SharedImage.h).
//
// In a software-pipelined loop, each iteration does this: wait for this thread's copies for the
// iteration; wait at a barrier, so that all threads' copies are complete, and no thread still reads
// the stage of the previous iteration; begin copies into that stage for a later iteration;
// multiply.

#ifndef TILEWRIGHT_NVIDIA_EMIT_OPERANDS_H
#define TILEWRIGHT_NVIDIA_EMIT_OPERANDS_H

#include "tilewright/nvidia/emit/OperationEmitter.h"
#include "tilewright/nvidia/emit/Rings.h"
#include "tilewright/nvidia/emit/Views.h"
#include "tilewright/nvidia/plan/SharedImage.h"

namespace tilewright::nvidia {

/// An operand in shared memory, for some steps along k.
struct Matrix {
  mlir::Value tile, base;
  bool isLhs;
  /// Whether elements of a row are contiguous along k, not along m or n.
  bool isAlongK;
  SharedImage image; ///< Of a batch; those of others follow.
};

/// The state of a loop: iterations left including this one (i64), the induction variable, and the
/// stage of the ring buffer (i32).
struct Turn {
  mlir::Value left, induction, stage;
};

class Operands {
public:
  Operands(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared, Views &views,
           Rings &rings, OperationEmitter &operations)
      : b(b), plan(plan), tiles(tiles), shared(shared), views(views), rings(rings),
        operations(operations) {}

  /// Whether iterations of the loop copy operands for later ones.
  bool copiesAhead(tile::ForOp loop) const {
    return plan.pipelines.contains(loop) && !plan.roles.fills(plan, loop);
  }
  /// Before the first iteration: stages loop-invariant operands, and begins the copies for the
  /// first iterations, as far as they exist.
  void fill(tile::ForOp loop, mlir::Value lower, mlir::Value runs, mlir::Value tripCount);
  void begin(tile::ForOp loop, const Turn &turn) { turns[loop] = turn; }
  /// The stage of the next iteration.
  mlir::Value nextStage(tile::ForOp loop);

  /// Makes a chunk (`window`) of both operands readable for all threads; lhs is none if it is not
  /// in shared memory. Waits for a ring only if the condition holds; null means true.
  std::pair<std::optional<Matrix>, Matrix> bring(tile::MatmulOpInterface product,
                                                 mlir::Value window, int64_t steps,
                                                 mlir::Value condition = {});
  /// The same for a product that the multiplier computes: the consumers write what does not come
  /// through the ring, and arrive at an mbarrier afterwards; the multiplier waits for the ring.
  void give(tile::MatmulOpInterface product);
  std::pair<std::optional<Matrix>, Matrix> take(tile::MatmulOpInterface product);
  /// The operands of the product are no longer read.
  void release(tile::MatmulOpInterface product) {
    if (plan.roles.ringOf(product))
      rings.release(product);
  }
  mlir::Value addressIn(const Matrix &matrix, mlir::Value row, mlir::Value byte);

private:
  struct Placed {
    std::optional<Matrix> lhs;
    Matrix rhs;
    int64_t exchanged;
  };
  Placed place(tile::MatmulOpInterface product, mlir::Value stage, int64_t steps);
  bool fillExchanged(tile::MatmulOpInterface product, const Placed &placed, mlir::Value window,
                     int64_t steps);
  Matrix matrixOf(tile::MatmulOpInterface product, bool isLhs, mlir::Value base, int64_t steps);
  mlir::Value rowOf(const Matrix &matrix, llvm::ArrayRef<mlir::Value> at);
  void write(const MatrixProduct &product, const Matrix &matrix, mlir::Value window, int64_t steps);
  llvm::SmallVector<mlir::Value> coordinatesInCta(const MatrixProduct &product,
                                                  const Matrix &matrix, mlir::Value index);
  void copy(const MatrixProduct &product, const Matrix &matrix, tile::LoadViewOp load);
  void copyAhead(tile::MatmulOpInterface product, mlir::Value stage);
  void copyNext(tile::MatmulOpInterface product, const Pipeline &pipeline);
  void keep(tile::MatmulOpInterface product);
  void keepAll(const Pipeline &pipeline, mlir::Value runs);
  bool keepsAny(const Pipeline &pipeline) const;
  void inIteration(tile::ForOp loop, mlir::Value induction, llvm::function_ref<void()> body);
  void commit();

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  Views &views;
  Rings &rings;
  OperationEmitter &operations;
  llvm::DenseMap<mlir::Operation *, Turn> turns; ///< Of loops that are being emitted.
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_OPERANDS_H
