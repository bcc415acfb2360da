// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the number of threads per CTA: the least number that holds its tiles in registers.
// Products then read their operands least often, and more CTAs run at a time.

#include "tilewright/nvidia/plan/HeldTiles.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/hints/Hints.h"
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

/// The most threads of a tile block with products.
static int64_t mostProductThreads(const Plan &plan) {
  return possibleWarps(plan.target.tuning.mostProductWarps) * warp * plan.ctas;
}

/// Whether the product takes few registers beside its accumulators.
static bool isLean(tile::MatmulOpInterface product, const Plan &plan) {
  auto matrices = matrixProductsFor(product, plan.target, mostProductThreads(plan));
  return !matrices.empty() && matrices.front().elementBytes <= plan.target.tuning.mostLeanBytes &&
         !matrices.front().isPromoted;
}

/// Whether a product would be delayed if registers suffice.
static bool mayDelay(llvm::ArrayRef<tile::MatmulOpInterface> products, const Plan &plan) {
  return plan.target.tuning.mostDelayedRegisters && llvm::any_of(products, [&](auto product) {
           auto matrices = matrixProductsFor(product, plan.target, mostProductThreads(plan));
           return !matrices.empty() && matrices.front().form.isOfWarpgroup() &&
                  mayBeDelayed(product);
         });
}

int64_t nvidia::mostLiveAccumulators(tile::EntryOp entry) {
  SmallVector<tile::MatmulOpInterface> products;
  entry.walk([&](tile::MatmulOpInterface product) { products.push_back(product); });
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

/// Words of live tiles per thread, with this many warps.
static int64_t liveWords(tile::EntryOp entry, const HeldTiles &tiles, int64_t warps) {
  auto wordsOf = [&](Value tile) {
    int64_t elements = llvm::divideCeil(elementCountOf(tile), warps * warp);
    return isRecomputed(tile) ? 0 : registersOf(tile) * elements;
  };
  return tiles.mostAtOnce(wordsOf, entry);
}

/// Doubles the number of warps as long as a thread holds too much, and twice the warps would
/// clearly reduce that.
static int64_t warpsForAll(tile::EntryOp entry, int64_t warps, const Tuning &tuning) {
  const HeldTiles tiles(entry);
  int64_t held = liveWords(entry, tiles, warps);
  while (warps < possibleWarps(tuning.mostWarps) && held > tuning.mostLiveRegisters) {
    int64_t next = liveWords(entry, tiles, 2 * warps);
    if (100 * next > tuning.doublingPercent * held)
      break;
    warps *= 2;
    held = next;
  }
  return warps;
}

//===-- The choice ----------------------------------------------------------------------------===//

/// The fewest warps with which a thread holds no more than this many elements.
static int64_t enoughWarps(int64_t elements, int64_t ofThread, int64_t most, const Tuning &tuning) {
  int64_t ofWarp = std::max<int64_t>(1, ofThread) * warp;
  int64_t warps = llvm::PowerOf2Ceil(llvm::divideCeil(elements, ofWarp));
  return std::max(possibleWarps(tuning.leastWarps), std::min(warps, possibleWarps(most)));
}

static void choose(Plan &plan, int64_t warps, int64_t ofThread, llvm::StringRef what) {
  plan.threads = warps * warp * plan.ctas;
  plan.threadsReason =
      llvm::formatv("{0} warps: each thread holds at most {1} {2}", warps, ofThread, what);
  if (warps > possibleWarps(plan.target.tuning.leastWarps))
    plan.threadsReason =
        llvm::formatv("{0} warps: with {1} warps, each thread would hold more than {2} {3}", warps,
                      warps / 2, ofThread, what);
}

static void chooseForTiles(Plan &plan) {
  const Tuning &tuning = plan.target.tuning;
  const int64_t forOne = enoughWarps(largestTileOf(plan.entry), tuning.mostElementsPerThread,
                                     tuning.mostWarps, tuning);
  const int64_t forAll = warpsForAll(plan.entry, forOne, tuning);
  if (forAll > forOne)
    choose(plan, forAll, tuning.mostLiveRegisters, "words of live tiles");
  else
    choose(plan, forOne, tuning.mostElementsPerThread, "elements of a tile");
}

using Matmuls = llvm::ArrayRef<tile::MatmulOpInterface>;

static void chooseForProducts(Plan &plan, Matmuls products) {
  const Tuning &tuning = plan.target.tuning;
  const int64_t most = tuning.mostProductWarps, largest = largestTileOf(plan.entry) / plan.ctas;
  bool areLean = llvm::all_of(products, [&](auto product) { return isLean(product, plan); });
  int64_t held = std::max(largest, mostLiveAccumulators(plan.entry) / plan.ctas);
  int64_t ofThread = areLean ? tuning.mostLeanAccumulators : tuning.mostAccumulators;
  if (areLean && mayDelay(products, plan))
    ofThread = std::min(ofThread, tuning.mostDelayedRegisters);
  int64_t warps = enoughWarps(held, ofThread, most, tuning);
  if (areLean) // no tile may have more elements in registers
    warps = std::max(warps, enoughWarps(largest, tuning.mostAccumulatorRegisters, most, tuning));
  choose(plan, warps, ofThread, "accumulators");
}

//===-- The hint ------------------------------------------------------------------------------===//

/// Whether tiles are in registers with this many warps, in an entry without products.
static bool fitInRegisters(const Plan &plan, int64_t warps) {
  const Tuning &tuning = plan.target.tuning;
  return largestTileOf(plan.entry) <= tuning.mostUnrolledElements * warps * warp &&
         liveWords(plan.entry, HeldTiles(plan.entry), warps) <= tuning.mostLiveRegisters;
}

/// Whether matrix instructions divide the product among all of these threads.
static bool isDividedAmong(const MatrixProduct &product, int64_t threads) {
  return product.warpsAlongM * product.warpsAlongN * product.form.threads() == threads;
}

/// Whether a product can have this many threads: the instruction stays the same, and all threads
/// have a part of the result.
static bool canHaveThreads(const Plan &plan, tile::MatmulOpInterface product, int64_t threads) {
  auto isTensor = [&](int64_t threads) {
    return std::holds_alternative<MatrixProduct>(tensorProductOf(product, plan.target, threads));
  };
  if (isTensor(plan.threads))
    return isTensor(threads);
  auto now = matrixProductsFor(product, plan.target, plan.threads);
  auto then = matrixProductsFor(product, plan.target, threads);
  if (now.empty())
    return true; // a chain of multiply-adds per element
  return !then.empty() && then.front().form.kind == now.front().form.kind &&
         isDividedAmong(then.front(), threads);
}

/// Why the entry cannot have this number of warps: fewer would not have enough registers, or more
/// would have nothing to do. Empty if it can.
static std::string problemWith(const Plan &plan, Matmuls products, int64_t warps) {
  const int64_t threads = warps * warp * plan.ctas;
  if (threads < plan.threads && !(products.empty() && fitInRegisters(plan, warps)))
    return plan.threadsReason;
  const bool areLarge =
      llvm::all_of(products, [&](auto product) { return canHaveThreads(plan, product, threads); });
  return areLarge ? ""
                  : llvm::formatv("the tile of a product is too small for {0} warps", warps).str();
}

/// Follows `num_worker_warps_per_cta`, if that is possible.
static void followHint(Plan &plan, Matmuls products) {
  const std::optional<int64_t> warps = workerWarpsFor(plan.entry, plan.target);
  if (!warps || *warps * warp == plan.threadsOfCta())
    return;
  if (std::string problem = problemWith(plan, products, *warps); !problem.empty()) {
    plan.refusedHints["num_worker_warps_per_cta"] = problem;
    return;
  }
  plan.threads = *warps * warp * plan.ctas;
  plan.threadsReason = llvm::formatv("{0} warps: a hint asks for them", *warps);
}

void nvidia::chooseThreads(Plan &plan) {
  SmallVector<tile::MatmulOpInterface> products;
  plan.entry.walk([&](tile::MatmulOpInterface product) { products.push_back(product); });
  if (products.empty())
    chooseForTiles(plan);
  else
    chooseForProducts(plan, products);
  followHint(plan, products);
}
