// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who holds which element, and what goes through shared memory?

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::nvidia;

namespace {

class NvidiaPlan : public testing::Test {
protected:
  NvidiaPlan() { context.loadDialect<tile::TileDialect>(); }

  /// Of an entry with this body.
  Plan planOf(const std::string &body) {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "cuda_tile.module @m {\n entry @k() {\n" + body + "\nreturn\n}\n}\n", &context);
    EXPECT_TRUE(bool(module));
    tile::EntryOp entry;
    module->walk([&](tile::EntryOp found) { entry = found; });
    return Plan(entry, target);
  }
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
  TileLayout layout{32, 128};
  EXPECT_TRUE(layout.isReplicated());
  EXPECT_EQ(layout.slots(), 1);
  EXPECT_FALSE((TileLayout{128, 128}.isReplicated()));
}

TEST_F(NvidiaPlan, upToFourElementsOfAThreadAreSideBySide) {
  EXPECT_EQ((TileLayout{128, 128}.width()), 1);
  EXPECT_EQ((TileLayout{256, 128}.width()), 2);
  EXPECT_EQ((TileLayout{4096, 128}.width()), 4);
  EXPECT_TRUE((TileLayout{2048, 128}.isInRegisters()));  // 16 of them
  EXPECT_FALSE((TileLayout{4096, 128}.isInRegisters())); // 32
}

TEST_F(NvidiaPlan, largeTilesGetMoreThreads) {
  EXPECT_EQ(planOf("%t = iota : tile<8192xi32>").threads, 128);
  EXPECT_EQ(planOf("%t = iota : tile<16384xi32>").threads, 256);
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
  Plan plan = planOf("%t = iota : tile<256xi32>\n"
                     "%r = reshape %t : tile<256xi32> -> tile<16x16xi32>\n"
                     "%p = permute %r [1, 0] : tile<16x16xi32> -> tile<16x16xi32>");
  Exchange exchange = exchangeOf(plan);
  EXPECT_EQ(exchange.reason, ExchangeReason::Rearranged);
  EXPECT_EQ(exchange.windows, 1);
  EXPECT_EQ(exchange.bytes, 1024);
}

TEST_F(NvidiaPlan, whatDoesNotFitGoesInWindows) {
  // 65536 elements of 8 bytes, of which 4096 are the most that 48 KiB hold.
  Plan plan = planOf("%t = iota : tile<65536xi64>\n"
                     "%r = reshape %t : tile<65536xi64> -> tile<256x256xi64>\n"
                     "%p = permute %r [1, 0] : tile<256x256xi64> -> tile<256x256xi64>");
  Exchange exchange = exchangeOf(plan);
  EXPECT_EQ(exchange.window, 4096);
  EXPECT_EQ(exchange.windows, 16);
  EXPECT_EQ(exchange.bytes, 32768);
}

TEST_F(NvidiaPlan, aProductTakesAsManyStepsAsFit) {
  // A step has 128 rows and 128 columns of 4 bytes; 32 of them take 32 KiB.
  Plan plan = planOf("%a = constant <f16: 1.0> : tile<128x64xf16>\n"
                     "%b = constant <f16: 1.0> : tile<64x128xf16>\n"
                     "%c = constant <f32: 0.0> : tile<128x128xf32>\n"
                     "%d = mmaf %a, %b, %c : tile<128x64xf16>, tile<64x128xf16>, "
                     "tile<128x128xf32>");
  Exchange exchange = exchangeOf(plan);
  EXPECT_EQ(exchange.reason, ExchangeReason::Multiplied);
  EXPECT_EQ(exchange.window, 32);
  EXPECT_EQ(exchange.windows, 2);
  EXPECT_EQ(exchange.bytes, 32768);
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
  EXPECT_EQ(plan.shared.bytes, 16); // which part it is
}

/// Each has an address of its own (operations, 7.2).
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
  Plan plan = planOf("%p = alloca num_elem = 4, alignment = 4096 : tile<ptr<i32>>\n"
                     "%t = iota : tile<256xi32>\n"
                     "%r = reshape %t : tile<256xi32> -> tile<16x16xi32>\n"
                     "%q = permute %r [1, 0] : tile<16x16xi32> -> tile<16x16xi32>");
  EXPECT_EQ(plan.shared.alignment, 4096);
  EXPECT_EQ(plan.allocas.front().second, 4096);
}

TEST_F(NvidiaPlan, allocasLieBehindTheScratchMemory) {
  Plan plan = planOf("%p = alloca num_elem = 100, alignment = 4 : tile<ptr<i32>>\n"
                     "%t = iota : tile<256xi32>\n"
                     "%r = reshape %t : tile<256xi32> -> tile<16x16xi32>\n"
                     "%q = permute %r [1, 0] : tile<16x16xi32> -> tile<16x16xi32>");
  ASSERT_EQ(plan.allocas.size(), 1u);
  EXPECT_EQ(plan.allocas.front().second, 1024);
  EXPECT_EQ(plan.shared.bytes, 1024 + 400);
}

} // namespace
