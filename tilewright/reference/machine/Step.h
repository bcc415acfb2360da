// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a tile block go on? It executes its next operation. An operation on memory is
// performed at once, or, if the schedule delays memory operations, is left behind: it is then
// performed a segment at a time, at the latest when its result is used.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_STEP_H
#define TILEWRIGHT_REFERENCE_MACHINE_STEP_H

#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/reference/memory/MemoryOperation.h"

namespace tilewright::reference {

/// Executes the next operation. Failure: the launch cannot go on.
LogicalResult step(TileBlock &block);

/// Performs the operation now, or leaves it to the schedule to do so. `result` may be null.
LogicalResult issue(TileBlock &block, MemoryOperation operation, mlir::Value result,
                    mlir::Value token);
/// Performs the next segment of a pending operation; what it waits for must be done.
void performSome(TileBlock &block, SharedOperation operation);
/// Performs what the token waits for; the token then waits for nothing.
void settle(TileBlock &block, Token &token);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_STEP_H
