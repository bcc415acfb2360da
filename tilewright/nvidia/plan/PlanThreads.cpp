// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the number of threads per CTA: the least number that holds its tiles in registers.
// Products then read their operands least often, and more CTAs run at a time.

#include "tilewright/nvidia/plan/HeldTiles.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Loops.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

static constexpr int64_t warp = 32;

//===-- Warps ---------------------------------------------------------------------------------===//

/// Layouts need a power of two, and a CTA has at most 32 (CUDA programming guide, compute
/// capabilities).
static int64_t possibleWarps(int64_t wanted) {
  return llvm::bit_floor(uint64_t(std::clamp<int64_t>(wanted, 1, 32)));
}

static int64_t largestTileOf(tile::EntryOp entry) {
  int64_t largest = 1;
  entry.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (tileTypeOf(result))
        largest = std::max(largest, elementCountOf(result));
  });
  return largest;
}

/// Whether the product takes few registers beside its accumulators.
static bool isLean(tile::MatmulOpInterface product, const Target &target) {
  const Tuning &tuning = target.tuning;
  auto matrices = matrixProductsFor(product, target, possibleWarps(tuning.mostProductWarps) * warp);
  return !matrices.empty() && matrices.front().elementBytes <= tuning.mostLeanBytes &&
         !matrices.front().isPromoted;
}

/// The most accumulator elements that are live at a time, including those carried by loops around
/// products. Tiles smaller than the smallest accumulators do not count.
static int64_t mostLiveAccumulators(tile::EntryOp entry,
                                    llvm::ArrayRef<tile::MatmulOpInterface> products) {
  int64_t least = INT64_MAX;
  llvm::DenseSet<Value> sums;
  for (tile::MatmulOpInterface product : products) {
    least = std::min(least, elementCountOf(product->getResult(0)));
    sums.insert(product->getResult(0));
    for (Operation *loop = product->getParentOp(); loop; loop = loop->getParentOp())
      if (tile::isLoop(loop))
        sums.insert_range(loop->getRegion(0).getArguments());
  }
  auto sizeOf = [&](Value tile) {
    int64_t elements = elementCountOf(tile);
    return sums.contains(tile) && elements >= least ? elements : 0;
  };
  return HeldTiles(entry).mostAtOnce(sizeOf, entry);
}

/// Doubles the number of warps as long as a thread holds too much, and twice the warps would
/// clearly reduce that.
static int64_t warpsForAll(tile::EntryOp entry, int64_t warps, const Tuning &tuning) {
  const HeldTiles tiles(entry);
  auto heldBy = [&](int64_t warps) {
    auto wordsOf = [&](Value tile) {
      int64_t elements = llvm::divideCeil(elementCountOf(tile), warps * warp);
      return isRecomputed(tile) ? 0 : registersOf(tile) * elements;
    };
    return tiles.mostAtOnce(wordsOf, entry);
  };
  int64_t held = heldBy(warps);
  while (warps < possibleWarps(tuning.mostWarps) && held > tuning.mostLiveRegisters) {
    int64_t next = heldBy(2 * warps);
    if (100 * next > tuning.doublingPercent * held)
      break;
    warps *= 2;
    held = next;
  }
  return warps;
}

void nvidia::chooseThreads(Plan &plan) {
  const Tuning &tuning = plan.target.tuning;
  SmallVector<tile::MatmulOpInterface> products;
  plan.entry.walk([&](tile::MatmulOpInterface product) { products.push_back(product); });
  int64_t largest = largestTileOf(plan.entry);
  const int64_t leastWarps = possibleWarps(tuning.leastWarps);
  auto enough = [&](int64_t elements, int64_t ofThread, int64_t most) {
    int64_t ofWarp = std::max<int64_t>(1, ofThread) * warp;
    int64_t warps = llvm::PowerOf2Ceil(llvm::divideCeil(elements, ofWarp));
    return std::max(leastWarps, std::min(warps, possibleWarps(most)));
  };
  auto choose = [&](int64_t warps, int64_t ofThread, llvm::StringRef what) {
    plan.threads = warps * warp;
    plan.threadsReason =
        llvm::formatv("{0} warps: each thread holds at most {1} {2}", warps, ofThread, what);
    if (warps > leastWarps)
      plan.threadsReason =
          llvm::formatv("{0} warps: with {1} warps, each thread would hold more than {2} {3}",
                        warps, warps / 2, ofThread, what);
  };
  if (products.empty()) {
    choose(enough(largest, tuning.mostElementsPerThread, tuning.mostWarps),
           tuning.mostElementsPerThread, "elements of a tile");
    int64_t warps = warpsForAll(plan.entry, plan.threads / warp, tuning);
    if (warps * warp > plan.threads)
      choose(warps, tuning.mostLiveRegisters, "words of live tiles");
    return;
  }
  bool areLean = llvm::all_of(products, [&](auto product) { return isLean(product, plan.target); });
  int64_t held = std::max(largest, mostLiveAccumulators(plan.entry, products));
  int64_t ofThread = areLean ? tuning.mostLeanAccumulators : tuning.mostAccumulators;
  int64_t warps = enough(held, ofThread, tuning.mostProductWarps);
  if (areLean) // no tile may have more elements in registers
    warps =
        std::max(warps, enough(largest, tuning.mostAccumulatorRegisters, tuning.mostProductWarps));
  choose(warps, ofThread, "accumulators");
}
