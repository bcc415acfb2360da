// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loop is an operation in, and where do its jumps go? (operations, 5)

#ifndef TILEWRIGHT_TILE_LOOPS_H
#define TILEWRIGHT_TILE_LOOPS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// A `for` or a `loop`: its iterations run one after the other and carry values.
inline bool isLoop(mlir::Operation *op) { return llvm::isa_and_present<ForOp, LoopOp>(op); }

/// A `reduce` or `scan`: its body runs many times too (LoopLikeOpInterface), but in no order that
/// operations outside could tell, and carries nothing.
inline bool isAggregate(mlir::Operation *op) { return llvm::isa_and_present<ReduceOp, ScanOp>(op); }

/// The operation around this one and around the `if`s that it is in: of a `break` or `continue`
/// the loop that it is for, of a `return` the entry. Null at the top.
mlir::Operation *enclosingNonIf(mlir::Operation *op);

/// Whether a `break` or `continue` inside of an `if` may end an iteration of the loop, before the
/// end of its body.
bool hasInnerJumps(mlir::Operation *loop);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_LOOPS_H
