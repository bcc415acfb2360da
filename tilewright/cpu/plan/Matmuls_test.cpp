// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of the plans of matrix products: where accumulators live, which operands are packed, cached
// or prefetched, and the blocks of accumulators.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;

namespace {

TEST(Matmuls, ContinuesChainsInPlace) {
  ParsedKernel kernel(views + productLoop("") + storeOf("%r"));
  const Plan plan(kernel.entry(), target());
  Operation *op = firstNamed(kernel, "mmaf");
  const MatmulPlan &matmul = plan.matmulOf(op);
  EXPECT_EQ(matmul.carried, op->getOperand(2));
  EXPECT_EQ(tile::ConstantOp(matmul.initialAccumulator).getResult(),
            kernel.first<tile::ForOp>().getInitValues()[0]);
  EXPECT_EQ(plan.initialConstant(llvm::cast<mlir::BlockArgument>(op->getOperand(2))),
            matmul.initialAccumulator);
  EXPECT_TRUE(plan.arena.shareBuffer(op->getOperand(2), op->getResult(0)));
  EXPECT_FALSE(matmul.isInPlace[0] || matmul.isInPlace[1]);
  EXPECT_FALSE(matmul.inTensor[0]) << "its tensor is stored to";
  EXPECT_EQ(matmul.iterations, 4);
  EXPECT_EQ(matmul.scratch().bytes, 4 * 2 * 16 * 16 * 4);
  ASSERT_TRUE(matmul.finalStore);
  EXPECT_EQ(matmul.finalStore->store, kernel.first<tile::StoreViewOp>());
  ASSERT_EQ(plan.loops.size(), 1u);
  EXPECT_EQ(plan.loops[0].carriedBytes, 16 * 16 * 4);
  EXPECT_FALSE(plan.mayWait() || plan.usesAmx());
}

TEST(Matmuls, ReadsSumsOfEachIterationFromTheirBuffer) {
  ParsedKernel kernel(views + productLoop("%c = negf %m" + t, "%c") + storeOf("%r"));
  const Plan plan(kernel.entry(), target());
  const MatmulPlan &matmul = plan.matmulOf(firstNamed(kernel, "mmaf"));
  EXPECT_FALSE(matmul.carried || matmul.initialAccumulator || matmul.finalStore);
  EXPECT_EQ(matmul.iterations, 1);
}

/// With AVX2, most blocks of accumulators have six rows (SumsBlock_test.cpp).
TEST(Matmuls, ChoosesBlocksOfSums) {
  ParsedKernel kernel(views + productLoop("") + storeOf("%r"));
  Operation *product = firstNamed(kernel, "mmaf");
  const SumsBlock narrow = Plan(kernel.entry(), target()).matmulOf(product).sums;
  EXPECT_EQ(narrow.rows, 6);
  EXPECT_EQ(narrow.columns(), 16);
  const SumsBlock wide = Plan(kernel.entry(), *Target::named("x86-64-v4")).matmulOf(product).sums;
  EXPECT_EQ(wide.rows, 16) << "one vector of 16 columns";
}

/// A store of accumulators is not moved across other accesses.
TEST(Matmuls, StoresLateWhereMemoryIsAccessedInBetween) {
  ParsedKernel kernel(views + productLoop("") + storeOf("%none", "%1") + storeOf("%r"));
  const Plan plan(kernel.entry(), target());
  EXPECT_FALSE(plan.matmulOf(firstNamed(kernel, "mmaf")).finalStore);
}

/// A carried operand with a constant initial value is read from its buffer, because it is not an
/// accumulator.
TEST(Matmuls, TellsOperandsFromAccumulators) {
  ParsedKernel kernel(
      views +
      "%q, %r = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%lhs = %none, "
      "%acc = %none) -> (tile<16x16xf32>, tile<16x16xf32>) {\n" +
      loadOf("%a", "%k") +
      "%m = mmaf %lhs, %a, %acc : tile<16x16xf32>, tile<16x16xf32>, "
      "tile<16x16xf32>\n"
      "continue %none, %m : tile<16x16xf32>, tile<16x16xf32>\n}\n");
  const Plan plan(kernel.entry(), target());
  Operation *op = firstNamed(kernel, "mmaf");
  EXPECT_FALSE(plan.initialConstant(llvm::cast<mlir::BlockArgument>(op->getOperand(0))));
  EXPECT_TRUE(plan.initialConstant(llvm::cast<mlir::BlockArgument>(op->getOperand(2))));
}

TEST(Matmuls, TunesProducts) {
  ParsedKernel kernel(views + productLoop("") + storeOf("%r"));
  auto planWith = [&](const char *threshold) {
    return Plan(kernel.entry(), tuned(threshold)).matmulOf(kernel.first<tile::MmaFOp>());
  };
  EXPECT_EQ(planWith("steps=128").iterations, 8);
  EXPECT_EQ(planWith("steps=16").iterations, 1);
  EXPECT_EQ(planWith("column-vectors=1").sums.columns(), 8);
  EXPECT_EQ(planWith("rows-of-two-vectors=16").sums.rows, 4) << "half of the registers";
  EXPECT_EQ(planWith("rows-of-two-vectors=5").sums.rows, 5);

  ParsedKernel blocks(views + storedElsewhere());
  EXPECT_EQ(Plan(blocks.entry(), tuned("panel-numerator=0"))
                .matmulOf(blocks.first<tile::MmaFOp>())
                .iterations,
            4)
      << "a panel of 128 steps leaves no room in the cache";
}

//===-- Blocks and packing --------------------------------------------------------------------===//

/// 32 multiply-adds per iteration, but at most four steps: blocks of 6 x 2 vectors take two steps,
/// the last one, of 4 x 2 vectors, four.
TEST(Matmuls, UnrollSteps) {
  ParsedKernel kernel(views + productLoop("") + storeOf("%r"));
  auto unrolled = [&](const Target &target) {
    const Plan plan(kernel.entry(), target);
    std::vector<std::pair<int64_t, int64_t>> found;
    for (const RowBlocks &blocks : plan.matmulOf(firstNamed(kernel, "mmaf")).rowBlocks)
      found.push_back({blocks.rows, blocks.unroll});
    return found;
  };
  using Blocks = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(unrolled(target()), (Blocks{{6, 2}, {4, 4}}));
  EXPECT_EQ(unrolled(tuned("unrolled-products=16")), (Blocks{{6, 1}, {4, 2}}));
  EXPECT_EQ(unrolled(tuned("most-unrolled-steps=1")), (Blocks{{6, 1}, {4, 1}}));
  EXPECT_EQ(unrolled(tuned("unrolled-products=1000")), (Blocks{{6, 4}, {4, 4}}));
  EXPECT_EQ(unrolled(*Target::named("x86-64-v4")), (Blocks{{16, 2}})) << "one vector of columns";
}

/// A product of bf16 in a loop, whose operands are converted from f32.
std::string convertedProduct() {
  std::string text = productLoop("");
  const std::string conversions =
      "%a16 = ftof %a : tile<16x16xf32> -> tile<16x16xbf16>\n"
      "%b16 = ftof %b : tile<16x16xf32> -> tile<16x16xbf16>\n"
      "%m = mmaf %a16, %b16, %acc : tile<16x16xbf16>, tile<16x16xbf16>, tile<16x16xf32>\n";
  const size_t begin = text.find("%m = ");
  return text.replace(begin, text.find('\n', begin) + 1 - begin, conversions);
}

TEST(Matmuls, PackWordsOfLhs) {
  auto elementsIn = [](const std::string &text, const Target &target) {
    ParsedKernel kernel(views + text);
    return Plan(kernel.entry(), target).matmulOf(firstNamed(kernel, "mmaf")).packedElements;
  };
  EXPECT_EQ(elementsIn(productLoop(""), target()), 16);
  EXPECT_EQ(elementsIn(productLoop(""), tuned("packed-words=4")), 4);
  EXPECT_EQ(elementsIn(convertedProduct(), *Target::named("znver4")), 32) << "two in a word";
}

//===-- Prefetches ----------------------------------------------------------------------------===//

void expectPrefetches(const std::string &text, const Target &target, OperandPrefetchReason lhs,
                      OperandPrefetchReason rhs) {
  using Reason = OperandPrefetchReason;
  ParsedKernel kernel(views + text);
  const Plan plan(kernel.entry(), target);
  const MatmulPlan &matmul = plan.matmulOf(firstNamed(kernel, "mmaf"));
  for (auto [operand, reason] : {std::pair(0, lhs), {1, rhs}}) {
    EXPECT_EQ(int(matmul.prefetch[operand].reason), int(reason)) << operand << text;
    const bool isPrefetched = reason == Reason::NextTiles || reason == Reason::UnlessCached;
    EXPECT_EQ(matmul.prefetch[operand].tiles.size(), isPrefetched ? 1u : 0u) << operand << text;
  }
}

/// Both operands are loaded in each iteration, from where the previous one did not.
TEST(Matmuls, PrefetchTheNextIteration) {
  using Reason = OperandPrefetchReason;
  const std::string store = storeOf("%r");
  expectPrefetches(productLoop("") + store, target(), Reason::UnlessCached, Reason::UnlessCached);
  expectPrefetches(productLoop("") + store, tuned("least-prefetched-columns=16"), Reason::NextTiles,
                   Reason::NextTiles);
  expectPrefetches(convertedProduct() + store, *Target::named("znver4"), Reason::UnlessCached,
                   Reason::UnlessCached);
  std::string same = productLoop("");
  same.replace(same.find("[%k, %0]"), 8, "[%0, %0]");
  expectPrefetches(same + store, target(), Reason::UnknownTiles, Reason::UnlessCached);
  std::string constant = productLoop("");
  constant.replace(constant.find("mmaf %a, %b"), 11, "mmaf %a, %none");
  expectPrefetches(constant + store, target(), Reason::UnlessCached, Reason::UnknownTiles);
  expectPrefetches(loadOf("%a") + loadOf("%b") +
                       "%m = mmaf %a, %b, %none : tile<16x16xf32>, tile<16x16xf32>, "
                       "tile<16x16xf32>\n" +
                       storeOf("%m"),
                   target(), Reason::UnknownTiles, Reason::UnknownTiles);
}

/// With 16 columns, lines of operands that are read in their tensors are not worth a prefetch.
TEST(Matmuls, PrefetchNoOperandsInPlace) {
  using Reason = OperandPrefetchReason;
  expectPrefetches(storedElsewhere(), target(), Reason::FewColumns, Reason::FewColumns);
  expectPrefetches(storedElsewhere(), tuned("least-prefetched-columns=16"), Reason::NextTiles,
                   Reason::NextTiles);
  expectPrefetches(
      "%q, %r = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%lhs = %none, %acc = %none) "
      "-> (tile<16x16xf32>, tile<16x16xf32>) {\n" +
          loadOf("%b", "%k") +
          "%m = mmaf %lhs, %b, %acc : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>\n"
          "continue %m, %m : tile<16x16xf32>, tile<16x16xf32>\n}\n" +
          storeOf("%r"),
      target(), Reason::InPlace, Reason::UnlessCached);
}

TEST(Matmuls, PrefetchNothingForAmxTiles) {
  expectPrefetches(convertedProduct(), *Target::named("sapphirerapids"),
                   OperandPrefetchReason::AmxTiles, OperandPrefetchReason::AmxTiles);
}

} // namespace
