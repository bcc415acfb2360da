// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how operands of matrix instructions get into shared memory. Either threads write the
// elements that they hold; or, if only the product reads a load, its data is copied to shared
// memory asynchronously, without passing through registers. Loops in which the load's indices
// depend only on the induction variable are software-pipelined: copies begin some iterations ahead,
// into a ring buffer of pipeline stages.

#ifndef TILEWRIGHT_NVIDIA_PLAN_STAGING_STAGING_H
#define TILEWRIGHT_NVIDIA_PLAN_STAGING_STAGING_H

#include "tilewright/nvidia/plan/MatrixProduct.h"
#include "tilewright/nvidia/plan/SharedImage.h"
#include "tilewright/tile/Ops.h"

#include "llvm/ADT/SmallVector.h"

namespace tilewright::nvidia {

/// How one operand is staged.
struct StagedOperand {
  static constexpr int64_t alignment = 1024;

  enum Way : uint8_t {
    Written,      ///< Written by threads, immediately before the product.
    Copied,       ///< Copied from memory, immediately before the product.
    CopiedAhead,  ///< Prefetched asynchronously from memory, in an earlier iteration.
    WrittenAhead, ///< Written by the consumers into a pipeline stage, ahead of the multiplier.
    Kept,         ///< Loop-invariant: written or copied once, before the loop.
    InRegisters,  ///< Not in shared memory: instructions take lhs from the registers that hold it.
    /// Not in shared memory: the consumers store lhs to tensor memory, immediately before the
    /// product.
    InTensorMemory,
  } way = Written;
  tile::LoadViewOp load = nullptr; ///< The load whose data is copied; null: threads write it.
  int64_t bytes = 0;               ///< Bytes per stage.
  /// The offset of the first stage in shared memory. Operands that are written or copied
  /// immediately before the product are at the beginning of the memory of exchanges.
  int64_t offset = 0;

  bool isOfExchange() const { return way == Written || way == Copied; }
  bool isInShared() const { return way != InRegisters && way != InTensorMemory; }
};

/// How the operands of a product are staged.
struct Staging {
  /// Whether the rows in shared memory are contiguous along k, not along m or n.
  bool isLhsAlongK, isRhsAlongK;
  StagedOperand lhs, rhs;
  /// The scales of a product by `tcgen05.mma` (TensorScales.h); others have no bytes here.
  StagedOperand lhsScales, rhsScales;
  /// Other scales are written behind the operands in the memory of exchanges.
  int64_t scaleBytes = 0;
  /// Whether fragments are loaded while those of the previous steps along k are multiplied.
  bool loadsFragmentsAhead = false;

  bool isAlongK(bool isLhs) const { return isLhs ? isLhsAlongK : isRhsAlongK; }
  const StagedOperand &scales(bool isLhs) const { return isLhs ? lhsScales : rhsScales; }
  /// Of an operand of the operation, which is not its accumulator.
  static constexpr unsigned accumulator = 2;
  const StagedOperand &operandOf(unsigned number) const {
    return number > accumulator ? scales(number == accumulator + 1) : (number == 0 ? lhs : rhs);
  }
  /// Whether consumers write a part of each pipeline stage.
  bool isWrittenAhead() const {
    return lhsScales.way == StagedOperand::WrittenAhead ||
           rhsScales.way == StagedOperand::WrittenAhead;
  }

  bool isWritten() const {
    return lhs.way == StagedOperand::Written && rhs.way == StagedOperand::Written;
  }
  /// Bytes in the memory of exchanges.
  int64_t exchangedBytes() const {
    return scaleBytes + (lhs.isOfExchange() ? lhs.bytes : 0) + (rhs.isOfExchange() ? rhs.bytes : 0);
  }
};

/// How an operand lies in shared memory, with these steps along k.
SharedImage imageOf(const MatrixProduct &product, bool isLhs, bool isAlongK, int64_t steps);

/// A software-pipelined loop.
struct Pipeline {
  int64_t stages;
  /// In program order; the copies of each form a group.
  llvm::SmallVector<tile::MatmulOpInterface> products;
  /// The operations that compute the loads' operands from the induction variable, in program order.
  llvm::SmallVector<mlir::Operation *> indices;

  /// Iterations between a copy and its product.
  int64_t ahead() const { return stages - 1; }
  /// Groups that may still be in flight when a product begins: those committed after its own.
  int64_t laterGroups() const { return ahead() * int64_t(products.size()) - 1; }
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_STAGING_STAGING_H
