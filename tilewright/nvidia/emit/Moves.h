// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits operations that create and rearrange tiles. Elements that stay in their thread are copied;
// all others go through shared memory.

#ifndef TILEWRIGHT_NVIDIA_EMIT_MOVES_H
#define TILEWRIGHT_NVIDIA_EMIT_MOVES_H

#include "tilewright/nvidia/emit/SharedMemory.h"

namespace tilewright::nvidia {

class Moves {
public:
  Moves(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared)
      : b(b), plan(plan), tiles(tiles), shared(shared) {}

  void emit(tile::ConstantOp op);
  void emit(tile::RearrangementOpInterface op);
  void emit(tile::CatOp op);
  void emit(tile::InsertOp op);
  void emit(tile::PackOp op);
  void emit(tile::UnpackOp op);
  /// Elementwise operations (tile::ElementwiseOpInterface) or assumptions whose results have the
  /// same layout, element by element. If the layout is in registers, calls `before` with the number
  /// of each register before its element is computed.
  void emitElements(
      llvm::ArrayRef<mlir::Operation *> ops,
      llvm::function_ref<void(int64_t)> before = [](int64_t) {});

private:
  void emitAssumption(tile::AssumeOp op);
  void emitElement(mlir::Operation *op, const Own &own);
  void emitLiterals(tile::ConstantOp op);
  /// The shared memory that an exchange may use; one of private tiles uses none.
  int64_t bytesOf(mlir::Operation *op) const {
    const Exchange *exchange = plan.exchangeOf(op);
    return exchange ? exchange->bytes : 0;
  }

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_MOVES_H
