// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which matrix instruction multiplies operands of 8 bits, by the order of rhs in memory.

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::nvidia;

namespace {

class NvidiaProducts : public testing::Test {
protected:
  NvidiaProducts() { context.loadDialect<tile::TileDialect>(); }

  /// The plan of a product of m x 128 and 128 x n elements of fp8. `strides` are those of the array
  /// of rhs.
  Plan planOf(int64_t m, int64_t n, const std::string &strides, const std::string &flag = "") {
    const std::string text = llvm::formatv(
        R"(cuda_tile.module @m {{
  entry @k(%p: tile<ptr<f8E4M3FN>>) {{
    %0 = constant <i32: 0> : tile<i32>
    %none = constant <f32: 0.0> : tile<{0}x{1}xf32>
    %lv = make_tensor_view %p, shape = [512, 512], strides = [512, 1] : !cuda_tile.tensor_view<512x512xf8E4M3FN, strides=[512,1]>
    %lp = make_partition_view %lv : !cuda_tile.partition_view<tile=({0}x128), tensor_view<512x512xf8E4M3FN, strides=[512,1]>>
    %l, %lt = load_view_tko weak %lp[%0, %0] : !cuda_tile.partition_view<tile=({0}x128), tensor_view<512x512xf8E4M3FN, strides=[512,1]>>, tile<i32> -> tile<{0}x128xf8E4M3FN>, token
    %rv = make_tensor_view %p, shape = [512, 512], strides = [{2}] : !cuda_tile.tensor_view<512x512xf8E4M3FN, strides=[{2}]>
    %rp = make_partition_view %rv : !cuda_tile.partition_view<tile=(128x{1}), tensor_view<512x512xf8E4M3FN, strides=[{2}]>>
    %r, %rt = load_view_tko weak %rp[%0, %0] : !cuda_tile.partition_view<tile=(128x{1}), tensor_view<512x512xf8E4M3FN, strides=[{2}]>>, tile<i32> -> tile<128x{1}xf8E4M3FN>, token
    %d = mmaf %l, %r, %none {3} : tile<{0}x128xf8E4M3FN>, tile<128x{1}xf8E4M3FN>, tile<{0}x{1}xf32>
    return
  }
})",
        m, n, strides, flag);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(bool(module)) << text;
    tile::EntryOp entry;
    module->walk([&](tile::EntryOp found) { entry = found; });
    return Plan(entry, target);
  }
  static const MatrixProduct &productOf(const Plan &plan) { return plan.matrices.front().second; }

  static constexpr const char *byColumns = "1,512", *byRows = "512,1";
  Target target = *Target::named("sm_90a");
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(NvidiaProducts, WarpgroupsMultiplyBytesAlongK) {
  Plan along = planOf(64, 64, byColumns);
  EXPECT_EQ(productOf(along).form.name, "f32.e4m3.e4m3");
  EXPECT_EQ(productOf(along).steps(), 32);
  Plan across = planOf(64, 64, byRows);
  EXPECT_EQ(productOf(across).form.name, "m16n8k32.row.col.f32.e4m3.e4m3.f32");
  EXPECT_FALSE(productOf(across).isPromoted);
}

/// Sums that are promoted take registers beside the accumulators: 64 of these per thread.
TEST_F(NvidiaProducts, SumsArePromotedWithoutFastAcc) {
  Plan exact = planOf(128, 128, byColumns);
  EXPECT_TRUE(productOf(exact).isPromoted);
  EXPECT_EQ(exact.threads, 256);
  Plan fast = planOf(128, 128, byColumns, "fast_acc");
  EXPECT_FALSE(productOf(fast).isPromoted);
  EXPECT_EQ(fast.threads, 128);
}

/// 128 columns of 64 rows are 64 partial sums per thread.
TEST_F(NvidiaProducts, PromotedColumnsAreFewer) {
  EXPECT_EQ(productOf(planOf(128, 256, byColumns)).columnsOfOne(), 128);
  EXPECT_EQ(productOf(planOf(128, 256, byColumns, "fast_acc")).columnsOfOne(), 256);
}

TEST_F(NvidiaProducts, OtherTargetsHaveNoWarpgroups) {
  target = *Target::named("sm_89");
  EXPECT_EQ(productOf(planOf(64, 64, byColumns)).form.name, "m16n8k32.row.col.f32.e4m3.e4m3.f32");
}

} // namespace
