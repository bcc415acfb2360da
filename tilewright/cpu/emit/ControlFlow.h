// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers structured control flow to branches. Loops and conditionals may have early exits, so each
// becomes several basic blocks with jumps between them (operations, 5). Values carried in registers
// become block arguments; carried tiles are copied into their buffers before the jump.

#ifndef TILEWRIGHT_CPU_EMIT_CONTROLFLOW_H
#define TILEWRIGHT_CPU_EMIT_CONTROLFLOW_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/FinalStores.h"
#include "tilewright/cpu/emit/HostCalls.h"
#include "tilewright/cpu/emit/Outline.h"
#include "tilewright/cpu/emit/matmul/SharedFactors.h"

namespace tilewright::cpu {

class ControlFlow : EmitContext {
public:
  ControlFlow(const EmitContext &context, Outliner &outliner, FinalStores &finalStores,
              SharedFactors &sharedFactors, HostCalls &host)
      : EmitContext(context), outliner(outliner), finalStores(finalStores),
        sharedFactors(sharedFactors), host(host) {}

  llvm::LogicalResult emit(tile::IfOp op);
  llvm::LogicalResult emit(tile::ForOp op);
  llvm::LogicalResult emit(tile::LoopOp op);
  void emitTerminator(mlir::Operation *op);

private:
  llvm::LogicalResult emitIterations(tile::ForOp op, const LoopFrame &loop, mlir::Block *body);
  llvm::SmallVector<mlir::Value> advance(tile::ForOp op, mlir::Block *body, mlir::Block *next);
  llvm::LogicalResult emitWholeIterations(LoopFrame loop, mlir::Block *first, mlir::Value whole,
                                          mlir::Block *body, mlir::Block *done);
  void emitRowBlocks(const LoopFrame &loop, mlir::Block *begin, mlir::Block *body,
                     llvm::SmallVector<mlir::Value> initial, mlir::Block *done);
  void copyTiles(mlir::ValueRange from, mlir::ValueRange to, mlir::Operation *op);

  Outliner &outliner;
  FinalStores &finalStores;
  SharedFactors &sharedFactors;
  HostCalls &host;
  /// The target of the innermost `if`'s `yield`.
  struct Branch {
    tile::IfOp op;
    mlir::Block *after;
  };
  llvm::SmallVector<Branch> branches;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_CONTROLFLOW_H
