// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans each matrix product: its instructions, which operands are packed, how many iterations of
// the surrounding loop are computed at once, and where its accumulator is read and written.

#ifndef TILEWRIGHT_CPU_PLAN_MATMULS_H
#define TILEWRIGHT_CPU_PLAN_MATMULS_H

#include "tilewright/cpu/plan/MatmulForm.h"
#include "tilewright/cpu/plan/Prefetches.h"
#include "tilewright/cpu/plan/Scratch.h"
#include "tilewright/cpu/plan/SharedFactors.h"
#include "tilewright/cpu/plan/SumsBlock.h"

namespace tilewright::cpu {

class GroupPlan;
class OperationOrder;
class Placements;

/// A store of a loop's final accumulator that the matmul of the last iteration performs.
struct FinalStore {
  tile::StoreViewOp store;
  mlir::Value accumulated; ///< The result of the loop.
  /// Operations after the loop that the store depends on, but that do not depend on the loop; in an
  /// order in which they can run before it.
  llvm::SmallVector<mlir::Operation *> needs;
};

/// Why the data of an operand's next iteration is prefetched while products are accumulated, when
/// the memory bus is idle, or not.
enum class OperandPrefetchReason : uint8_t {
  InPlace,      ///< Not: the operand is read in place.
  AmxTiles,     ///< Not: the product takes AMX tiles.
  FewColumns,   ///< Not: it is read in its tensor where possible, for hardly more products than
                ///< lines.
  UnknownTiles, ///< Not: the next tiles are unknown or the same, or there are none.
  NextTiles,    ///< The next tiles, or the next packed words if these are cached.
  UnlessCached, ///< The next tiles, unless packed words are cached: there are few columns.
};

struct OperandPrefetch {
  OperandPrefetchReason reason = OperandPrefetchReason::InPlace;
  llvm::SmallVector<NextTile, 1> tiles;
};

struct MatmulPlan {
  MatmulForm form;
  SumsBlock sums; ///< The block of accumulators that registers hold at a time.
  llvm::SmallVector<RowBlocks, 2> rowBlocks; ///< All blocks of a panel.
  /// Whether lhs and rhs are read in place, without packing.
  bool isInPlace[2] = {false, false};
  /// The loads fused into lhs and rhs.
  TileLoads loads[2];
  /// The loads that define lhs and rhs, if these are read directly from the tensor where possible:
  /// if the launch does not store to the tensor, and the tile lies inside it in contiguous rows;
  /// for rhs, also if rows are consecutive and as long as a block of accumulators. Else null.
  tile::LoadViewOp inTensor[2];
  /// The next tiles of these loads, if they are known. If several iterations are computed at once,
  /// they must follow the current ones.
  std::optional<NextTile> nextInTensor[2];
  /// Elements of lhs that are packed at a time.
  int64_t packedElements = 1;
  /// What is prefetched for lhs and rhs.
  OperandPrefetch prefetch[2];
  /// Bytes of packed lhs and rhs per iteration; 0 if read in place.
  int64_t operandBytes[2] = {0, 0};
  /// Bytes of the corrections per column, which follow the packed operands.
  int64_t correctionBytes = 0;
  /// Iterations of the surrounding loop that are computed at once. More than 1 only if nothing
  /// reads the accumulator of a single iteration, and both operands are packed.
  int64_t iterations = 1;
  /// How lhs and rhs are packed once for several tile blocks, if they are.
  std::optional<SharedOperand> shared[2];
  /// The loop argument in whose buffer the product accumulates; or null.
  mlir::BlockArgument carried;
  /// The constant initial value of `carried`, which the first iteration adds directly, so that the
  /// buffer need not be initialised; null if it must be.
  tile::ConstantOp initialAccumulator;
  /// The store that the product of the last iteration performs on its accumulators: nothing else
  /// reads these, and memory is not accessed in between.
  std::optional<FinalStore> finalStore;

  /// Three parts: packed lhs, packed rhs, corrections.
  Scratch scratch() const {
    Scratch all;
    all.add(iterations * operandBytes[0]);
    all.add(iterations * operandBytes[1]);
    all.add(correctionBytes);
    return all;
  }
};

/// By operation, in program order.
using MatmulPlans = llvm::MapVector<mlir::Operation *, MatmulPlan>;

MatmulPlans planMatmuls(const OperationOrder &order, const Placements &placements,
                        const GroupPlan &groups, const LaunchMemory &memory, const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_MATMULS_H
