// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is decided about an entry before its loops are emitted: where values live, which operations
// share their loops and how many elements these take at once, how memory is accessed, how elements
// are reduced and scanned, how matmuls and transposes are computed, and what is where in the arena.
// A plan is made once. Emitting, --emit=plan and --remarks only read it.
//
// Three things are still decided where the loops are emitted: what is prefetched and which stores
// are non-temporal, as that needs the steps of addresses, which the emitter computes
// (emit/CacheHints.h, emit/FusionGroups.cpp); how many registers a block of a matmul takes
// (emit/matmul/MatmulProduct.cpp); and how many rows a transpose takes at once
// (emit/Transposes.cpp).

#ifndef TILEWRIGHT_CPU_PLAN_PLAN_H
#define TILEWRIGHT_CPU_PLAN_PLAN_H

#include "tilewright/cpu/plan/Accesses.h"
#include "tilewright/cpu/plan/Arena.h"
#include "tilewright/cpu/plan/Folds.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Matmuls.h"
#include "tilewright/cpu/plan/Networks.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/cpu/plan/RowLoops.h"
#include "tilewright/cpu/plan/Transposes.h"

namespace tilewright::cpu {

/// What a `for` or `loop` carries, whether that is in registers, and whether it may wait for
/// another tile block.
struct LoopPlan {
  mlir::Operation *loop = nullptr;
  unsigned carriedTiles = 0;
  int64_t carriedBytes = 0;
  mlir::Operation *poll = nullptr;            ///< For which it may wait; null: it does not.
  std::optional<RowLoop> rows = std::nullopt; ///< Of a `for` that keeps rows in registers.
};

struct Plan {
  /// The entry must stay as it is for as long as the plan lives.
  Plan(tile::EntryOp entry, const Target &target);
  Plan(const Plan &) = delete;

  /// How a permutation with a buffer is computed, if at once; else null.
  const Transpose *transposeOf(mlir::Operation *op) const;
  /// How an operation reads or writes memory of the kernel.
  const Access &accessOf(mlir::Operation *op) const { return accesses.find(op)->second; }
  /// How a `reduce` or `scan` combines elements.
  const Fold &foldOf(mlir::Operation *op) const { return folds.find(op)->second; }
  const LoopPlan &loopOf(mlir::Operation *op) const;
  const MatmulPlan &matmulOf(mlir::Operation *op) const { return matmuls.find(op)->second; }
  /// The constant that a `for` begins to carry in this argument, if that need not be in its buffer
  /// (MatmulPlan::initialAccumulator, RowLoop::Tile::initial); else null.
  tile::ConstantOp initialConstant(mlir::BlockArgument argument) const;
  /// Whether a block may wait for another one.
  bool mayWait() const;
  bool usesAmx() const;
  /// Whether factors of any product are shared.
  bool sharesFactors() const;

  tile::EntryOp entry;
  OperationOrder order;
  NetworkPlan networks;
  Placements placements;
  GroupPlan groups;
  llvm::DenseMap<mlir::Operation *, Transpose> transposes;
  MatmulPlans matmuls;
  LaunchMemory memory;
  /// Columns of tile blocks that take turns where the launch leaves their order to the kernel; 1:
  /// x goes up first.
  int64_t columnsInTurn = 1;
  std::vector<LoopPlan> loops;
  Accesses accesses;
  Folds folds;
  Arena arena;
};

/// A line per tile value: its placement, its bytes and its operation. Then the fusion groups, a
/// line per inner loop.
void print(const Plan &plan, llvm::raw_ostream &out);

/// Says what has been decided (Remarks.h).
void remarkOn(const Plan &plan);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_PLAN_H
