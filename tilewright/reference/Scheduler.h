// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which block executes what next? In program order, blocks are started in ascending order
// and run to their end; one that seems to wait for another, because a loop that communicates
// starts again, lets the others run meanwhile (memory model, 1). At random, any block may
// take any step that tokens allow: execute its next operation, or perform a few elements of
// an operation that it has left behind.

#ifndef TILEWRIGHT_REFERENCE_SCHEDULER_H
#define TILEWRIGHT_REFERENCE_SCHEDULER_H

#include "tilewright/reference/TileBlock.h"

namespace tilewright::reference {

/// Runs all blocks of the launch to their ends, or until one cannot go on.
void runAll(Launch &launch, llvm::ArrayRef<Element> parameters);

// Parallel.cpp

/// Can nobody tell in which order the blocks run?
bool mayRunInParallel(const Launch &launch);
/// Runs all blocks in program order, on all cores.
void runInParallel(Launch &launch, llvm::ArrayRef<Element> parameters);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_SCHEDULER_H
