// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register pressure: decides which tiles are loaded in pieces, and which loops recompute addresses,
// so that registers suffice for tiles and addresses.

#include "tilewright/nvidia/plan/HeldTiles.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Operation;
using mlir::Value;

/// The words that a tile takes in a thread's registers; none if it is rematerialized, or only in
/// shared or local memory.
static int64_t wordsOf(const Plan &plan, Value tile) {
  const TileLayout layout = plan.layoutOf(tile);
  bool isHeld = !isRecomputed(tile) && !plan.copied.contains(tile) && layout.isInRegisters();
  if (isHeld && tile.getDefiningOp() && plan.loadedInPieces.contains(tile.getDefiningOp()))
    return registersOf(tile) * plan.slotsOfPiece();
  return isHeld ? registersOf(tile) * layout.slots() : 0;
}

/// Elements that a thread accesses in a loop, possibly one by one if they are not aligned.
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

/// Whether the tile is only read by following elementwise operations, so that these can run piece
/// by piece. Scalar operations and other loads in pieces may be in between.
static bool canComeInPieces(const Plan &plan, tile::LoadViewOp load) {
  Value loaded = load.getTile();
  const TileLayout layout = plan.layoutOf(loaded);
  if (loaded.use_empty() || plan.copied.contains(loaded) || !layout.isInRegisters() ||
      layout.slots() <= plan.slotsOfPiece() ||
      load.getMemoryOrderingSemantics() != tile::MemoryOrderingSemantics::Weak)
    return false;
  llvm::SmallPtrSet<Operation *, 4> readers(loaded.getUsers().begin(), loaded.getUsers().end());
  for (Operation *op = load->getNextNode(); op && !readers.empty(); op = op->getNextNode()) {
    const bool isReader = readers.erase(op);
    if (!isReader && (isNothing(op) || isOfScalars(op)))
      continue;
    const bool isPart = isByElements(op) || plan.loadedInPieces.contains(op);
    if (!isPart || plan.barriers.contains(op))
      return false;
    const TileLayout its = plan.layoutOf(op->getResult(0));
    if (its != layout || !its.isInRegisters())
      return false;
  }
  return readers.empty();
}

/// Whether accumulators are in registers and, beside idle roles, leave enough of them for what is
/// unrolled. With 72 left, `ptxas` spilled 376 bytes of products with tiles of 128x256x64
/// (sm_100a).
static bool hasFreeRegisters(const Plan &plan, const MatrixProduct &product) {
  constexpr int64_t least = 80;
  return product.layout(plan.threads).isInRegisters() &&
         (!plan.idleThreads ||
          plan.registersOfThread() - product.registersOfSums(plan.threads) >= least);
}

/// Whether copies of the product's operands are unrolled. On sm_80, f16 products with tiles of
/// 128x128x64 then execute 279 instructions per warp and iteration instead of 565, and 64x128x64
/// 183 instead of 328. Copied elements take no registers, but addresses do: with `wgmma`, ptxas
/// spilled 152 instead of 72 bytes of a persistent product with tiles of 128x128x64 and 128
/// accumulators per thread.
static bool canUnrollCopies(const Plan &plan, const MatrixProduct &product) {
  return !product.form.readsSharedMemory() && hasFreeRegisters(plan, product);
}

/// Whether the fragments of two instructions along k are in registers; the steps are then unrolled.
/// On sm_80, f16 products with tiles of 64x64x64 execute 161 instead of 198 instructions per warp
/// and iteration, 128x128x32 193 instead of 202. Pairs of columns take more registers: ptxas
/// spilled 128 bytes of f8E4M3FN products with tiles of 128x128x64 (sm_90a).
static bool canLoadFragmentsAhead(const Plan &plan, const MatrixProduct &product) {
  return !product.form.readsSharedMemory() && product.elementBytes < 8 && !product.isPaired &&
         !product.isScaled() && hasFreeRegisters(plan, product);
}

/// Tiles and addresses may take `mostTileEighths` of the registers. LLVM would hoist address
/// computations out of all loops. That is faster, but around nested loops there may be hundreds of
/// addresses, and in an innermost loop still too many.
void nvidia::planRegisters(Plan &plan) {
  const HeldTiles tiles(plan.entry);
  auto heldIn = [&](Operation *op) {
    return tiles.mostAtOnce([&](Value tile) { return wordsOf(plan, tile); }, op);
  };
  const int64_t most = plan.registersOfThread() * plan.target.tuning.mostTileEighths / 8;
  llvm::SmallVector<tile::LoadViewOp> loads;
  if (heldIn(plan.entry) > most)
    plan.entry.walk([&](tile::LoadViewOp load) { loads.push_back(load); });
  for (tile::LoadViewOp load : llvm::reverse(loads))
    if (canComeInPieces(plan, load)) {
      plan.loadedInPieces.insert(load);
      plan.accessLayouts.erase(load);
    }
  plan.heldWords = heldIn(plan.entry);
  for (auto &[op, staging] : plan.staged) {
    const MatrixProduct &product = plan.matrices.find(op)->second;
    staging.loadsFragmentsAhead = canLoadFragmentsAhead(plan, product);
    for (tile::LoadViewOp load : {staging.lhs.load, staging.rhs.load})
      if (load && canUnrollCopies(plan, product))
        plan.unrolledCopies.insert(load);
  }
  plan.entry.walk([&](Operation *op) {
    if (tile::isLoop(op) && (hasLoops(op) || heldIn(op) + accessedIn(plan, op) > most))
      plan.addressedAnew.insert(op);
  });
}
