// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is an element of a tile? `evaluate` answers for any tile and position: it reads the tile's
// buffer, or computes the operation that makes it from its operands at the positions that it
// needs. What was computed at the same position of the same loop body is taken from the value
// cache.

#ifndef TILEWRIGHT_CPU_EMIT_EVALUATOR_H
#define TILEWRIGHT_CPU_EMIT_EVALUATOR_H

#include "tilewright/cpu/emit/Buffers.h"
#include "tilewright/cpu/emit/OperationCalls.h"
#include <functional>

namespace tilewright::cpu {

class Evaluator {
public:
  /// Reads a fused load at a position.
  using ReadLoad = std::function<mlir::Value(mlir::Operation *, const Position &)>;

  Evaluator(LoopBuilder &b, ValueCache &cache, OperationCalls &calls, const Placements &placements,
            const Frame &frame, Buffers &buffers, ReadLoad readLoad)
      : b(b), cache(cache), calls(calls), placements(placements), frame(frame), buffers(buffers),
        readLoad(std::move(readLoad)) {}

  /// The elements at the position, in register form.
  mlir::Value evaluate(mlir::Value tile, const Position &position);
  llvm::SmallVector<mlir::Value> evaluateAll(mlir::ValueRange tiles, const Position &position);
  /// The elements of the operation's result, computed even if they are in a buffer.
  mlir::Value evaluateOp(mlir::Operation *op, const Position &position);
  /// Computes a tile into words at `base`.
  void materialize(mlir::Value tile, mlir::Value base);

private:
  mlir::Value evaluateIota(tile::IotaOp op, const Position &position);
  mlir::Value evaluateExtract(tile::ExtractOp op, const Position &position);
  mlir::Value evaluateMoved(tile::RearrangementOpInterface op, const Position &position);

  LoopBuilder &b;
  ValueCache &cache;
  OperationCalls &calls;
  const Placements &placements;
  const Frame &frame;
  Buffers &buffers;
  ReadLoad readLoad;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_EVALUATOR_H
