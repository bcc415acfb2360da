// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop around an operation, and the targets of jumps (operations, 5).

#ifndef TILEWRIGHT_TILE_LOOPS_H
#define TILEWRIGHT_TILE_LOOPS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// A `for` or a `loop`: its iterations run one after the other and carry values.
inline bool isLoop(mlir::Operation *op) { return llvm::isa_and_present<ForOp, LoopOp>(op); }

/// A `reduce` or `scan`: its body runs many times too (LoopLikeOpInterface), but in no order that
/// is observable from outside, and carries no values.
inline bool isAggregate(mlir::Operation *op) { return llvm::isa_and_present<ReduceOp, ScanOp>(op); }

/// The innermost operation around this one that is not an `if`: for a `break` or `continue` the
/// loop that it belongs to, for a `return` the entry. Null at the top level.
mlir::Operation *enclosingNonIf(mlir::Operation *op);

/// The initial values of a loop.
mlir::ValueRange initValuesOf(mlir::Operation *loop);

/// The jumps that begin the next iteration of a loop, and those that leave it.
llvm::SmallVector<mlir::Operation *> continuesOf(mlir::Operation *loop);
llvm::SmallVector<mlir::Operation *> breaksOf(mlir::Operation *loop);

/// Whether a `break` or `continue` in an `if` may end an iteration of the loop before the end of
/// its body.
bool hasInnerJumps(mlir::Operation *loop);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_LOOPS_H
