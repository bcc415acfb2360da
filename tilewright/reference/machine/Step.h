// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes the next operation of a tile block. A memory operation is performed at once, or, if the
// schedule delays memory operations, becomes pending: it is then performed one segment at a time,
// and at the latest when its result is used.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_STEP_H
#define TILEWRIGHT_REFERENCE_MACHINE_STEP_H

#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/reference/memory/MemoryOperation.h"

namespace tilewright::reference {

/// Executes the next operation. Fails if the launch cannot continue.
LogicalResult step(TileBlock &block);

/// Performs the operation, or makes it pending if the schedule delays memory. `result` may be null.
LogicalResult issue(TileBlock &block, MemoryOperation operation, mlir::Value result,
                    mlir::Value token);
/// Performs the next segment of a pending operation, whose predecessors must be done.
void performSegment(TileBlock &block, SharedOperation operation);
/// Performs the operations that the token waits for; afterwards it waits for none.
void awaitToken(TileBlock &block, Token &token);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_STEP_H
