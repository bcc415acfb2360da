// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All decisions about an entry before its loops are emitted: where values live, loop fusion and
// vector widths, memory accesses, prefetches and non-temporal stores, reductions and scans, matmuls
// and transposes, and offsets in the arena. A plan is constant once it has been made: code
// generation, --emit=plan and --remarks only read it.
//
// What depends on the amount of generated code is left to code generation: which operations are
// called (emit/OperationCalls.h), and which parts of a kernel are outlined (emit/Outline.h).

#ifndef TILEWRIGHT_CPU_PLAN_PLAN_H
#define TILEWRIGHT_CPU_PLAN_PLAN_H

#include "tilewright/cpu/plan/Accesses.h"
#include "tilewright/cpu/plan/Arena.h"
#include "tilewright/cpu/plan/Folds.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Matmuls.h"
#include "tilewright/cpu/plan/Networks.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/cpu/plan/Prefetches.h"
#include "tilewright/cpu/plan/RowLoops.h"
#include "tilewright/cpu/plan/Transposes.h"

namespace tilewright::cpu {

/// What a `for` or `loop` carries, whether it keeps that in registers, and whether it may wait for
/// another tile block.
struct LoopPlan {
  mlir::Operation *loop = nullptr;
  unsigned carriedTiles = 0;
  int64_t carriedBytes = 0;
  mlir::Operation *poll = nullptr;            ///< The access that it polls; null if it never waits.
  std::optional<RowLoop> rows = std::nullopt; ///< Of a `for` with register-resident accumulators.
};

struct Plan {
  /// The entry must not change during the lifetime of the plan.
  Plan(tile::EntryOp entry, const Target &target);
  Plan(const Plan &) = delete;

  /// How a permutation with a buffer is transposed by vector shuffles; null if it is not.
  const Transpose *transposeOf(mlir::Operation *op) const;
  /// How an operation accesses the kernel's memory.
  const Access &accessOf(mlir::Operation *op) const { return accesses.find(op)->second; }
  /// How a `reduce` or `scan` combines elements.
  const Fold &foldOf(mlir::Operation *op) const { return folds.find(op)->second; }
  const LoopPlan &loopOf(mlir::Operation *op) const;
  const GroupPrefetch &prefetchOf(const FusionGroup &group) const;
  const MatmulPlan &matmulOf(mlir::Operation *op) const { return matmuls.find(op)->second; }
  /// The constant initial value of a loop argument whose buffer need not be initialised
  /// (MatmulPlan::initialAccumulator, RowLoop::Tile::initial); else null.
  tile::ConstantOp initialConstant(mlir::BlockArgument argument) const;
  /// Whether a block may wait for another one.
  bool mayWait() const;
  bool usesAmx() const;
  /// Whether any product has a packed-operand cache (SharedFactors.h).
  bool sharesFactors() const;

  tile::EntryOp entry;
  OperationOrder order;
  NetworkPlan networks;
  Placements placements;
  GroupPlan groups;
  /// Elements per vector where a whole tile is computed or copied outside of groups.
  int64_t tileLanes;
  llvm::DenseMap<mlir::Operation *, Transpose> transposes;
  MatmulPlans matmuls;
  LaunchMemory memory;
  /// Rasterization order, where the launch leaves it to the kernel: the number of columns of tile
  /// blocks that are interleaved; 1: x varies fastest.
  int64_t columnsInTurn = 1;
  std::vector<LoopPlan> loops;
  Accesses accesses;
  std::vector<GroupPrefetch> prefetches; ///< In the order of the groups.
  Folds folds;
  Arena arena;
};

/// Prints a line per tile value (placement, bytes, operation), then the fusion groups with a line
/// per inner loop, their prefetches and non-temporal stores; then transposes, register-resident
/// accumulators, matmuls and lane-shuffle programs.
void print(const Plan &plan, llvm::raw_ostream &out);

/// Reports the decisions as remarks (Remarks.h).
void remarkOn(const Plan &plan);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_PLAN_H
