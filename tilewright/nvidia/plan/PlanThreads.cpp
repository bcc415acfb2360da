// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the number of threads per CTA: the least number that holds its tiles in registers.
// Products then read their operands least often, and more CTAs run at a time.

#include "tilewright/nvidia/plan/HeldTiles.h"
#include "tilewright/nvidia/plan/MatrixProduct.h"
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
/// Elements per thread, and warps per CTA. A few elements suffice to overlap accesses.
static constexpr int64_t fewElements = 32, leastWarps = 4, mostWarps = 16;
/// The register limit of a thread for all live tiles. The others are for addresses and values in
/// flight.
static constexpr int64_t mostHeldWords = 128;
/// The more accumulators a thread has, the less often it reads operands. Operands of 8 and 16 bits
/// that are copied take no registers, and leave most of them to accumulators.
static constexpr int64_t mostSums = 64, mostLeanSums = 208, mostWarpsOfProducts = 8;

//===-- Warps ---------------------------------------------------------------------------------===//

static int64_t largestTileOf(tile::EntryOp entry) {
  int64_t largest = 1;
  entry.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (tileTypeOf(result))
        largest = std::max(largest, elementCountOf(result));
  });
  return largest;
}

/// Whether the product's operands take few registers.
static bool isLean(tile::MatmulOpInterface product, const Target &target) {
  auto matrices = matrixProductOf(product, target, mostWarpsOfProducts * warp);
  return matrices && matrices->elementBytes <= 2;
}

/// The most accumulator elements that are live at a time, including those carried by loops around
/// products. Tiles smaller than the smallest accumulators do not count.
static int64_t mostSumsAtOnce(tile::EntryOp entry,
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
static int64_t warpsForAll(tile::EntryOp entry, int64_t warps) {
  const HeldTiles tiles(entry);
  auto heldBy = [&](int64_t warps) {
    auto wordsOf = [&](Value tile) {
      int64_t elements = llvm::divideCeil(elementCountOf(tile), warps * warp);
      return isRecomputed(tile) ? 0 : registersOf(tile) * elements;
    };
    return tiles.mostAtOnce(wordsOf, entry);
  };
  int64_t held = heldBy(warps);
  while (warps < mostWarps && held > mostHeldWords) {
    int64_t next = heldBy(2 * warps);
    if (4 * next > 3 * held)
      break;
    warps *= 2;
    held = next;
  }
  return warps;
}

void nvidia::chooseThreads(Plan &plan) {
  SmallVector<tile::MatmulOpInterface> products;
  plan.entry.walk([&](tile::MatmulOpInterface product) { products.push_back(product); });
  int64_t largest = largestTileOf(plan.entry);
  auto enough = [&](int64_t elements, int64_t ofThread, int64_t most) {
    int64_t warps = llvm::PowerOf2Ceil(llvm::divideCeil(elements, ofThread * warp));
    return std::clamp(warps, leastWarps, most);
  };
  auto choose = [&](int64_t warps, int64_t ofThread, llvm::StringRef what) {
    plan.threads = warps * warp;
    plan.threadsReason =
        llvm::formatv("{0} warps: a thread holds at most {1} {2}", warps, ofThread, what);
    if (warps > leastWarps)
      plan.threadsReason = llvm::formatv("{0} warps: a thread of {1} would hold more than {2} {3}",
                                         warps, warps / 2, ofThread, what);
  };
  if (products.empty()) {
    choose(enough(largest, fewElements, mostWarps), fewElements, "elements of a tile");
    int64_t warps = warpsForAll(plan.entry, plan.threads / warp);
    if (warps * warp > plan.threads)
      choose(warps, mostHeldWords, "words of all tiles");
    return;
  }
  bool areLean = llvm::all_of(products, [&](auto product) { return isLean(product, plan.target); });
  int64_t held = std::max(largest, mostSumsAtOnce(plan.entry, products));
  int64_t warps = enough(held, areLean ? mostLeanSums : mostSums, mostWarpsOfProducts);
  if (areLean) // no tile may have more elements in registers
    warps = std::max(warps, enough(largest, MatrixProduct::mostSums, mostWarpsOfProducts));
  choose(warps, areLean ? mostLeanSums : mostSums, "sums");
}
