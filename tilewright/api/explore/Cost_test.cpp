// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests occupancy and the number of floating-point operations, by hand.

#include "tilewright/api/devices/Testing.h"
#include "tilewright/api/explore/Explore.h"
#include "tilewright/api/explore/Gpus.h"
#include "tilewright/nvidia/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;
namespace json = llvm::json;

namespace {

Occupancy occupancyOn(llvm::StringRef sm, const BlockResources &block) {
  for (const Multiprocessor &multiprocessor : multiprocessors())
    if (multiprocessor.sm == sm)
      return occupancyOf(block, multiprocessor);
  ADD_FAILURE() << "no multiprocessor " << sm.str();
  return {};
}

TEST(Occupancy, IsLimitedByTheScarcestResource) {
  const auto check = [](llvm::StringRef sm, BlockResources block, int64_t blocks, double share,
                        llvm::StringRef limiter) {
    const Occupancy occupancy = occupancyOn(sm, block);
    EXPECT_EQ(occupancy.blocks, blocks);
    EXPECT_EQ(occupancy.warps, blocks * ((block.threads + 31) / 32));
    EXPECT_DOUBLE_EQ(occupancy.share, share);
    EXPECT_EQ(occupancy.limiter, limiter);
  };
  // 2048 / 128 = 16 blocks, for which 65536 / (32 * 128) = 16 have registers.
  check("sm_90a", {128, 0, 32}, 16, 1, "threads");
  // 33 registers take 40: 65536 / (40 * 128) = 12.8.
  check("sm_90a", {128, 0, 33}, 12, 0.75, "registers");
  // 228 KiB / (48 + 1 KiB) = 4.65.
  check("sm_90a", {128, 48 << 10, 32}, 4, 0.25, "shared memory");
  // One byte more than 1 KiB rounds up to 1152 + 1024 bytes: 228 KiB / 2176 = 107, so 32 blocks
  // fit.
  check("sm_90a", {32, 1025, 32}, 32, 0.5, "blocks");
  // Without a reserved KiB: 64 KiB / 16 KiB = 4, and 1024 / 128 = 8.
  check("sm_75", {128, 16 << 10, 32}, 4, 0.5, "shared memory");
  // 65 KiB do not fit at all.
  check("sm_75", {128, 65 << 10, 32}, 0, 0, "shared memory");
  // Unknown registers limit nothing.
  check("sm_89", {256, 0, std::nullopt}, 6, 1, "threads");
  // 33 threads are two warps.
  check("sm_90a", {33, 0, 32}, 32, 1, "threads");
}

TEST(Occupancy, IsKnownForAllTargets) {
  const auto targets = nvidia::Target::all();
  ASSERT_EQ(targets.size(), multiprocessors().size());
  for (auto [target, multiprocessor] : llvm::zip_equal(targets, multiprocessors())) {
    EXPECT_EQ(target.cpu, multiprocessor.sm);
    // What a block can have at most fits, with the reserved KiB.
    EXPECT_LE(target.mostSharedBytes + multiprocessor.reservedBytes, multiprocessor.sharedBytes);
  }
  for (const Gpu &gpu : gpus())
    EXPECT_TRUE(nvidia::Target::named(std::string_view(gpu.sm.data(), gpu.sm.size())))
        << gpu.name.str();
}

json::Object costOf(const char *text, int64_t blocks, std::vector<Argument> arguments) {
  auto result = exploreKernel(entryOf(text), *runtime::Grid::create(blocks), arguments);
  EXPECT_TRUE(result) << result.failure().message;
  return *llvm::cantFail(json::parse(result->json)).getAsObject()->getObject("cost");
}

TEST(Cost, CountsFloatingPointOperations) {
  const json::Object cost = costOf(R"(cuda_tile.module @m {
    entry @k(%x: tile<ptr<f32>>) {
      %a = constant <f16: 1.0> : tile<16x32xf16>
      %b = constant <f16: 1.0> : tile<32x8xf16>
      %c = constant <f32: 0.0> : tile<16x8xf32>
      %d = mmaf %a, %b, %c : tile<16x32xf16>, tile<32x8xf16>, tile<16x8xf32>
      %e = fma %d, %d, %c : tile<16x8xf32>
      %f = exp %e : tile<16x8xf32>
      %g = cmpf less_than ordered %f, %e : tile<16x8xf32> -> tile<16x8xi1>
      %r = reduce %f dim=1 identities=[0.0 : f32] : tile<16x8xf32> -> tile<16xf32>
        (%p: tile<f32>, %q: tile<f32>) {
          %s = addf %p, %q : tile<f32>
          yield %s : tile<f32>
        }
      %t = reduce %r dim=0 identities=[0.0 : f32] : tile<16xf32> -> tile<f32>
        (%p: tile<f32>, %q: tile<f32>) {
          %s = addf %p, %q : tile<f32>
          yield %s : tile<f32>
        }
      %u = store_ptr_tko weak %x, %t : tile<ptr<f32>>, tile<f32> -> token
    }
  })",
                                   1, {[] {
                                     static float x = 0;
                                     static const int64_t shape[] = {1};
                                     return *Array::create(&x, Format::F32, shape);
                                   }()});
  // mmaf: 2 * 16 * 8 * 32; fma: 2 * 128; exp: 128; the sums: 16 * 7 and 15.
  const int64_t operations = 8192 + 256 + 128 + 112 + 15;
  EXPECT_EQ(cost.getInteger("floating_point_operations"), operations);
  // One sector is stored.
  EXPECT_EQ(cost.getInteger("bytes_moved"), 32);
  EXPECT_EQ(cost.getNumber("intensity"), double(operations) / 32);
}

TEST(Cost, NamesResourcesAndGpus) {
  Numbers x(5);
  const json::Object cost = costOf(addition, 5, {arrayOf(x), number(1)});
  EXPECT_EQ(cost.getInteger("shared_bytes"), 0);
  EXPECT_EQ(cost.getInteger("floating_point_operations"), 0) << "addi is none";
  const int64_t threads = *cost.getInteger("threads");
  EXPECT_EQ(cost.getInteger("bytes_moved"), 5 * (threads / 32 + 1) * 32)
      << "in each block, every warp loads the number, and one thread stores it";
  for (const json::Value &row : *cost.getArray("occupancy")) {
    EXPECT_LE(*row.getAsObject()->getInteger("blocks") * threads, 2048);
    EXPECT_LE(*row.getAsObject()->getNumber("share"), 1);
  }
  EXPECT_EQ(cost.getArray("occupancy")->size(), multiprocessors().size());
  // Registers are known if and only if ptxas works.
  EXPECT_NE(cost.getInteger("registers").has_value(), cost.getString("ptxas_failure").has_value());
  EXPECT_EQ(cost.getInteger("registers").has_value(), cost.getInteger("spill_bytes").has_value());
  const json::Object &h100 = *(*cost.getArray("gpus"))[3].getAsObject();
  EXPECT_EQ(h100.getString("name"), "H100 SXM");
  EXPECT_EQ(h100.getObject("peak")->getNumber("f16"), 989.4e12);
  EXPECT_FALSE((*cost.getArray("gpus"))[1].getAsObject()->getObject("peak")->get("f8"));
}

TEST(Cost, IsPartlyKnownIfTheKernelCannotRunOnThePtxMachine) {
  Numbers x(4);
  const json::Object cost = costOf(racing, 1, {Multicast{{arrayOf(x)}}});
  EXPECT_TRUE(cost.get("bytes_moved")->getAsNull() && cost.get("intensity")->getAsNull());
  EXPECT_TRUE(cost.getInteger("threads"));
}

} // namespace
