// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which tile blocks run as clusters, and how their CTAs divide operands.

#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::nvidia;

namespace {

/// A loop over products of f16 tiles of m x k and k x n, whose arrays permit tensor maps.
constexpr const char *text = R"(cuda_tile.module @m {
  entry @k(%raw: tile<ptr<f16>>, %c: tile<ptr<f32>>, %last: tile<i32>) {3} {{
    %p = assume div_by<16>, %raw : tile<ptr<f16>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<{0}x{1}xf32>
    %av = make_tensor_view %p, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf16, strides=[4096,1]>
    %a = make_partition_view %av : partition_view<tile=({0}x{2}), padding_value = zero, tensor_view<4096x4096xf16, strides=[4096,1]>>
    %b = make_partition_view %av : partition_view<tile=({2}x{1}), padding_value = zero, tensor_view<4096x4096xf16, strides=[4096,1]>>
    %cv = make_tensor_view %c, shape = [4096, 4096], strides = [4096, 1] : tensor_view<4096x4096xf32, strides=[4096,1]>
    %cp = make_partition_view %cv : partition_view<tile=({0}x{1}), tensor_view<4096x4096xf32, strides=[4096,1]>>
    %sums = for %i in (%zero to %last, step %one) : tile<i32> iter_values(%s = %none) -> (tile<{0}x{1}xf32>) {{
      %l, %lt = load_view_tko weak %a[%zero, %i] : partition_view<tile=({0}x{2}), padding_value = zero, tensor_view<4096x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<{0}x{2}xf16>, token
      %r, %rt = load_view_tko weak %b[%i, %zero] : partition_view<tile=({2}x{1}), padding_value = zero, tensor_view<4096x4096xf16, strides=[4096,1]>>, tile<i32> -> tile<{2}x{1}xf16>, token
      %more = mmaf %l, %r, %s : tile<{0}x{2}xf16>, tile<{2}x{1}xf16>, tile<{0}x{1}xf32>
      continue %more : tile<{0}x{1}xf32>
    }
    %stored = store_view_tko weak %sums, %cp[%zero, %zero] : tile<{0}x{1}xf32>, partition_view<tile=({0}x{1}), tensor_view<4096x4096xf32, strides=[4096,1]>>, tile<i32> -> token
    return
  }
})";

const std::string two = "optimization_hints=<sm_90 = {num_cta_in_cga = 2}>";

class NvidiaCluster : public ::testing::Test {
protected:
  NvidiaCluster() { context.loadDialect<tile::TileDialect>(); }

  Plan planOf(int64_t m, int64_t n, int64_t k, const std::string &hints = "") {
    module = mlir::parseSourceString<mlir::ModuleOp>(llvm::formatv(text, m, n, k, hints).str(),
                                                     &context);
    EXPECT_TRUE(bool(module));
    tile::EntryOp entry;
    module->walk([&](tile::EntryOp found) { entry = found; });
    return Plan(entry, target);
  }

  Target target = *Target::named("sm_90a");
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// With 256 threads, each would have 256 accumulators; 128 fit.
TEST_F(NvidiaCluster, largeTilesTakeTwoCtas) {
  Plan plan = planOf(256, 256, 64);
  EXPECT_EQ(plan.ctas, 2);
  EXPECT_EQ(plan.threads, 512);
  EXPECT_EQ(plan.launchedThreads(), 256 + 32);
  EXPECT_EQ(plan.matrices.front().second.layout(plan.threads).slots(), 128);
  EXPECT_TRUE(plan.matrices.front().second.form.isOfWarpgroup());
}

TEST_F(NvidiaCluster, otherTilesTakeOneUnlessAHintAsks) {
  for (auto [m, n] : {std::pair{128, 256}, {256, 128}, {128, 128}, {64, 64}})
    EXPECT_EQ(planOf(m, n, 64).ctas, 1) << m << "x" << n;
  EXPECT_EQ(planOf(128, 256, 64, two).ctas, 2);
  EXPECT_EQ(planOf(256, 256, 64, "optimization_hints=<sm_90 = {num_cta_in_cga = 1}>").ctas, 1);
  EXPECT_EQ(planOf(256, 256, 64, "optimization_hints=<sm_100 = {num_cta_in_cga = 1}>").ctas, 2);
  // Not even the registers of two CTAs suffice.
  EXPECT_EQ(planOf(512, 256, 64).ctas, 1);
}

/// A CTA has 128 rows of lhs, and all of rhs: 128 * 64 * 2 and 64 * 256 * 2 bytes.
TEST_F(NvidiaCluster, bytesAreThoseOfACta) {
  Plan plan = planOf(256, 256, 64);
  const Staging &staging = plan.staged.front().second;
  EXPECT_EQ(staging.lhs.bytes, 16384);
  EXPECT_EQ(staging.rhs.bytes, 32768);
  EXPECT_EQ(plan.roles.rings.front().second.bytes, 16384 + 32768);
}

/// Rows of rhs have 512 bytes: four panels of 64 rows and 128 bytes, of which a CTA copies two.
TEST_F(NvidiaCluster, panelsOfRhsAreDivided) {
  Plan plan = planOf(256, 256, 64);
  const CopiedPart &lhs = plan.roles.rings.front().second.copies[0].part;
  EXPECT_EQ(lhs.image.rows, 128);
  EXPECT_EQ(lhs.divides, CopiedPart::Rows);
  EXPECT_FALSE(lhs.isMulticast());
  const CopiedPart &rhs = plan.roles.rings.front().second.copies[1].part;
  EXPECT_EQ(rhs.image.rows, 64);
  EXPECT_EQ(rhs.image.rowBytes, 256);
  EXPECT_EQ(rhs.divides, CopiedPart::EachRow);
  EXPECT_EQ(rhs.distance, 2 * 64 * 128);
}

/// Rows of 128 bytes are one panel: a CTA copies 32 of 64 rows.
TEST_F(NvidiaCluster, rowsOfASinglePanelAreDivided) {
  Plan plan = planOf(128, 64, 64, two);
  const CopiedPart &rhs = plan.roles.rings.front().second.copies[1].part;
  EXPECT_EQ(rhs.image.rows, 32);
  EXPECT_EQ(rhs.image.rowBytes, 128);
  EXPECT_EQ(rhs.divides, CopiedPart::Rows);
  EXPECT_EQ(rhs.distance, 32 * 128);
  EXPECT_EQ(plan.roles.maps[plan.roles.rings.front().second.copies[1].map].box,
            (llvm::SmallVector<int64_t, 5>{64, 32}));
}

/// The top bit of the thread number is that of the rows.
TEST_F(NvidiaCluster, eachCtaHasHalfOfTheRows) {
  Plan plan = planOf(256, 256, 64);
  const TileLayout layout = plan.matrices.front().second.layout(plan.threads);
  EXPECT_TRUE(isDividedAmongCtas(layout));
  for (int64_t thread : {0, 255})
    EXPECT_LT(layout.indexOf(thread, 127), 128 * 256);
  for (int64_t thread : {256, 511})
    EXPECT_GE(layout.indexOf(thread, 0), 128 * 256);
}

/// Each CTA has all of a tile with at most as many elements as the cluster has threads, and half of
/// a larger one, whatever the order of its elements in memory.
TEST_F(NvidiaCluster, otherTilesAreDividedByTheirSlowestElements) {
  Plan plan = planOf(256, 256, 64);
  const TileLayout small = plan.layoutOf(512), large = plan.layoutOf(1024);
  EXPECT_EQ(small.indexOf(256 + 3, 1), small.indexOf(3, 1));
  EXPECT_EQ(small.slots(), 2);
  EXPECT_TRUE(isDividedAmongCtas(large));
  EXPECT_EQ(large.indexOf(256 + 3, 1), large.indexOf(3, 1) + 512);
  const TileLayout byColumns = plan.blocked({5, 6, 7, 8, 9, 0, 1, 2, 3, 4}, 2, 9); // of 32 x 32
  EXPECT_TRUE(isDividedAmongCtas(byColumns));
  EXPECT_EQ(byColumns.indexOf(0, 1), 32);
}

TEST_F(NvidiaCluster, aRefusedHintHasAReason) {
  Plan plan = planOf(64, 64, 64, two);
  EXPECT_EQ(plan.ctas, 1);
  EXPECT_NE(plan.refusedHints["num_cta_in_cga"].find("its rows cannot be divided between two CTAs"),
            std::string::npos);
}

/// The same for pairs of CTAs, which tcgen05.mma multiplies for.
class NvidiaPair : public NvidiaCluster {
protected:
  NvidiaPair() { target = *Target::named("sm_100a"); }
};

TEST_F(NvidiaPair, tilesOf256RowsTakeTwoCtas) {
  Plan plan = planOf(256, 256, 64);
  EXPECT_TRUE(plan.isPair());
  EXPECT_EQ(plan.launchedThreads(), 256 + 32 + 32);
  const MatrixProduct &product = plan.matrices.front().second;
  EXPECT_EQ(product.rowsOfOne(), 256);
  EXPECT_EQ(product.tensorColumns(), 256);
  EXPECT_TRUE(isDividedAmongCtas(product.layout(plan.threads)));
  EXPECT_EQ(planOf(512, 128, 32).tensor.columns, 256); // two blocks of 128 rows in a CTA
  EXPECT_EQ(planOf(128, 256, 64).ctas, 1);
  EXPECT_EQ(planOf(256, 256, 64, "optimization_hints=<sm_100 = {num_cta_in_cga = 1}>").ctas, 1);
}

/// Of 64 rows and 256 columns of rhs, a CTA copies 128 columns: 256 bytes in each row.
TEST_F(NvidiaPair, ctasDivideBothOperands) {
  Plan plan = planOf(256, 256, 64);
  const Ring &ring = plan.roles.rings.front().second;
  EXPECT_EQ(ring.bytes, 128 * 64 * 2 + 64 * 128 * 2);
  const CopiedPart &rhs = ring.copies[1].part;
  EXPECT_EQ(rhs.image.rows, 64);
  EXPECT_EQ(rhs.image.rowBytes, 256);
  EXPECT_EQ(rhs.divides, CopiedPart::EachRow);
  EXPECT_FALSE(rhs.isMulticast());
}

/// There are 512 columns of tensor memory, but an instruction has at most 256.
TEST_F(NvidiaPair, problemsHaveReasons) {
  EXPECT_EQ(planOf(256, 512, 16).ctas, 1);
  Plan plan = planOf(128, 128, 64, "optimization_hints=<sm_100 = {num_cta_in_cga = 2}>");
  EXPECT_EQ(plan.ctas, 1);
  EXPECT_NE(plan.refusedHints["num_cta_in_cga"].find("its tile has fewer than 256 rows"),
            std::string::npos);
}

} // namespace
