// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do the reductions of an inner loop of a fusion group combine vectors? In one or several
// chains, each of which begins with a neutral element if all of them have one, else with its first
// vectors. In the end the chains are combined, and then the lanes: an order that depends on the
// shape and the number of chains alone. `maxf` and `minf` combine ranks (Ranks.h).
//
// All values of a chain are those of the reductions in the order of the loop's members, for each an
// operand after the other.

#ifndef TILEWRIGHT_CPU_EMIT_LOOPREDUCTIONS_H
#define TILEWRIGHT_CPU_EMIT_LOOPREDUCTIONS_H

#include "tilewright/cpu/emit/folds/CombinerBodies.h"
#include "tilewright/cpu/plan/Folds.h"

namespace tilewright::cpu {

struct InnerLoop;

class LoopReductions {
public:
  LoopReductions(LoopBuilder &b, const Target &target, const Folds &folds, CombinerBodies &bodies)
      : b(b), target(target), folds(folds), bodies(bodies) {}

  /// What a member gives its reduction to combine: elements, or their ranks.
  llvm::SmallVector<mlir::Value> toCombine(mlir::Operation *member,
                                           llvm::SmallVector<mlir::Value> elements);
  /// What each chain may begin with; nothing, unless that is known of all reductions. If not,
  /// chains begin with the first vectors, which takes the code of the loop twice.
  llvm::SmallVector<mlir::Value> neutralElements(const InnerLoop &loop);
  /// What a chain, or some lanes of it, has combined with the next vectors, or with other lanes.
  /// `areLater`: each lane's element stands behind all that its accumulator was made of.
  llvm::SmallVector<mlir::Value> combine(const InnerLoop &loop,
                                         llvm::ArrayRef<mlir::Value> elements,
                                         llvm::ArrayRef<mlir::Value> accumulators,
                                         bool areLater = false);
  /// The results, in that order, of what all chains have come to, one behind the other.
  llvm::SmallVector<mlir::Value> resultsOf(const InnerLoop &loop,
                                           llvm::ArrayRef<mlir::Value> chains);

private:
  llvm::SmallVector<mlir::Value> combineLanes(const InnerLoop &loop,
                                              llvm::SmallVector<mlir::Value> values);

  LoopBuilder &b;
  const Target &target;
  const Folds &folds;
  CombinerBodies &bodies;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_LOOPREDUCTIONS_H
