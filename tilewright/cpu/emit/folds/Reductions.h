// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are elements along a dimension reduced? Where the order does not matter, `reduce` goes
// through them one after the other, the result so far in a register, or is a member of a fusion
// group (FusionGroups.h). Where it does, neighbours are combined first, as on the reference
// machine. Lanes are along another dimension where there is one, so that each lane has a result of
// its own. The specification allows these orders (operations, 4.11); they depend on nothing but the
// shape.

#ifndef TILEWRIGHT_CPU_EMIT_REDUCTIONS_H
#define TILEWRIGHT_CPU_EMIT_REDUCTIONS_H

#include "tilewright/cpu/emit/folds/CombinerBodies.h"
#include "tilewright/cpu/plan/Folds.h"

namespace tilewright::cpu {

class Reductions {
public:
  Reductions(LoopBuilder &b, ValueCache &cache, Frame &frame, Buffers &buffers,
             Evaluator &evaluator, CombinerBodies &bodies)
      : b(b), cache(cache), frame(frame), buffers(buffers), evaluator(evaluator), bodies(bodies) {}

  /// A reduction that is no member of a fusion group.
  void emit(tile::ReduceOp op, const Fold &fold);

private:
  llvm::SmallVector<mlir::Value> reduceInOrder(tile::ReduceOp op, Position position);
  llvm::SmallVector<mlir::Value> reduceByTree(tile::ReduceOp op, Position position);

  LoopBuilder &b;
  ValueCache &cache;
  Frame &frame;
  Buffers &buffers;
  Evaluator &evaluator;
  CombinerBodies &bodies;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_REDUCTIONS_H
