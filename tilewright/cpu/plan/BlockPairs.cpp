// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BlockPairs.h.

#include "tilewright/cpu/plan/BlockPairs.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Loops.h"

#include "mlir/IR/IRMapping.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;

/// Bytes of a row. Where it is longer, what happens between the passes takes less of the time (of
/// layer norm of 4096 f32, 6 %), and two rows leave little of the first cache to others.
static constexpr int64_t mostBytes = 8192;
static constexpr int64_t leastElements = 128;

/// Whether the row is short, and is gone over again after it has been reduced.
static bool gains(const FusionGroup &group) {
  if (group.hasSeveralRows() || group.innerExtent() < leastElements)
    return false;
  int64_t wordBytes = 1, reductions = 0, passes = 0;
  for (const InnerLoop &loop : group.loops) {
    wordBytes = std::max(wordBytes, loop.wordBytes);
    passes += !loop.isOncePerRow;
    reductions += loop.hasReductions();
  }
  return passes > 1 && reductions > 0 && group.innerExtent() * wordBytes <= mostBytes;
}

/// What computes, loads and stores, in no order that others can see.
static bool mayPair(Operation &op) {
  if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op))
    return (access.isLoad() || access.isStore()) && !access.isAtomic() && access.isWeak();
  bool isPlain =
      tile::onlyComputes(&op) && !llvm::isa<tile::MatmulOpInterface, tile::GetGlobalOp>(op);
  return isPlain ? op.getNumRegions() == 0 || tile::isAggregate(&op)
                 : llvm::isa<tile::ReturnOp, tile::GetTileBlockIdOp>(op);
}

/// Whether it, or its body, uses what is different in the second block.
static bool depends(Operation &op, const mlir::IRMapping &second) {
  auto found = op.walk([&](Operation *inner) {
    bool uses = llvm::any_of(inner->getOperands(),
                             [&](mlir::Value operand) { return second.contains(operand); });
    return uses ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

std::optional<BlockPair> cpu::pairOf(tile::EntryOp entry, const FusionGroup &group) {
  mlir::Block &body = entry.getBody().front();
  if (!gains(group) || !llvm::all_of(body, mayPair) ||
      llvm::range_size(body.getOps<tile::GetTileBlockIdOp>()) != 1)
    return std::nullopt;
  BlockPair pair;
  pair.entry = entry.clone();
  mlir::OpBuilder builder(entry.getContext());
  mlir::IRMapping second;
  for (Operation &op : llvm::make_early_inc_range(pair.entry->getBody().front())) {
    auto id = llvm::dyn_cast<tile::GetTileBlockIdOp>(op);
    if (!id && !depends(op, second))
      continue;
    builder.setInsertionPointAfter(&op);
    Operation *twin = builder.clone(op, second);
    if (id)
      pair.second = llvm::cast<tile::GetTileBlockIdOp>(twin);
  }
  return pair;
}
