// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do the operands of products by matrix instructions come into shared memory? Threads write
// what they hold; or a load that only a product reads is copied there, and passes through no
// register. In a loop whose loads can be computed from the induction value, copies begin some
// iterations before they are needed: there is room for several of them, one after the other, in a
// ring of stages.

#ifndef TILEWRIGHT_NVIDIA_PLAN_STAGING_H
#define TILEWRIGHT_NVIDIA_PLAN_STAGING_H

#include "tilewright/tile/Ops.h"

#include "llvm/ADT/SmallVector.h"

namespace tilewright::nvidia {

/// Of one operand.
struct StagedOperand {
  static constexpr int64_t alignment = 1024;

  enum Way : uint8_t {
    Written,     ///< By threads, when the product comes.
    Copied,      ///< From memory, when the product comes.
    CopiedAhead, ///< From memory, in an earlier iteration.
    Kept,        ///< Written or copied once, before the loop.
  } way = Written;
  tile::LoadViewOp load = nullptr; ///< What is copied; null: threads write what they hold.
  int64_t bytes = 0;               ///< Of a stage.
  /// In shared memory, of the first stage. What is written or copied when the product comes lies at
  /// the beginning of what exchanges share.
  int64_t offset = 0;

  bool isOfExchange() const { return way == Written || way == Copied; }
};

/// Of a product.
struct Staging {
  /// Rows in shared memory have elements of rhs that follow each other along k, not along n.
  bool isRhsAlongK;
  StagedOperand lhs, rhs;

  bool isWritten() const {
    return lhs.way == StagedOperand::Written && rhs.way == StagedOperand::Written;
  }
  /// Of what exchanges share.
  int64_t exchangedBytes() const {
    return (lhs.isOfExchange() ? lhs.bytes : 0) + (rhs.isOfExchange() ? rhs.bytes : 0);
  }
};

/// Of a loop with copies ahead.
struct Pipeline {
  int64_t stages;
  /// In their order; the copies of each are a group.
  llvm::SmallVector<tile::MatmulOpInterface> products;
  /// Between the induction value and the operands of loads, in their order.
  llvm::SmallVector<mlir::Operation *> indices;

  /// Iterations between a copy and its product.
  int64_t ahead() const { return stages - 1; }
  /// Groups that may still be on their way when a product begins: all that were begun after its
  /// own.
  int64_t laterGroups() const { return ahead() * int64_t(products.size()) - 1; }
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_STAGING_H
