// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers of an entry's function while it runs a tile block: launch parameters, the program's
// scalars, and the jump targets of the surrounding loops.

#ifndef TILEWRIGHT_CPU_EMIT_FRAME_H
#define TILEWRIGHT_CPU_EMIT_FRAME_H

#include "tilewright/emit/Scalars.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tilewright::cpu {

struct FusionGroup;
struct RowLoop;

/// A loop that is being emitted.
struct LoopFrame {
  mlir::Operation *op;
  mlir::Block *next, *after; ///< The targets of `continue` and `break`.
  mlir::Value tripCount,
      left; ///< Of a `for`: the number of iterations, and of those left including this one.
  /// Of a `for` with register-resident accumulators: its plan, the number of the current block, and
  /// the accumulators at this point (`held`).
  const RowLoop *rows = nullptr;
  mlir::Value block = {};
  llvm::SmallVector<mlir::Value> held = {};
  /// Whether the tiles that its group reads in these iterations are contiguous and inside their
  /// tensors; none if each iteration tests that.
  std::optional<bool> areWhole = std::nullopt;
};

struct Frame {
  mlir::LLVM::LLVMFuncOp function;
  mlir::Value launch, arena; ///< Pointers.
  llvm::SmallVector<mlir::Value, 3> blockId, gridSize;
  mlir::Value blockNumber;
  mlir::Block *blockEnd = nullptr; ///< The target of `return`.
  emit::Scalars scalars;
  llvm::SmallVector<LoopFrame> loops;

  /// The innermost loop, if the group updates its register-resident accumulators; else null.
  LoopFrame *rowLoopOf(const FusionGroup &group);
  mlir::Value scalar(mlir::Value value) const { return scalars.of(value); }
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_FRAME_H
