// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the reductions of a fusion group's inner loop, which combine vectors in one or several
// dependence chains. Chains begin with an identity element if all reductions have one, else with
// their first vectors. At the end, chains are combined, and then lanes, in an order that depends
// only on the shape and the number of chains. `maxf` and `minf` combine ranks (Ranks.h).
//
// The values of a chain are those of all reductions in member order, operand by operand.

#ifndef TILEWRIGHT_CPU_EMIT_LOOPREDUCTIONS_H
#define TILEWRIGHT_CPU_EMIT_LOOPREDUCTIONS_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/folds/CombinerBodies.h"
#include "tilewright/cpu/plan/Folds.h"

namespace tilewright::cpu {

struct InnerLoop;

class LoopReductions : EmitContext {
public:
  LoopReductions(const EmitContext &context, CombinerBodies &bodies)
      : EmitContext(context), bodies(bodies) {}

  /// The values that a reduction combines: elements, or their ranks.
  llvm::SmallVector<mlir::Value> toCombine(mlir::Operation *member,
                                           llvm::SmallVector<mlir::Value> elements);
  /// Initial values for each chain; empty unless they are known for all reductions. Otherwise
  /// chains begin with the first vectors, which emits the loop body twice.
  llvm::SmallVector<mlir::Value> neutralElements(const InnerLoop &loop);
  /// Combines the values of a chain, or some of its lanes, with the next vectors, or with other
  /// lanes. `areLater`: each lane's element comes after all elements that its accumulator contains.
  llvm::SmallVector<mlir::Value> combine(const InnerLoop &loop,
                                         llvm::ArrayRef<mlir::Value> elements,
                                         llvm::ArrayRef<mlir::Value> accumulators,
                                         bool areLater = false);
  /// The results, in the same order, from the final values of all chains, concatenated.
  llvm::SmallVector<mlir::Value> resultsOf(const InnerLoop &loop,
                                           llvm::ArrayRef<mlir::Value> chains);

private:
  llvm::SmallVector<mlir::Value> combineLanes(const InnerLoop &loop,
                                              llvm::SmallVector<mlir::Value> values);

  CombinerBodies &bodies;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_LOOPREDUCTIONS_H
