// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests estimates of launches: which blocks run, what the document says, and errors.

#include "tilewright/api/devices/Testing.h"
#include "tilewright/api/estimate/Estimate.h"

#include "llvm/Support/JSON.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;
namespace json = llvm::json;

namespace {

json::Object estimated(const char *text, int64_t blocks, std::vector<Argument> arguments,
                       const EstimateOptions &options = {}) {
  auto result = estimateKernel(entryOf(text), *runtime::Grid::create(blocks), arguments, options);
  EXPECT_TRUE(result) << result.failure().message;
  return *llvm::cantFail(json::parse(result->json)).getAsObject();
}

std::string failureOf(const char *text, int64_t blocks, std::vector<Argument> arguments,
                      const EstimateOptions &options = {}) {
  auto result = estimateKernel(entryOf(text), *runtime::Grid::create(blocks), arguments, options);
  EXPECT_FALSE(result);
  return result ? "" : result.failure().message;
}

/// The sectors that were counted, and the seconds on the first GPU.
int64_t sectorsIn(const json::Object &document) {
  return *document.getObject("counters")->getObject("global")->getInteger("sectors");
}
const json::Object &gpuIn(const json::Object &document) {
  return *document.getArray("gpus")->front().getAsObject();
}

TEST(Estimate, RunsSomeBlocks) {
  Numbers numbers(100, 7);
  const std::vector<Argument> arguments{arrayOf(numbers), number(1)};
  // Each of four warps loads the number of the block, and one stores it: five sectors.
  const json::Object some = estimated(addition, 100, arguments);
  EXPECT_EQ(some.getInteger("blocks"), 4);
  EXPECT_EQ(sectorsIn(some), 20);
  EstimateOptions options;
  options.blocks = 0;
  const json::Object all = estimated(addition, 100, arguments, options);
  EXPECT_EQ(all.getInteger("blocks"), 100);
  EXPECT_EQ(sectorsIn(all), 500);
  // All blocks do the same, so that the estimates are equal.
  EXPECT_DOUBLE_EQ(*gpuIn(some).getNumber("seconds"), *gpuIn(all).getNumber("seconds"));
  EXPECT_EQ(numbers, Numbers(100, 7)) << "the arrays keep their values";
}

TEST(Estimate, SamplesAllDimensionsOfTheGrid) {
  // Block (x, y) adds x + 1 times. Four blocks at equal distances of a grid of 32x16 would have x =
  // 0.
  static const char triangle[] = R"(cuda_tile.module @m {
    entry @add(%p: tile<ptr<i32>>, %n: tile<i32>) {
      %x, %y, %z = get_tile_block_id : tile<i32>
      %zero = constant <i32: 0> : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %end = addi %x, %one : tile<i32>
      %sum = for %i in (%zero to %end, step %one) : tile<i32> iter_values(%s = %n) -> (tile<i32>) {
        %old, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
        %next = addi %s, %old : tile<i32>
        continue %next : tile<i32>
      }
      %u = store_ptr_tko weak %p, %sum : tile<ptr<i32>>, tile<i32> -> token
    }
  })";
  Numbers numbers(1);
  const std::vector<Argument> arguments{arrayOf(numbers), number(1)};
  const auto secondsOf = [&](int64_t blocks) {
    EstimateOptions options;
    options.blocks = blocks;
    const auto result =
        estimateKernel(entryOf(triangle), *runtime::Grid::create(32, 16), arguments, options);
    EXPECT_TRUE(result) << result.failure().message;
    const json::Value document = llvm::cantFail(json::parse(result->json));
    return *gpuIn(*document.getAsObject()).getObject("bounds")->getNumber("instructions");
  };
  const double all = secondsOf(0), some = secondsOf(4);
  EXPECT_LT(some, 2 * all);
  EXPECT_GT(some, all / 2);
}

TEST(Estimate, RunsAllBlocksOfASmallGrid) {
  Numbers numbers(3);
  EXPECT_EQ(estimated(addition, 3, {arrayOf(numbers), number(1)}).getInteger("blocks"), 3);
}

TEST(Estimate, CountsProducts) {
  Numbers numbers(1);
  const json::Object document = estimated(R"(cuda_tile.module @m {
    entry @k(%x: tile<ptr<i32>>, %n: tile<i32>) {
      %a = constant <f16: 1.0> : tile<64x64xf16>
      %b = constant <f16: 1.0> : tile<64x64xf16>
      %c = constant <f32: 0.0> : tile<64x64xf32>
      %d = mmaf %a, %b, %c : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %i = ftoi %d signed rounding<nearest_int_to_zero> : tile<64x64xf32> -> tile<64x64xi32>
      %r = reduce %i dim=1 identities=[0 : i32] : tile<64x64xi32> -> tile<64xi32>
        (%p: tile<i32>, %q: tile<i32>) {
          %s = addi %p, %q : tile<i32>
          yield %s : tile<i32>
        }
      %t = reduce %r dim=0 identities=[0 : i32] : tile<64xi32> -> tile<i32>
        (%p: tile<i32>, %q: tile<i32>) {
          %s = addi %p, %q : tile<i32>
          yield %s : tile<i32>
        }
      %u = store_ptr_tko weak %x, %t : tile<ptr<i32>>, tile<i32> -> token
    }
  })",
                                          1, {arrayOf(numbers), number(1)});
  EXPECT_EQ(document.getObject("counters")->getObject("products")->getInteger("f16"), 64 * 64 * 64);
}

TEST(Estimate, SaysWhatABlockNeeds) {
  Numbers numbers(1);
  const json::Object document = estimated(addition, 1, {arrayOf(numbers), number(1)});
  EXPECT_EQ(document.getString("kernel"), "add");
  EXPECT_EQ(document.getString("target"), "sm_90a");
  EXPECT_GT(document.getInteger("threads"), 0);
  // With ptxas there are registers, without it a reason.
  EXPECT_NE(document.getInteger("registers").has_value(),
            document.getString("ptxas_failure").has_value());
  EXPECT_GT(document.getObject("occupancy")->getInteger("blocks"), 0);
  EXPECT_EQ(document.getArray("gpus")->size(), 2u) << "H100 and H200";
}

TEST(Estimate, TargetsWithoutPublishedFigures) {
  Numbers numbers(1);
  EstimateOptions options;
  options.target = "sm_86";
  const json::Object document = estimated(addition, 1, {arrayOf(numbers), number(1)}, options);
  EXPECT_TRUE(document.getArray("gpus")->empty());
}

TEST(Estimate, RefusesWrongOptions) {
  Numbers numbers(1);
  const std::vector<Argument> arguments{arrayOf(numbers), number(1)};
  EstimateOptions options;
  options.blocks = -1;
  EXPECT_EQ(failureOf(addition, 1, arguments, options),
            "expected a number of blocks from 0, but got -1");
  options = {};
  options.target = "sm_12";
  EXPECT_NE(failureOf(addition, 1, arguments, options).find("sm_12"), std::string::npos);
  EXPECT_NE(failureOf(addition, 1, {number(1)}), "");
}

TEST(Estimate, SaysThatABlockDoesNotEnd) {
  EstimateOptions options;
  options.maxSteps = 1000;
  EXPECT_NE(failureOf(endless, 1, {}, options).find("a block does not run to its end: "),
            std::string::npos);
}

TEST(Estimate, ReportsAccessesOutsideOfArrays) {
  Numbers numbers(2);
  EXPECT_NE(failureOf(addition, 8, {arrayOf(numbers), number(1)}), "");
}

TEST(Estimate, CanBeCancelled) {
  const std::atomic<bool> cancelled = true;
  EstimateOptions options;
  options.cancelled = &cancelled;
  Numbers numbers(100);
  const auto result = estimateKernel(entryOf(addition), *runtime::Grid::create(100),
                                     {arrayOf(numbers), number(1)}, options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->isCancelled);
}

} // namespace
