// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits reductions along a dimension. If the order is free, `reduce` combines elements one after
// the other with the accumulator in a register, or is a member of a fusion group (FusionGroups.h).
// Otherwise it combines neighbours first, as the reference machine does. If there is another
// dimension, lanes lie along it, so that each lane computes a result of its own. The specification
// allows these orders (operations, 4.11), which are fixed at compile time (plan/Folds.h).

#ifndef TILEWRIGHT_CPU_EMIT_REDUCTIONS_H
#define TILEWRIGHT_CPU_EMIT_REDUCTIONS_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/folds/CombinerBodies.h"
#include "tilewright/cpu/plan/Folds.h"

namespace tilewright::cpu {

class Reductions : EmitContext {
public:
  Reductions(const EmitContext &context, CombinerBodies &bodies)
      : EmitContext(context), bodies(bodies) {}

  /// Emits a reduction outside of fusion groups.
  void emit(tile::ReduceOp op, const Fold &fold);

private:
  llvm::SmallVector<mlir::Value> reduceInOrder(tile::ReduceOp op, Position position);
  llvm::SmallVector<mlir::Value> reduceByTree(tile::ReduceOp op, Position position);

  CombinerBodies &bodies;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_REDUCTIONS_H
