// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the names of thresholds, and that kernels compile whatever their values are.

#include "tilewright/nvidia/Compiler.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <set>

using namespace tilewright;
using namespace tilewright::nvidia;

namespace {

using Values = std::vector<int64_t>;

Values valuesOf(const Tuning &tuning) {
  Values values;
  for (const auto &threshold : thresholds())
    values.push_back(tuning.*threshold.value);
  return values;
}

/// The table names every field once.
TEST(NvidiaTuning, eachNameSetsAFieldOfItsOwn) {
  std::set<std::string> names;
  for (auto [at, threshold] : llvm::enumerate(thresholds())) {
    EXPECT_TRUE(names.insert(threshold.name.str()).second) << threshold.name.str();
    Tuning tuning;
    Values expected = valuesOf(tuning);
    expected[at] = 12345;
    ASSERT_TRUE(bool(codegen::setThreshold(tuning, thresholds(), threshold.name.str() + "=12345")));
    EXPECT_EQ(valuesOf(tuning), expected) << threshold.name.str();
  }
  EXPECT_EQ(thresholds().size() * sizeof(int64_t), sizeof(Tuning));
}

TEST(NvidiaTuning, anUnknownNameIsReportedWithTheKnownOnes) {
  Tuning tuning;
  auto set = codegen::setThreshold(tuning, thresholds(), "most-wraps=8");
  ASSERT_FALSE(bool(set));
  EXPECT_NE(set.failure().message.find("most-warps, "), std::string::npos);
  EXPECT_NE(set.failure().message.find("but got 'most-wraps'"), std::string::npos);
}

/// A loop with a product of matrix instructions, then one of multiply-adds, a transposition, a scan
/// and a reduction.
constexpr const char *kernels = R"(
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f16>>, %q: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %n = constant <i32: 4> : tile<i32>
    %a = make_tensor_view %p, shape = [256, 256], strides = [256, 1] : tensor_view<256x256xf16, strides=[256,1]>
    %lhs = make_partition_view %a : partition_view<tile=(32x16), tensor_view<256x256xf16, strides=[256,1]>>
    %rhs = make_partition_view %a : partition_view<tile=(16x32), tensor_view<256x256xf16, strides=[256,1]>>
    %c = make_tensor_view %q, shape = [256, 256], strides = [256, 1] : tensor_view<256x256xf32, strides=[256,1]>
    %out = make_partition_view %c : partition_view<tile=(32x32), tensor_view<256x256xf32, strides=[256,1]>>
    %none = constant <f32: 0.0> : tile<32x32xf32>
    %sum = for %k in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<32x32xf32>) {
      %x, %xt = load_view_tko weak %lhs[%zero, %k] : partition_view<tile=(32x16), tensor_view<256x256xf16, strides=[256,1]>>, tile<i32> -> tile<32x16xf16>, token
      %y, %yt = load_view_tko weak %rhs[%k, %zero] : partition_view<tile=(16x32), tensor_view<256x256xf16, strides=[256,1]>>, tile<i32> -> tile<16x32xf16>, token
      %d = mmaf %x, %y, %acc : tile<32x16xf16>, tile<16x32xf16>, tile<32x32xf32>
      continue %d : tile<32x32xf32>
    }
    %r, %rt = load_view_tko weak %out[%one, %one] : partition_view<tile=(32x32), tensor_view<256x256xf32, strides=[256,1]>>, tile<i32> -> tile<32x32xf32>, token
    %s = addf %sum, %r : tile<32x32xf32>
    %t = permute %s [1, 0] : tile<32x32xf32> -> tile<32x32xf32>
    %e = mmaf %s, %t, %s : tile<32x32xf32>, tile<32x32xf32>, tile<32x32xf32>
    %g = scan %e dim=1 reverse=false identities=[0.0 : f32] : tile<32x32xf32> -> tile<32x32xf32>
    (%i: tile<f32>, %before: tile<f32>) {
      %both = addf %i, %before : tile<f32>
      yield %both : tile<f32>
    }
    %h = reduce %g dim=0 identities=[0.0 : f32] : tile<32x32xf32> -> tile<32xf32>
    (%i: tile<f32>, %before: tile<f32>) {
      %both = addf %i, %before : tile<f32>
      yield %both : tile<f32>
    }
    %row = reshape %h : tile<32xf32> -> tile<1x32xf32>
    %rows = broadcast %row : tile<1x32xf32> -> tile<32x32xf32>
    %w = store_view_tko weak %rows, %out[%zero, %zero] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<256x256xf32, strides=[256,1]>>, tile<i32> -> token
    return
  }
}
)";

/// Zero, values that are no powers of two, and large ones.
TEST(NvidiaTuning, kernelsCompileWithAnyValues) {
  mlir::MLIRContext context;
  context.loadDialect<tile::TileDialect>();
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(kernels, &context);
  ASSERT_TRUE(bool(parsed));
  auto module = *parsed->getOps<tile::ModuleOp>().begin();
  for (const auto &threshold : thresholds())
    for (int64_t value : {0, 3, 1 << 20}) {
      CompileOptions options{*Target::named("sm_90a")};
      options.target.tuning.*threshold.value = value;
      auto compiled = compileTo(Stage::Threads, module, options);
      EXPECT_TRUE(bool(compiled)) << threshold.name.str() << "=" << value << ": "
                                  << (compiled ? "" : compiled.failure().message);
    }
}

} // namespace
