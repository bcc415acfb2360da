// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deadlock detection. A block is idle if an iteration of its waiting loop has changed nothing in
// memory: it then repeats that iteration for ever, unless another block changes memory. If all
// blocks are idle and none is left to be started, the launch is deadlocked. This needs no iteration
// limit, and a block that can still change memory is never taken for idle. The host can write to
// memory that a block accesses with the scope `sys`, so such a block may be waiting for the host
// and does not count as idle.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_DEADLOCK_H
#define TILEWRIGHT_REFERENCE_MACHINE_DEADLOCK_H

#include "tilewright/reference/machine/TileBlock.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilewright::reference {

/// The set of idle blocks.
class IdleBlocks {
public:
  /// Adds a block that has started an idle iteration. Returns the number of idle blocks.
  size_t add(const TileBlock &block);

private:
  /// The value of Launch::changes when the last block was added.
  int64_t changes = 0;
  llvm::SmallPtrSet<const TileBlock *, 16> blocks;
};

/// Adds a deadlock finding for these blocks, of which there is at least one.
void reportDeadlock(llvm::ArrayRef<TileBlock *> blocks);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_DEADLOCK_H
