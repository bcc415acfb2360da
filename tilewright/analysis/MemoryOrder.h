// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order does a tile block access memory, as far as the IR says? Tokens order accesses
// (memory model, 4); what else a compiler may not move is what other blocks may see.

#ifndef TILEWRIGHT_ANALYSIS_MEMORYORDER_H
#define TILEWRIGHT_ANALYSIS_MEMORYORDER_H

#include "tilewright/tile/Ops.h"

namespace tilewright::analysis {

/// Whether the token (which may be null) leads back to the operation, through accesses and joins
/// of the straight line: tokens that a loop or an `if` returns are not followed into it.
bool isOrderedAfter(mlir::Value token, mlir::Operation *earlier);

/// Whether a weak load may not be moved over the operation: every access but a weak load through
/// a view. Those through pointers count because nothing says which memory they reach.
bool isBarrier(mlir::Operation *op);

/// Whether it reads memory in an order in which it sees what another block writes: in a `loop`,
/// it may wait for that block (memory model, 1).
bool seesOtherBlocks(mlir::Operation *op);

/// The first operation in the loop for which it may wait for another block; null if there is none.
mlir::Operation *firstPollIn(tile::LoopOp loop);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_MEMORYORDER_H
