// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do the tiles that a thread holds leave registers to addresses?

#include "tilewright/nvidia/plan/HeldTiles.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Operation;
using mlir::Value;

/// Of a thread, for a tile; none if it is computed where it is read, only in shared memory, or in
/// local memory.
static int64_t wordsOf(const Plan &plan, Value tile) {
  const TileLayout layout = plan.layoutOf(tile);
  bool isHeld = !isRecomputed(tile) && !plan.copied.contains(tile) && layout.isInRegisters();
  return isHeld ? registersOf(tile) * layout.slots() : 0;
}

/// Elements that a thread accesses in a loop, one by one if they are not aligned.
static int64_t accessedIn(const Plan &plan, Operation *loop) {
  int64_t accessed = 0;
  loop->walk([&](tile::MemoryAccessOpInterface access) {
    if (!access.getLoaded() || !plan.copied.contains(access.getLoaded()))
      accessed += plan.layoutOfAccess(access).slots();
  });
  return accessed;
}

static bool hasLoops(Operation *loop) {
  return loop
      ->walk([&](Operation *op) {
        return op != loop && tile::isLoop(op) ? mlir::WalkResult::interrupt()
                                              : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// LLVM would compute addresses once and before all loops. That is faster, but around other loops
/// there may be hundreds of them; and in an innermost loop an eighth of the registers at least is
/// for what is on its way.
void nvidia::planRegisters(Plan &plan) {
  const HeldTiles tiles(plan.entry);
  auto heldIn = [&](Operation *op) {
    return tiles.mostAtOnce([&](Value tile) { return wordsOf(plan, tile); }, op);
  };
  plan.heldWords = heldIn(plan.entry);
  const int64_t most = plan.registersOfThread() * 5 / 8;
  plan.entry.walk([&](Operation *op) {
    if (tile::isLoop(op) && (hasLoops(op) || heldIn(op) + accessedIn(plan, op) > most))
      plan.addressedAnew.insert(op);
  });
}
