// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is each matrix product of an entry computed? With which instructions, which of its operands
// are read where they are, for how many iterations of the loop around it at once, and where its
// accumulator comes from and goes to.

#ifndef TILEWRIGHT_CPU_PLAN_MATMULS_H
#define TILEWRIGHT_CPU_PLAN_MATMULS_H

#include "tilewright/cpu/plan/MatmulForm.h"
#include "tilewright/cpu/plan/Scratch.h"
#include "tilewright/cpu/plan/SharedFactors.h"
#include "tilewright/cpu/plan/SumsBlock.h"
#include "tilewright/cpu/plan/ViewRows.h"
#include "llvm/ADT/MapVector.h"

namespace tilewright::cpu {

class GroupPlan;
class OperationOrder;
class Placements;

/// The store of the accumulator that a loop leaves, done by the matmul of the last iteration.
struct FinalStore {
  tile::StoreViewOp store;
  mlir::Value accumulated; ///< The result of the loop.
  /// What the store needs and stands behind the loop, but is not made by it; in an order in which
  /// it can be done before the loop.
  llvm::SmallVector<mlir::Operation *> needs;
};

struct MatmulPlan {
  MatmulForm form;
  SumsBlock sums; ///< What registers hold at a time.
  /// Whether lhs and rhs are read where they are, and not copied into scratch memory.
  bool isInPlace[2] = {false, false};
  /// Those fused with lhs and rhs.
  TileLoads loads[2];
  /// The loads that lhs and rhs are, if their words are read from the tensor where that is
  /// possible: where the launch does not store to the tensor, and the tile lies inside of it in
  /// contiguous rows; of rhs, rows that follow each other and are as long as a block of sums. Else
  /// null.
  tile::LoadViewOp inTensor[2];
  /// Bytes of the copies of lhs and rhs of one iteration; 0 where they are read in place.
  int64_t operandBytes[2] = {0, 0};
  /// Bytes of the corrections per column, which begin where the copies end.
  int64_t correctionBytes = 0;
  /// How many iterations of the loop around it are computed at once: 1 unless nobody reads the
  /// accumulator of a single iteration, and both operands are copied.
  int64_t iterations = 1;
  /// How lhs and rhs are packed once for several tile blocks, if they are.
  std::optional<SharedOperand> shared[2];
  /// The argument of the loop around it that it accumulates in, in the buffer of that; or null.
  mlir::BlockArgument carried;
  /// The constant that `carried` begins as and the first iteration adds to, so that it need not be
  /// in the buffer; null if it has to be there.
  tile::ConstantOp initialAccumulator;
  /// The store to which the accumulator goes from the last iteration of the loop around it: nothing
  /// else reads them, and nothing is done with memory in between.
  std::optional<FinalStore> finalStore;

  /// A part for the copies of lhs, one for those of rhs, and one for the corrections.
  Scratch scratch() const {
    Scratch all;
    all.add(iterations * operandBytes[0]);
    all.add(iterations * operandBytes[1]);
    all.add(correctionBytes);
    return all;
  }
};

/// By operation, in the order of the text.
using MatmulPlans = llvm::MapVector<mlir::Operation *, MatmulPlan>;

MatmulPlans planMatmuls(const OperationOrder &order, const Placements &placements,
                        const GroupPlan &groups, const LaunchMemory &memory, const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_MATMULS_H
