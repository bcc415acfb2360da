// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the elements of a tile at a position. `evaluate` works for any tile and position: it reads
// the tile's buffer, or emits the defining operation, and recursively its operands, at the required
// positions. The value cache returns elements that were computed at the same position of the same
// loop body.

#ifndef TILEWRIGHT_CPU_EMIT_EVALUATOR_H
#define TILEWRIGHT_CPU_EMIT_EVALUATOR_H

#include "tilewright/cpu/emit/Buffers.h"
#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/OperationCalls.h"
#include <functional>

namespace tilewright::cpu {

class Evaluator : EmitContext {
public:
  /// Emits a fused load at a position.
  using ReadLoad = std::function<mlir::Value(mlir::Operation *, const Position &)>;

  Evaluator(const EmitContext &context, ReadLoad readLoad)
      : EmitContext(context), readLoad(std::move(readLoad)) {}

  /// The elements at the position, in register form.
  mlir::Value evaluate(mlir::Value tile, const Position &position);
  llvm::SmallVector<mlir::Value> evaluateAll(mlir::ValueRange tiles, const Position &position);
  /// The elements of the operation's result; computes them even if they are in a buffer.
  mlir::Value evaluateOp(mlir::Operation *op, const Position &position);
  /// Calls `body` for all positions of a tile, in loops over vectors of a few elements.
  void forEach(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(const Position &)> body);
  /// Writes all elements of a tile to memory at `base`.
  void materialize(mlir::Value tile, mlir::Value base);

private:
  mlir::Value evaluateIota(tile::IotaOp op, const Position &position);
  mlir::Value evaluateExtract(tile::ExtractOp op, const Position &position);
  mlir::Value evaluateMoved(tile::RearrangementOpInterface op, const Position &position);

  ReadLoad readLoad;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_EVALUATOR_H
