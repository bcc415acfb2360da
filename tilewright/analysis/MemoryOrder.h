// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which a tile block accesses memory, as far as the IR defines it. Tokens order
// accesses (memory model, 4); apart from them, a compiler must not move what other blocks can
// observe.

#ifndef TILEWRIGHT_ANALYSIS_MEMORYORDER_H
#define TILEWRIGHT_ANALYSIS_MEMORYORDER_H

#include "tilewright/tile/Ops.h"

namespace tilewright::analysis {

/// Whether the token (which may be null) depends on the operation through accesses and joins in the
/// same block. Tokens that a loop or an `if` returns are not followed into its body.
bool isOrderedAfter(mlir::Value token, mlir::Operation *earlier);

/// Whether a weak load must not be moved across the operation. This is true of every access except
/// a weak load through a view. Accesses through pointers are barriers because the memory that they
/// access is unknown.
bool isBarrier(mlir::Operation *op);

/// Whether the operation reads memory with an ordering that lets it see writes of other blocks: in
/// a `loop`, it may wait for another block (memory model, 1).
bool seesOtherBlocks(mlir::Operation *op);

/// The first operation with which the loop may wait for another block; null if there is none.
mlir::Operation *firstPollIn(tile::LoopOp loop);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_MEMORYORDER_H
