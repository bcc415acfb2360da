// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the bodies of `reduce` and `scan` as operations on scalars or vectors.

#ifndef TILEWRIGHT_CPU_EMIT_COMBINERBODIES_H
#define TILEWRIGHT_CPU_EMIT_COMBINERBODIES_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/Evaluator.h"
#include "tilewright/cpu/emit/OperationEmitter.h"

namespace tilewright::cpu {

class CombinerBodies : EmitContext {
public:
  explicit CombinerBodies(const EmitContext &context) : EmitContext(context) {}

  /// Fails for a body that cannot be emitted.
  llvm::LogicalResult check(mlir::Operation *op);
  /// The results of a body that was checked.
  llvm::SmallVector<mlir::Value> emit(mlir::Block &body, mlir::ValueRange elements,
                                      mlir::ValueRange accumulators) {
    return emit(body, elements, accumulators, /*areLater=*/false);
  }
  /// The same for elements that come after all elements that have been accumulated.
  llvm::SmallVector<mlir::Value> emitLater(tile::ReduceOp op, mlir::ValueRange elements,
                                           mlir::ValueRange accumulators);

private:
  llvm::SmallVector<mlir::Value> emit(mlir::Block &body, mlir::ValueRange elements,
                                      mlir::ValueRange accumulators, bool areLater);
};

/// The position of an operand's element, given a result's position and the index along `dim`.
Position inserted(Position position, int64_t dim, mlir::Value at);

/// Defines the elements of the results at a position.
void defineAll(Frame &frame, Buffers &buffers, mlir::ValueRange results, const Position &position,
               mlir::ValueRange values);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_COMBINERBODIES_H
