// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits reductions and scans along a dimension. A reduction is a tree of pairs with the earlier
// element as accumulator: pairs within a thread, of two lanes of a warp by a shuffle, and of warps
// through shared memory (plan/PlanReductions.cpp). All threads of a pair compute the same. A scan
// is a left fold: one thread scans each row in shared memory. The body may be any computation on
// scalars.

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

  void emit(tile::ReduceOp op);
  void emit(tile::ScanOp op);

private:
  llvm::SmallVector<mlir::Value> combine(mlir::Block &body, mlir::ValueRange elements,
                                         mlir::ValueRange accumulators);
  /// The partial results of a step, for each operand.
  using Level = llvm::SmallVector<Home>;

  Level newLevel(const Level &like, const TileLayout &layout);
  void combineInThread(mlir::Block &body, Level &level, const ReductionStep &step);
  void combineLanes(mlir::Block &body, Level &level, const ReductionStep &step);
  void combineWarps(mlir::Block &body, Level &level, const ReductionStep &step, int64_t bytes);
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
