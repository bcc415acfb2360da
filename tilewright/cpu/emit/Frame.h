// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers of an entry's function while it runs a tile block: launch parameters, the program's
// scalars, and the jump targets of the surrounding loops.

#ifndef TILEWRIGHT_CPU_EMIT_FRAME_H
#define TILEWRIGHT_CPU_EMIT_FRAME_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"

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
  /// Register forms of the program's scalars.
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::SmallVector<LoopFrame> loops;

  /// The innermost loop, if the group updates its register-resident accumulators; else null.
  LoopFrame *rowLoopOf(const FusionGroup &group);
  mlir::Value scalar(mlir::Value value) const { return scalars.lookup(value); }

  // The scalars among carried values, which become block arguments; tiles have buffers, and tokens
  // need nothing.
  llvm::SmallVector<mlir::Value> scalarsOf(mlir::ValueRange values) const;
  static llvm::SmallVector<mlir::Type> registerTypesOf(mlir::ValueRange values);
  void bindScalars(mlir::ValueRange values, mlir::Block *block, unsigned skip = 0);
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_FRAME_H
