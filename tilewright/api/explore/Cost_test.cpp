// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the number of floating-point operations, by hand.

#include "tilewright/api/devices/Testing.h"
#include "tilewright/api/explore/Explore.h"
#include "tilewright/api/explore/Gpus.h"
#include "tilewright/nvidia/Occupancy.h"
#include "tilewright/nvidia/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;
namespace json = llvm::json;

namespace {

TEST(Gpus, HaveTargets) {
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
  EXPECT_EQ(*cost.getObject("operations_by_units"),
            (json::Object{{"f16", 8192}, {"f32", operations - 8192}}));
  EXPECT_EQ(cost.getString("units"), "f16");
}

/// The units of d = a b + c for 16 x 32 and 32 x 8 elements of these types.
std::string unitsOf(const std::string &operand, const std::string &result,
                    const std::string &product) {
  const auto tile = [](const char *shape, const std::string &type) {
    return "tile<" + std::string(shape) + "x" + type + ">";
  };
  const std::string a = tile("16x32", operand), b = tile("32x8", operand), c = tile("16x8", result);
  const std::string zero = operand[0] == 'i' ? "0" : "0.0", sum = result[0] == 'i' ? "0" : "0.0";
  const std::string text = "cuda_tile.module @m { entry @k() {\n%a = constant <" + operand + ": " +
                           zero + "> : " + a + "\n%b = constant <" + operand + ": " + zero +
                           "> : " + b + "\n%c = constant <" + result + ": " + sum + "> : " + c +
                           "\n%d = " + product + " : " + a + ", " + b + ", " + c + "\n} }";
  const json::Object cost = costOf(text.c_str(), 1, {});
  EXPECT_EQ(*cost.getObject("operations_by_units"),
            (json::Object{{*cost.getString("units"), 8192}}))
      << operand;
  return cost.getString("units")->str();
}

TEST(Cost, NamesTheUnitsOfProducts) {
  EXPECT_EQ(unitsOf("f64", "f64", "mmaf %a, %b, %c"), "f64");
  EXPECT_EQ(unitsOf("f32", "f32", "mmaf %a, %b, %c"), "f32");
  EXPECT_EQ(unitsOf("tf32", "f32", "mmaf %a, %b, %c"), "tf32");
  EXPECT_EQ(unitsOf("bf16", "f32", "mmaf %a, %b, %c"), "f16");
  EXPECT_EQ(unitsOf("f8E4M3FN", "f32", "mmaf %a, %b, %c"), "f8");
  EXPECT_EQ(unitsOf("i8", "i32", "mmai %a, %b, %c signed signed"), "i8");
}

TEST(Cost, CountsWavesAndIdleMultiprocessors) {
  const auto h100 = [](int64_t blocks) {
    Numbers x(size_t(blocks), 0);
    const json::Object cost = costOf(addition, blocks, {arrayOf(x), number(1)});
    const json::Object &row = *(*cost.getArray("gpus"))[3].getAsObject();
    EXPECT_EQ(row.getInteger("multiprocessors"), 132);
    return std::pair(*row.getInteger("idle_multiprocessors"), *row.getInteger("waves"));
  };
  using Pair = std::pair<int64_t, int64_t>;
  EXPECT_EQ(h100(5), Pair(127, 1));
  // A block has 128 threads and few registers: 16 fit on a multiprocessor, 2112 on the GPU.
  EXPECT_EQ(h100(2112), Pair(0, 1));
  EXPECT_EQ(h100(2113), Pair(0, 2));
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
    EXPECT_TRUE(row.getAsObject()->get("registers_for_another")->getAsNull()) << "few registers";
  }
  EXPECT_EQ(cost.getArray("occupancy")->size(), nvidia::multiprocessors().size());
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
