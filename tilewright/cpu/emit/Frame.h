// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does the function of an entry have in registers while it runs a tile block? What the launch
// tells it, the scalars of the program, and where the jumps of the loops around lead.

#ifndef TILEWRIGHT_CPU_EMIT_FRAME_H
#define TILEWRIGHT_CPU_EMIT_FRAME_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace tilewright::cpu {

struct FusionGroup;
struct RowLoop;

/// A loop of the program that is being emitted.
struct LoopFrame {
  mlir::Operation *op;
  mlir::Block *next, *after;   ///< Where `continue` and `break` go.
  mlir::Value tripCount, left; ///< Of a `for`: all iterations, and those left with this one.
  /// Of a `for` that keeps rows, or parts of them, in registers: which, the number of the block
  /// under way, and what is in these registers at this point.
  const RowLoop *rows = nullptr;
  mlir::Value block = {};
  llvm::SmallVector<mlir::Value> held = {};
  /// Whether the tiles that its group reads in these iterations are contiguous and inside of their
  /// tensors; none if that is tested in each.
  std::optional<bool> areWhole = std::nullopt;
};

struct Frame {
  mlir::LLVM::LLVMFuncOp function;
  mlir::Value launch, arena; ///< Pointers.
  llvm::SmallVector<mlir::Value, 3> blockId, gridSize;
  mlir::Value blockNumber;
  mlir::Block *blockEnd = nullptr; ///< Where `return` goes.
  /// In register form, by value of the program.
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::SmallVector<LoopFrame> loops;

  /// The innermost loop, if the group updates what that keeps in registers; else null.
  LoopFrame *rowLoopOf(const FusionGroup &group);
  mlir::Value scalar(mlir::Value value) const { return scalars.lookup(value); }

  // Scalars that control flow carries travel as arguments of blocks; tiles have buffers, and tokens
  // nothing.
  llvm::SmallVector<mlir::Value> scalarsOf(mlir::ValueRange values) const;
  static llvm::SmallVector<mlir::Type> registerTypesOf(mlir::ValueRange values);
  void bindScalars(mlir::ValueRange values, mlir::Block *block, unsigned skip = 0);
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_FRAME_H
