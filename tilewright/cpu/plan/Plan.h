// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is decided about an entry before its loops are emitted: where values live, which operations
// share their loops, how matmuls and transposes are computed, and what is where in memory. A plan
// is made once. Emitting, --emit=plan and --remarks only read it. What depends on the vectors of a
// loop is decided where the loop is emitted: how many lanes it has, whether they are loaded and
// stored together or one by one, and how they are reduced and scanned.

#ifndef TILEWRIGHT_CPU_PLAN_PLAN_H
#define TILEWRIGHT_CPU_PLAN_PLAN_H

#include "tilewright/cpu/plan/Arena.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Matmuls.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/cpu/plan/Transposes.h"

namespace tilewright::cpu {

/// What a `for` or `loop` carries, and whether it may wait for another tile block.
struct LoopPlan {
  mlir::Operation *loop = nullptr;
  unsigned carriedTiles = 0;
  int64_t carriedBytes = 0;
  mlir::Operation *poll = nullptr; ///< For which it may wait; null: it does not.
};

struct Plan {
  /// The entry must stay as it is for as long as the plan lives.
  Plan(tile::EntryOp entry, const Target &target);
  Plan(const Plan &) = delete;

  /// How a permutation with a buffer is computed, if at once; else null.
  const Transpose *transposeOf(mlir::Operation *op) const;
  const MatmulPlan &matmulOf(mlir::Operation *op) const { return matmuls.find(op)->second; }
  /// The constant that a `for` begins to carry in this argument, if that need not be in its buffer
  /// (MatmulPlan::initialAccumulator); else null.
  tile::ConstantOp initialAccumulator(mlir::Value argument) const;
  /// Whether a block may wait for another one.
  bool mayWait() const;
  bool usesAmx() const;

  tile::EntryOp entry;
  OperationOrder order;
  Placements placements;
  GroupPlan groups;
  llvm::DenseMap<mlir::Operation *, Transpose> transposes;
  MatmulPlans matmuls;
  std::vector<LoopPlan> loops;
  Arena arena;
};

/// A line per tile value: its placement, its bytes and its operation. Then the fusion groups, a
/// line per inner loop.
void print(const Plan &plan, llvm::raw_ostream &out);

/// Says what has been decided (Remarks.h).
void remarkOn(const Plan &plan);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_PLAN_H
