// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which block executes its next operation. In program order, blocks are started in
// ascending order and run to completion; a block that may be waiting for another one, because a
// loop that communicates starts an iteration, yields to the others (memory model, 1). The random
// schedule lets any block take any step that tokens allow: execute its next operation, or perform a
// segment of a pending one. A replayed schedule says which block runs up to which operation.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_SCHEDULER_H
#define TILEWRIGHT_REFERENCE_MACHINE_SCHEDULER_H

#include "tilewright/reference/machine/TileBlock.h"

namespace tilewright::reference {

/// Runs all blocks of the launch to completion, or until one cannot continue.
void runAll(Launch &launch, llvm::ArrayRef<Element> parameters);

// Parallel.cpp

/// Whether the result is independent of the order of the blocks.
bool mayRunInParallel(const Launch &launch);
/// Runs all blocks in program order, on all cores.
void runInParallel(Launch &launch, llvm::ArrayRef<Element> parameters);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_SCHEDULER_H
