// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests layouts, and what goes through shared memory.

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/SharedPlaces.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::nvidia;

namespace {

class NvidiaPlan : public testing::Test {
protected:
  NvidiaPlan() { context.loadDialect<tile::TileDialect>(); }

  /// The plan of an entry with this body.
  Plan planOf(const std::string &body) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "cuda_tile.module @m {\n entry @k() {\n" + body + "\nreturn\n}\n}\n", &context);
    EXPECT_TRUE(bool(module));
    tile::EntryOp entry;
    module->walk([&](tile::EntryOp found) { entry = found; });
    return Plan(entry, target);
  }
  /// Adds a tile and its transpose, so that both have the same layout.
  static std::string transposed(const std::string &shape, const std::string &type, int elements) {
    std::string flat = "tile<" + std::to_string(elements) + "x" + type + ">";
    std::string square = "tile<" + shape + "x" + type + ">";
    return "%t = iota : " + flat + "\n%s = addi %t, %t : " + flat + "\n%r = reshape %s : " + flat +
           " -> " + square + "\n%p2 = permute %r [1, 0] : " + square + " -> " + square +
           "\n%sum = addi %r, %p2 : " + square + "\n";
  }
  /// The default layout in a CTA of 128 threads.
  TileLayout layoutOf(int64_t elements) const { return {elements, 128, target.tuning}; }
  /// The only exchange.
  static Exchange exchangeOf(const Plan &plan) {
    EXPECT_EQ(plan.exchanges.size(), 1u);
    return plan.exchanges.empty() ? Exchange{} : plan.exchanges.front().second;
  }

  Target target = *Target::named("sm_80");
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(NvidiaPlan, fewElementsAreHeldBySeveralThreads) {
  TileLayout layout = layoutOf(32);
  EXPECT_TRUE(layout.isReplicated());
  EXPECT_EQ(layout.slots(), 1);
  EXPECT_FALSE(layoutOf(128).isReplicated());
}

TEST_F(NvidiaPlan, upToFourElementsOfAThreadAreSideBySide) {
  EXPECT_EQ(layoutOf(128).width(), 1);
  EXPECT_EQ(layoutOf(256).width(), 2);
  EXPECT_EQ(layoutOf(4096).width(), 4);
}

TEST_F(NvidiaPlan, largeTilesAreInLocalMemory) {
  EXPECT_TRUE(layoutOf(8192).isInRegisters());   // 64 elements per thread
  EXPECT_FALSE(layoutOf(16384).isInRegisters()); // 128
  target.tuning.mostUnrolledElements = 63;
  EXPECT_FALSE(layoutOf(8192).isInRegisters());
}

TEST_F(NvidiaPlan, largeTilesGetMoreThreads) {
  EXPECT_EQ(planOf("%t = iota : tile<4096xi32>").threads, 128);
  EXPECT_EQ(planOf("%t = iota : tile<8192xi32>").threads, 256);
  EXPECT_EQ(planOf("%t = iota : tile<16384xi32>").threads, 512);
  EXPECT_EQ(planOf("%t = iota : tile<32768xi32>").threads, 512);
  target.tuning.mostElementsPerThread = 31;
  EXPECT_EQ(planOf("%t = iota : tile<4096xi32>").threads, 256);
  target.tuning.mostWarps = 7; // a power of two
  EXPECT_EQ(planOf("%t = iota : tile<4096xi32>").threads, 128);
}

/// 64 x 32: 4 elements per thread, 8 threads per row, 4 rows per warp; the next warp is 16 rows
/// further on.
TEST_F(NvidiaPlan, lanesHaveTheFastestElementsAndWarpsTheSlowest) {
  TileLayout layout = layoutOf(2048);
  EXPECT_EQ(layout.text(), "slot 0..1, lane 0..4, slot 2..3, warp 0..1");
  EXPECT_EQ(layout.indexOf(0, 3), 3);
  EXPECT_EQ(layout.indexOf(1, 0), 4);
  EXPECT_EQ(layout.indexOf(31, 0), 124);
  EXPECT_EQ(layout.indexOf(0, 4), 128);
  EXPECT_EQ(layout.indexOf(32, 0), 512);
}

TEST_F(NvidiaPlan, everyElementHasAnOwner) {
  for (int64_t elements = 1; elements <= 4096; elements *= 2)
    for (int64_t width : {1, 4, 16}) {
      target.tuning.defaultWidth = width;
      TileLayout layout = layoutOf(elements);
      std::vector<int> holders(elements);
      for (int64_t thread = 0; thread < 128; ++thread)
        for (int64_t slot = 0; slot < layout.slots(); ++slot)
          ++holders[layout.indexOf(thread, slot)];
      EXPECT_TRUE(llvm::all_equal(holders));
      EXPECT_EQ(holders[0], std::max<int64_t>(1, 128 / elements));
    }
}

/// A layout by columns: elements of a column are contiguous in a thread.
TEST_F(NvidiaPlan, aTransposedTileStaysWithItsThreads) {
  Plan plan = planOf("%t = iota : tile<256xi32>\n"
                     "%s = addi %t, %t : tile<256xi32>\n"
                     "%r = reshape %s : tile<256xi32> -> tile<16x16xi32>\n"
                     "%p = permute %r [1, 0] : tile<16x16xi32> -> tile<16x16xi32>");
  EXPECT_TRUE(plan.exchanges.empty());
  module->walk([&](tile::PermuteOp op) {
    EXPECT_EQ(plan.layoutOf(op->getOperand(0)).step(), 1);
    EXPECT_EQ(plan.layoutOf(op.getResult()).step(), 16);
  });
}

/// Rows are within warps, so a reduction along a row needs no other warp, and broadcasting its
/// result moves nothing.
TEST_F(NvidiaPlan, aRowIsReducedInItsWarp) {
  Plan plan = planOf("%t = iota : tile<512xi32>\n"
                     "%s = addi %t, %t : tile<512xi32>\n"
                     "%r = reshape %s : tile<512xi32> -> tile<4x128xi32>\n"
                     "%m = reduce %r dim=1 identities=[0 : i32] : tile<4x128xi32> -> tile<4xi32>\n"
                     "(%x: tile<i32>, %acc: tile<i32>) {\n"
                     "%both = addi %x, %acc : tile<i32>\n"
                     "yield %both : tile<i32>\n}\n"
                     "%c = reshape %m : tile<4xi32> -> tile<4x1xi32>\n"
                     "%b = broadcast %c : tile<4x1xi32> -> tile<4x128xi32>\n"
                     "%d = addi %r, %b : tile<4x128xi32>");
  EXPECT_TRUE(plan.exchanges.empty());
  module->walk([&](tile::ReduceOp op) {
    auto steps = stepsOf(plan, op);
    ASSERT_EQ(steps.size(), 7u); // 2 bits in the thread, then 5 of lanes
    EXPECT_EQ(steps[1].kind, ReductionStep::InThread);
    EXPECT_EQ(steps[2].kind, ReductionStep::AcrossLanes);
    EXPECT_EQ(plan.layoutOf(op.getResults()[0]).text(), "warp 0..1");
  });
}

/// The bits of the warps are the slowest of the row, and the body does not permit reordering.
TEST_F(NvidiaPlan, whatHasAnOrderIsReducedFromTheFastestBitOn) {
  Plan plan = planOf("%t = iota : tile<1024xi32>\n"
                     "%s = addi %t, %t : tile<1024xi32>\n"
                     "%m = reduce %s dim=0 identities=[0 : i32] : tile<1024xi32> -> tile<i32>\n"
                     "(%x: tile<i32>, %acc: tile<i32>) {\n"
                     "%both = subi %x, %acc : tile<i32>\n"
                     "yield %both : tile<i32>\n}");
  module->walk([&](tile::ReduceOp op) {
    auto steps = stepsOf(plan, op);
    ASSERT_EQ(steps.size(), 9u);
    EXPECT_EQ(steps[7].kind, ReductionStep::InThread); // register bit 2, after the lanes
    EXPECT_EQ(steps[8].kind, ReductionStep::AcrossWarps);
    EXPECT_EQ(steps[8].bits.size(), 2u);
  });
  EXPECT_EQ(exchangeOf(plan).bytes, 16); // one word of each warp
}

TEST_F(NvidiaPlan, whatKeepsTheOrderOfElementsStaysWithItsThread) {
  Plan plan = planOf("%t = iota : tile<256xi32>\n"
                     "%r = reshape %t : tile<256xi32> -> tile<16x16xi32>\n"
                     "%s = addi %r, %r : tile<16x16xi32>\n"
                     "%c = constant <i32: 7> : tile<i32>\n"
                     "%o = reshape %c : tile<i32> -> tile<1xi32>\n"
                     "%b = broadcast %o : tile<1xi32> -> tile<256xi32>");
  EXPECT_TRUE(plan.exchanges.empty());
  EXPECT_EQ(plan.shared.bytes, 0);
}

TEST_F(NvidiaPlan, aPermutationGoesThroughSharedMemory) {
  Plan plan = planOf(transposed("16x16", "i32", 256));
  Exchange exchange = exchangeOf(plan);
  EXPECT_EQ(exchange.reason, ExchangeReason::Rearranged);
  EXPECT_EQ(exchange.windows, 1);
  EXPECT_EQ(exchange.bytes, 1024);
}

/// 65536 elements of 8 bytes, of which at most 4096 fit in 48 KiB.
TEST_F(NvidiaPlan, whatDoesNotFitGoesInWindows) {
  Plan plan = planOf(transposed("256x256", "i64", 65536));
  Exchange exchange = exchangeOf(plan);
  EXPECT_EQ(exchange.window, 4096);
  EXPECT_EQ(exchange.windows, 16);
  EXPECT_EQ(exchange.bytes, 32768);
  target.tuning.mostExchangeBytes = 32768;
  EXPECT_EQ(exchangeOf(planOf(transposed("256x256", "i64", 65536))).window, 4096);
  target.tuning.mostExchangeBytes = 32767;
  EXPECT_EQ(exchangeOf(planOf(transposed("256x256", "i64", 65536))).window, 2048);
}

/// With 128 threads, 256 words of each take half of the 65536 registers of a multiprocessor.
TEST_F(NvidiaPlan, aCtaWhoseTilesTakeHalfOfTheRegistersIsAlone) {
  const Plan plan = planOf("%t = iota : tile<4096xi32>");
  EXPECT_TRUE(plan.isAloneWith(256));
  EXPECT_FALSE(plan.isAloneWith(255));
  target.tuning.alonePercent = 25;
  EXPECT_TRUE(plan.isAloneWith(128));
  EXPECT_FALSE(plan.isAloneWith(127));
}

/// 128 rows and 128 columns of 2 bytes fit with all of their 64 steps; each of 4 warps has 4
/// fragments of 16 rows and 8 of 8 columns.
TEST_F(NvidiaPlan, aProductIsSharedAmongWarps) {
  Plan plan = planOf("%a = constant <f16: 1.0> : tile<128x64xf16>\n"
                     "%b = constant <f16: 1.0> : tile<64x128xf16>\n"
                     "%c = constant <f32: 0.0> : tile<128x128xf32>\n"
                     "%d = mmaf %a, %b, %c : tile<128x64xf16>, tile<64x128xf16>, "
                     "tile<128x128xf32>");
  Exchange exchange = exchangeOf(plan);
  EXPECT_EQ(exchange.reason, ExchangeReason::Multiplied);
  EXPECT_EQ(exchange.window, 64);
  EXPECT_EQ(exchange.windows, 1);
  EXPECT_EQ(exchange.bytes, 32768);
  ASSERT_EQ(plan.matrices.size(), 1u);
  const MatrixProduct &product = plan.matrices.front().second;
  EXPECT_EQ(plan.threads, 128);
  EXPECT_EQ(product.fragmentsAlongM(), 4);
  EXPECT_EQ(product.fragmentsAlongN(), 8);
  EXPECT_EQ(product.warpsAlongM, 2);
  EXPECT_EQ(product.warpsAlongN, 2);
}

/// A product, and the threads of its CTA.
static std::string productOf(llvm::StringRef lhs, llvm::StringRef rhs, llvm::StringRef sums,
                             llvm::StringRef factor, llvm::StringRef sum) {
  return llvm::formatv("%a = constant <{3}: 1.0> : tile<{0}x{3}>\n"
                       "%b = constant <{3}: 1.0> : tile<{1}x{3}>\n"
                       "%c = constant <{4}: 0.0> : tile<{2}x{4}>\n"
                       "%d = mmaf %a, %b, %c : tile<{0}x{3}>, tile<{1}x{3}>, tile<{2}x{4}>",
                       lhs, rhs, sums, factor, sum);
}

/// At most 128 accumulators of a thread are in registers, and 64 if operands take registers.
TEST_F(NvidiaPlan, sumsDecideHowManyWarpsThereAre) {
  EXPECT_EQ(planOf(productOf("128x64", "64x128", "128x128", "f16", "f32")).threads, 128);
  EXPECT_EQ(planOf(productOf("256x64", "64x128", "256x128", "f16", "f32")).threads, 256);
  EXPECT_EQ(planOf(productOf("64x32", "32x128", "64x128", "f32", "f32")).threads, 128);
  EXPECT_EQ(planOf(productOf("128x32", "32x128", "128x128", "f32", "f32")).threads, 256);
  EXPECT_EQ(planOf(productOf("128x32", "32x128", "128x128", "f8E5M2", "f32")).threads, 256);
  target.tuning.mostAccumulators = 128;
  EXPECT_EQ(planOf(productOf("128x32", "32x128", "128x128", "f32", "f32")).threads, 128);
  target.tuning.mostLeanAccumulators = 128;
  EXPECT_EQ(planOf(productOf("128x64", "64x128", "128x128", "f16", "f32")).threads, 128);
  target.tuning.mostLeanAccumulators = 127;
  EXPECT_EQ(planOf(productOf("128x64", "64x128", "128x128", "f16", "f32")).threads, 256);
}

/// 16 steps along k of 128 rows and 128 columns of 2 bytes take 8 KiB.
TEST_F(NvidiaPlan, whatTakesTooMuchSharedMemoryIsMultipliedWithoutMatrixInstructions) {
  const std::string product = productOf("128x64", "64x128", "128x128", "f16", "f32");
  target.tuning.mostStepBytes = 8192;
  EXPECT_EQ(planOf(product).matrices.size(), 1u);
  target.tuning.mostStepBytes = 8191;
  EXPECT_EQ(planOf(product).matrices.size(), 0u);
}

/// A loop over products of 64x64 by 64x64 f16 from memory: a stage takes 16 KiB.
static std::string loopOfProducts() {
  const llvm::StringRef tensor = "tensor_view<512x512xf16, strides=[512,1]>",
                        view = "partition_view<tile=(64x64), tensor_view<512x512xf16, "
                               "strides=[512,1]>>";
  return llvm::formatv("%z = constant <i32: 0> : tile<i32>\n"
                       "%n = constant <i32: 8> : tile<i32>\n"
                       "%s = constant <i32: 1> : tile<i32>\n"
                       "%b = constant <i64: 4096> : tile<i64>\n"
                       "%p = int_to_ptr %b : tile<i64> -> tile<ptr<f16>>\n"
                       "%t = make_tensor_view %p, shape = [512, 512], strides = [512, 1] : {0}\n"
                       "%v = make_partition_view %t : {1}\n"
                       "%c = constant <f32: 0.0> : tile<64x64xf32>\n"
                       "%r = for %k in (%z to %n, step %s) : tile<i32> iter_values(%a = %c) -> "
                       "(tile<64x64xf32>) {{\n"
                       "%x, %xt = load_view_tko weak %v[%z, %k] : {1}, tile<i32> -> "
                       "tile<64x64xf16>, token\n"
                       "%y, %yt = load_view_tko weak %v[%k, %z] : {1}, tile<i32> -> "
                       "tile<64x64xf16>, token\n"
                       "%d = mmaf %x, %y, %a : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>\n"
                       "continue %d : tile<64x64xf32>\n}",
                       tensor, view);
}

TEST_F(NvidiaPlan, loopsHaveAsManyStagesAsFitInSharedMemory) {
  target = *Target::named("sm_80"); // no mbarriers beside the stages
  target.use(SharedMemoryForm::Dynamic);
  auto stages = [&]() -> int64_t {
    Plan plan = planOf(loopOfProducts());
    return plan.pipelines.empty() ? 0 : plan.pipelines.front().second.stages;
  };
  EXPECT_EQ(stages(), 3);
  target.tuning.mostStagedBytes = 48 << 10;
  EXPECT_EQ(stages(), 3);
  target.tuning.mostStagedBytes = (48 << 10) - 1;
  EXPECT_EQ(stages(), 2);
  target.tuning = {};
  target.tuning.mostStages = 4;
  EXPECT_EQ(stages(), 4);
  target.tuning.mostStages = 1;
  EXPECT_EQ(stages(), 0);
  // All but three stages.
  target.tuning = {};
  target.tuning.reservedExchangeBytes = target.sharedBytes - (48 << 10);
  EXPECT_EQ(stages(), 3);
  ++target.tuning.reservedExchangeBytes;
  EXPECT_EQ(stages(), 2);
}

/// The accumulator of a product is coalesced with its result; two that are live at the same time
/// are not.
TEST_F(NvidiaPlan, sumsThatBecomeOthersCountOnce) {
  const std::string first = productOf("128x64", "64x128", "128x128", "f16", "f32");
  auto another = [](llvm::StringRef result, llvm::StringRef sums) {
    return llvm::formatv("\n%{0} = mmaf %a, %b, %{1} : tile<128x64xf16>, tile<64x128xf16>, "
                         "tile<128x128xf32>",
                         result, sums)
        .str();
  };
  const std::string use = "\n%u = addf %d, %e : tile<128x128xf32>";
  EXPECT_EQ(planOf(first + another("e", "d")).threads, 128);
  EXPECT_EQ(planOf(first + another("e", "c")).threads, 128); // the first is dead
  EXPECT_EQ(planOf(first + another("e", "c") + use).threads, 256);
  // Before, in and after a loop, and in a branch.
  const std::string loop = "\n%n = constant <i32: 4> : tile<i32>"
                           "\n%t = constant <i1: 1> : tile<i1>"
                           "\n%r = for %i in (%n to %n, step %n) : tile<i32> "
                           "iter_values(%s = %d) -> (tile<128x128xf32>) {"
                           "\n%x = if %t -> (tile<128x128xf32>) {" +
                           another("y", "s") +
                           "\nyield %y : tile<128x128xf32>\n} else {\nyield %s : "
                           "tile<128x128xf32>\n}"
                           "\ncontinue %x : tile<128x128xf32>\n}";
  EXPECT_EQ(planOf(first + loop + another("e", "r")).threads, 128);
  EXPECT_EQ(planOf(first + loop + another("e", "d")).threads, 256); // the loop carries other tiles
}

/// Tiles that are all live at an operation between their definitions and their uses.
static std::string heldTiles(int count, const std::string &type, const std::string &between = "") {
  const llvm::StringRef extent = llvm::StringRef(type).split('x').first;
  std::string made, read;
  for (int tile = 0; tile < count; ++tile) {
    made += llvm::formatv("%i{0} = iota : tile<{1}xi32>\n"
                          "%t{0} = itof %i{0} signed : tile<{1}xi32> -> tile<{2}>\n",
                          tile, extent, type);
    read += llvm::formatv("%s{0} = addf %{1}, %t{0} : tile<{2}>\n", tile,
                          tile ? "s" + std::to_string(tile - 1) : std::string("t0"), type);
  }
  return made + between + read;
}

/// With 4 warps, a thread has 32 words of 4096 f32, and 64 of f64; the limit is 128 words, as long
/// as more warps reduce that.
TEST_F(NvidiaPlan, tilesThatAreThereAtTheSameTimeDecideHowManyWarpsThereAre) {
  EXPECT_EQ(planOf(heldTiles(4, "4096xf32")).threads, 128);
  EXPECT_EQ(planOf(heldTiles(4, "4096xf32")).heldWords, 4 * 32);
  EXPECT_EQ(planOf(heldTiles(8, "4096xf32")).threads, 256);
  EXPECT_EQ(planOf(heldTiles(8, "4096xf32")).heldWords, 8 * 16);
  EXPECT_EQ(planOf(heldTiles(8, "4096xf64")).threads, 512);
  EXPECT_EQ(planOf(heldTiles(64, "4096xf32")).threads, 512); // the maximum
  EXPECT_EQ(planOf(heldTiles(140, "128xf32")).threads, 128);
  target.tuning.mostLiveRegisters = 127;
  EXPECT_EQ(planOf(heldTiles(4, "4096xf32")).threads, 256);
  target.tuning.doublingPercent = 49; // twice the warps leave half of the words
  EXPECT_EQ(planOf(heldTiles(4, "4096xf32")).threads, 128);
}

/// An innermost loop in which a thread loads 32 elements, with 255 registers, of which five eighths
/// are for tiles and addresses.
TEST_F(NvidiaPlan, loopsComputeAddressesAnewIfTilesTakeTheRegisters) {
  const std::string loop =
      "%n = constant <i32: 4> : tile<i32>\n"
      "%z = constant <i64: 0> : tile<i64>\n"
      "%p = int_to_ptr %z : tile<i64> -> tile<ptr<f32>>\n"
      "%v = make_tensor_view %p, shape = [4096], strides = [1] : "
      "tensor_view<4096xf32, strides=[1]>\n"
      "%w = make_partition_view %v : partition_view<tile=(4096), "
      "tensor_view<4096xf32, strides=[1]>>\n"
      "for %k in (%n to %n, step %n) : tile<i32> {\n"
      "%l, %lt = load_view_tko weak %w[%k] : partition_view<tile=(4096), "
      "tensor_view<4096xf32, strides=[1]>>, tile<i32> -> tile<4096xf32>, token\n"
      "%pt = print_tko \"%f\", %l : tile<4096xf32> -> token\n"
      "continue\n}\n";
  EXPECT_TRUE(
      planOf(heldTiles(1, "4096xf32", loop)).addressedAnew.empty()); // 64 words, 32 addresses
  EXPECT_EQ(planOf(heldTiles(4, "4096xf32", loop)).addressedAnew.size(), 0u); // 8 warps: 80 and 16
  EXPECT_EQ(planOf(heldTiles(3, "4096xf32", loop)).addressedAnew.size(), 1u); // 128 and 32
  target.tuning.mostTileEighths = 6;
  EXPECT_EQ(planOf(heldTiles(3, "4096xf32", loop)).addressedAnew.size(), 0u);
}

/// Pieces divide the elements of a thread evenly.
TEST_F(NvidiaPlan, piecesHaveAPowerOfTwoOfRegisters) {
  const Plan plan = planOf("%t = iota : tile<4096xi32>");
  EXPECT_EQ(plan.slotsOfPiece(), 32);
  target.tuning.pieceRegisters = 31;
  EXPECT_EQ(plan.slotsOfPiece(), 16);
}

/// A thread has 4 elements of a row of 64, so 8 warps cover 16 of 128 rows at a time; of the column
/// that is repeated along rows, a thread has one element for each of its 8 rows.
TEST_F(NvidiaPlan, repeatedElementsAreHeldOnce) {
  const Plan plan = planOf("%i = iota : tile<128xi32>\n"
                           "%c = addi %i, %i : tile<128xi32>\n"
                           "%r = reshape %c : tile<128xi32> -> tile<128x1xi32>\n"
                           "%b = broadcast %r : tile<128x1xi32> -> tile<128x64xi32>\n");
  EXPECT_EQ(plan.heldWords, 8);
}

/// Two fragments of 8 columns, one with the even and one with the odd columns; two warps.
TEST_F(NvidiaPlan, sumsOfPairsAreFourNeighbours) {
  MatrixProduct product{{"m16n8k32.row.col.s8", 16}, 1, 16, 32, 32, 1, 1, 2, /*isPaired=*/true};
  EXPECT_EQ(product.layout(64).text(), "slot 0..1, lane 0..1, warp 0, lane 2..4, slot 2");
  EXPECT_EQ(product.slotsOf(0, 0, 0), (llvm::SmallVector<int64_t, 4>{0, 2, 4, 6}));
  EXPECT_EQ(product.slotsOf(0, 0, 1), (llvm::SmallVector<int64_t, 4>{1, 3, 5, 7}));
  product.isPaired = false;
  EXPECT_EQ(product.slotsOf(0, 0, 1), (llvm::SmallVector<int64_t, 4>{4, 5, 6, 7}));
}

/// The accumulator of m16n8k16 (PTX ISA, 9.7.15.5.8): element i of a lane is in row lane / 4, plus
/// 8 from i = 2 on, and in column 2 * (lane % 4) + i % 2.
TEST_F(NvidiaPlan, sumsAreWhereTheInstructionPutsThem) {
  MatrixProduct product{{"m16n8k16.row.col.f32.f32", 16}, 1, 64, 32, 16, 2, 2, 2};
  TileLayout layout = product.layout(128);
  ASSERT_EQ(layout.slots(), 16);
  for (int64_t warp = 0; warp < 4; ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t slot = 0; slot < 16; ++slot) {
        int64_t i = slot % 4, fragmentN = slot / 4 % 2, fragmentM = slot / 8;
        int64_t row = warp / 2 * 32 + fragmentM * 16 + lane / 4 + i / 2 * 8;
        int64_t column = warp % 2 * 16 + fragmentN * 8 + lane % 4 * 2 + i % 2;
        EXPECT_EQ(layout.indexOf(warp * 32 + lane, slot), row * 32 + column);
      }
}

TEST_F(NvidiaPlan, chainsOfMultiplyAddsTakeAsManyStepsAsFit) {
  // A step has 128 rows and 128 columns of 4 bytes; 32 of them take 32 KiB.
  Plan plan = planOf("%a = constant <f32: 1.0> : tile<128x64xf32>\n"
                     "%b = constant <f32: 1.0> : tile<64x128xf32>\n"
                     "%c = constant <f32: 0.0> : tile<128x128xf32>\n"
                     "%d = mmaf %a, %b, %c : tile<128x64xf32>, tile<64x128xf32>, "
                     "tile<128x128xf32>");
  EXPECT_TRUE(plan.matrices.empty());
  Exchange exchange = exchangeOf(plan);
  EXPECT_EQ(exchange.window, 32);
  EXPECT_EQ(exchange.windows, 2);
  EXPECT_EQ(exchange.bytes, 32768);
}

/// 16384 rows and a column of 4 bytes are more than 48 KiB.
TEST_F(NvidiaPlan, aStepOfAProductMayTakeAllSharedMemoryOfTheTarget) {
  auto exchangeFor = [&](const char *name) {
    target = *Target::named(name);
    return exchangeOf(planOf("%a = constant <f32: 1.0> : tile<16384x1xf32>\n"
                             "%b = constant <f32: 1.0> : tile<1x1xf32>\n"
                             "%d = mmaf %a, %b, %a : tile<16384x1xf32>, tile<1x1xf32>, "
                             "tile<16384x1xf32>"));
  };
  EXPECT_EQ(exchangeFor("sm_80").window, 0);
  EXPECT_EQ(exchangeFor("sm_90a").window, 1);
  EXPECT_EQ(exchangeFor("sm_90a").bytes, 65540);
}

/// Fragments have 8 elements of a row in 4 lanes, two in each. For 16 bytes per lane, f32 needs one
/// lane bit to become a register bit, and f16 two.
TEST_F(NvidiaPlan, sumsAreStoredBy16BytesAfterShuffles) {
  auto storeOf = [&](const std::string &type) {
    std::string view =
        "partition_view<tile=(32x32), tensor_view<32x32x" + type + ", strides=[32,1]>>";
    std::string text =
        "%p = constant <i64: 4096> : tile<i64>\n"
        "%q = int_to_ptr %p : tile<i64> -> tile<ptr<" +
        type +
        ">>\n"
        "%v = make_tensor_view %q, shape = [32, 32], strides = [32, 1] : tensor_view<32x32x" +
        type + ", strides=[32,1]>\n%w = make_partition_view %v : " + view +
        "\n"
        "%a = constant <f16: 1.0> : tile<32x16xf16>\n%b = constant <f16: 1.0> : tile<16x32xf16>\n"
        "%c = constant <" +
        type + ": 0.0> : tile<32x32x" + type +
        ">\n"
        "%d = mmaf %a, %b, %c : tile<32x16xf16>, tile<16x32xf16>, tile<32x32x" +
        type +
        ">\n"
        "%z = constant <i32: 0> : tile<i32>\n"
        "%t = store_view_tko weak %d, %w[%z, %z] : tile<32x32x" +
        type + ">, " + view + ", tile<i32> -> token";
    return planOf(text);
  };
  auto swapsOf = [&](const std::string &type) -> size_t {
    Plan plan = storeOf(type);
    for (const auto &[op, exchange] : plan.exchanges)
      if (llvm::isa<tile::StoreViewOp>(op))
        return exchange.swaps ? exchange.swaps->swaps.size() : 0;
    return 0;
  };
  EXPECT_EQ(swapsOf("f32"), 1u);
  EXPECT_EQ(swapsOf("f16"), 2u);
}

/// Conversion of a layout by rows to one by columns: every element has its own place, and neither
/// writes nor reads have bank conflicts.
TEST_F(NvidiaPlan, lanesMeetInNoBankOfSharedMemory) {
  llvm::SmallVector<unsigned> byRows = llvm::to_vector(llvm::seq(0u, 12u)), byColumns;
  for (unsigned at = 0; at < 12; ++at)
    byColumns.push_back((at + 6) % 12);
  for (int64_t wordBytes : {1, 2, 4, 8}) {
    int64_t width = 16 / wordBytes;
    TileLayout rows = TileLayout::blocked(byRows, 128, width, target.tuning);
    TileLayout columns = TileLayout::blocked(byColumns, 128, width, target.tuning);
    SharedPlaces places(SharedSide(rows), SharedSide(columns), wordBytes, 12);
    std::set<int64_t> taken;
    for (int64_t number = 0; number < 4096; ++number)
      taken.insert(places.placeOf(number));
    EXPECT_EQ(taken.size(), 4096u);
    EXPECT_EQ(*taken.rbegin(), 4095);
    for (auto [layout, slots] : {std::pair(&rows, places.givenSlots.size()),
                                 std::pair(&columns, places.takenSlots.size())}) {
      int64_t bytes = wordBytes << slots, lanes = bytes <= 4 ? 32 : 128 / bytes;
      std::map<int64_t, std::set<int64_t>> wordsOfBank;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        int64_t word = places.placeOf(layout->indexOf(lane, 0)) * wordBytes / 4;
        wordsOfBank[word % 32].insert(word);
      }
      for (const auto &[bank, words] : wordsOfBank)
        EXPECT_EQ(words.size(), 1u) << wordBytes << " bytes, bank " << bank;
    }
  }
}

TEST_F(NvidiaPlan, tilesInABodyAreTheThreadsOwn) {
  Plan plan = planOf("%t = iota : tile<256xi32>\n"
                     "%r = reduce %t dim=0 identities=[0 : i32] : tile<256xi32> -> tile<i32>\n"
                     "(%x: tile<i32>, %acc: tile<i32>) {\n"
                     "%x1 = reshape %x : tile<i32> -> tile<1xi32>\n"
                     "%acc1 = reshape %acc : tile<i32> -> tile<1xi32>\n"
                     "%both = cat %x1, %acc1 dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>\n"
                     "%z = constant <i32: 0> : tile<i32>\n"
                     "%one = extract %both[%z] : tile<2xi32> -> tile<1xi32>\n"
                     "%m = reshape %one : tile<1xi32> -> tile<i32>\n"
                     "yield %m : tile<i32>\n}");
  EXPECT_EQ(exchangeOf(plan).reason, ExchangeReason::Combined);
  module->walk([&](tile::CatOp cat) {
    EXPECT_TRUE(plan.layoutOf(cat.getResult()).isPrivate());
    EXPECT_EQ(plan.layoutOf(cat.getResult()).slots(), 2);
  });
}

TEST_F(NvidiaPlan, allocasThatOtherBlocksReachAreInAPool) {
  Plan plan = planOf("%p = alloca num_elem = 3, alignment = 4 global : tile<ptr<i32>>\n"
                     "%q = alloca num_elem = 1, alignment = 64 global : tile<ptr<i64>>");
  EXPECT_TRUE(plan.allocas.empty());
  ASSERT_EQ(plan.globalAllocas.size(), 2u);
  EXPECT_EQ(plan.globalAllocas.front().second, 0);
  EXPECT_EQ(plan.globalAllocas.back().second, 64);
  EXPECT_EQ(plan.pool.bytes, 128);
  EXPECT_EQ(plan.shared.bytes, 16); // the number of the pool's part
}

/// Each has its own address (operations, 7.2).
TEST_F(NvidiaPlan, allocasWithoutElementsHaveAddresses) {
  Plan plan = planOf("%p = alloca num_elem = 0, alignment = 4 : tile<ptr<i32>>\n"
                     "%q = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>\n"
                     "%r = alloca num_elem = 0, alignment = 4 global : tile<ptr<i32>>");
  EXPECT_EQ(plan.allocas.front().second, 1024);
  EXPECT_EQ(plan.allocas.back().second, 1040);
  EXPECT_EQ(plan.pool.bytes, 16);
}

TEST_F(NvidiaPlan, hugeAllocasDoNotOverflow) {
  // 2^59 elements of 32 bits are 2^64 bits.
  Plan plan = planOf("%p = alloca num_elem = 576460752303423488, alignment = 4 : tile<ptr<i32>>\n"
                     "%q = alloca num_elem = 9223372036854775807, alignment = 8 : tile<ptr<i64>>\n"
                     "%r = alloca num_elem = 4, alignment = 4 : tile<ptr<i32>>");
  EXPECT_GT(plan.shared.bytes, plan.target.sharedBytes);
}

TEST_F(NvidiaPlan, allocasAreAsAlignedAsTheySay) {
  Plan plan = planOf("%p = alloca num_elem = 4, alignment = 4096 : tile<ptr<i32>>\n" +
                     transposed("16x16", "i32", 256));
  EXPECT_EQ(plan.shared.alignment, 4096);
  EXPECT_EQ(plan.allocas.front().second, 4096);
}

TEST_F(NvidiaPlan, allocasLieBehindTheScratchMemory) {
  Plan plan = planOf("%p = alloca num_elem = 100, alignment = 4 : tile<ptr<i32>>\n" +
                     transposed("16x16", "i32", 256));
  ASSERT_EQ(plan.allocas.size(), 1u);
  EXPECT_EQ(plan.allocas.front().second, 1024);
  EXPECT_EQ(plan.shared.bytes, 1024 + 400);
}

} // namespace
