// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are elements combined along a dimension? A reduction is a tree over contiguous halves:
// neighbours with each other, the earlier one as accumulator, then the results of those, and so
// on, as the reference machine does it. A scan is a left fold, of each row by one thread, in shared
// memory. The body is any computation with scalars.

#ifndef TILEWRIGHT_NVIDIA_EMIT_AGGREGATES_H
#define TILEWRIGHT_NVIDIA_EMIT_AGGREGATES_H

#include "tilewright/nvidia/emit/OperationEmitter.h"
#include "tilewright/nvidia/emit/SharedMemory.h"

namespace tilewright::nvidia {

class Aggregates {
public:
  Aggregates(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared,
             OperationEmitter &operations)
      : b(b), plan(plan), tiles(tiles), shared(shared), operations(operations) {}

  llvm::LogicalResult emit(tile::ReduceOp op);
  llvm::LogicalResult emit(tile::ScanOp op);

private:
  /// The operands' common shape around the dimension: `extent` elements that are `run` apart.
  struct Row {
    int64_t extent, run;
  };

  llvm::LogicalResult checkBody(mlir::Operation *op);
  llvm::SmallVector<mlir::Value> combine(mlir::Block &body, mlir::ValueRange elements,
                                         mlir::ValueRange accumulators);
  void halve(mlir::Block &body, llvm::SmallVectorImpl<Home> &level, int64_t elements, Row row,
             int64_t bytes);
  void scanWindow(tile::ScanOp op, mlir::Value window, int64_t size,
                  llvm::ArrayRef<mlir::Value> bases, llvm::ArrayRef<Home> carried);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  OperationEmitter &operations;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_AGGREGATES_H
