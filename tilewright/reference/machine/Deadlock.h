// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When can no block go on? A block whose loop has gone round once without a change in memory goes
// round in the same way for ever, unless somebody else changes memory. When all blocks do that, and
// no block is left to be started, nobody will. No count of iterations is needed for that, and a
// block that can still change something is never taken for one that cannot. The host can write to
// what a block accesses with the scope `sys`, so a block that does so may wait for the host.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_DEADLOCK_H
#define TILEWRIGHT_REFERENCE_MACHINE_DEADLOCK_H

#include "tilewright/reference/machine/TileBlock.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tilewright::reference {

/// The blocks that go round in such a loop.
class IdleBlocks {
public:
  /// The block has started an iteration. Returns how many blocks go round now, this one included.
  size_t add(const TileBlock &block);

private:
  /// Of Launch::changes, when the last block was added.
  int64_t changes = 0;
  llvm::SmallPtrSet<const TileBlock *, 16> blocks;
};

/// Adds a finding: none of these blocks, of which there is at least one, can go on.
void reportDeadlock(llvm::ArrayRef<TileBlock *> blocks);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_DEADLOCK_H
