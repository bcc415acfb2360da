// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests how accesses are planned: through views outside of groups and in them, and through
// pointers.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

/// A row of 16 floats in a tensor; `%n` is unknown, but its definition may say something about it.
struct View {
  const char *shape, *stride, *operands; ///< Of make_tensor_view.
  const char *type;                      ///< Extent and stride.
  const char *ordering;
  AccessReason reason;
  Rows rows;
  Lanes outside;
};

const View rowsOfViews[] = {
    {"64", "1", "", "64xf32, strides=[1]", "weak", AccessReason::GroupContiguous, Rows::Contiguous,
     Lanes::ContiguousMasked},
    {"60", "1", "", "60xf32, strides=[1]", "weak", AccessReason::GroupTested, Rows::Tested,
     Lanes::ContiguousMasked},
    {"%n", "1", "tile<i32> -> ", "?xf32, strides=[1]", "weak", AccessReason::GroupTested,
     Rows::Tested, Lanes::ContiguousMasked},
    {"64", "%n", "tile<i32> -> ", "64xf32, strides=[?]", "weak", AccessReason::GroupTested,
     Rows::Tested, Lanes::Gathered},
    // Constants are known even if the type is dynamic.
    {"%64", "%1", "tile<i32> -> ", "?xf32, strides=[?]", "weak", AccessReason::GroupContiguous,
     Rows::Contiguous, Lanes::ContiguousMasked},
    {"64", "%8", "tile<i32> -> ", "64xf32, strides=[?]", "weak", AccessReason::GroupApart,
     Rows::Apart, Lanes::Gathered},
    {"64", "8", "", "64xf32, strides=[8]", "weak", AccessReason::Strided, Rows::Apart,
     Lanes::Gathered},
    {"64", "1", "", "64xf32, strides=[1]", "relaxed device", AccessReason::Ordered, Rows::Apart,
     Lanes::ContiguousMasked},
};

TEST(Accesses, SaysHowViewsAreAccessed) {
  for (const View &view : rowsOfViews) {
    const std::string tensor = "tensor_view<" + std::string(view.type) + ">",
                      tiles = "partition_view<tile=(16), " + tensor + ">";
    ParsedKernel kernel(views +
                        "%n, %y, %z = get_tile_block_id : tile<i32>\n"
                        "%64 = constant <i32: 64> : tile<i32>\n"
                        "%t = make_tensor_view %f, shape = [" +
                        view.shape + "], strides = [" + view.stride + "] : " + view.operands +
                        tensor + "\n%p = make_partition_view %t : " + tiles +
                        "\n%a, %a_t = load_view_tko " + view.ordering + " %p[%0] : " + tiles +
                        ", tile<i32> -> tile<16xf32>, token\n");
    const Plan plan(kernel.entry(), target());
    const Access &access = plan.accessOf(kernel.first<tile::LoadViewOp>());
    EXPECT_EQ(int(access.reason), int(view.reason)) << tensor << view.shape << view.stride;
    EXPECT_EQ(int(access.rows), int(view.rows)) << tensor << view.shape << view.stride;
    EXPECT_EQ(int(access.outside), int(view.outside)) << tensor << view.shape << view.stride;
    EXPECT_EQ(access.width, access.reason == AccessReason::Strided ? 16 : 1) << tensor;
  }
}

/// Pointers are consecutive, or come from memory; AVX2 has no fast gathers, so cheap addresses are
/// computed one by one.
TEST(Accesses, SaysHowPointersAreAccessed) {
  ParsedKernel kernel("%lanes = iota : tile<64xi32>\n"
                      "%x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>\n"
                      "%xs = broadcast %x1 : tile<1xptr<i32>> -> tile<64xptr<i32>>\n"
                      "%p = offset %xs, %lanes : tile<64xptr<i32>>, tile<64xi32> -> "
                      "tile<64xptr<i32>>\n"
                      "%v, %t0 = load_ptr_tko weak %p : tile<64xptr<i32>> -> tile<64xi32>, token\n"
                      "%q = offset %xs, %v : tile<64xptr<i32>>, tile<64xi32> -> "
                      "tile<64xptr<i32>>\n"
                      "%w, %t1 = load_ptr_tko weak %q token = %t0 : tile<64xptr<i32>> -> "
                      "tile<64xi32>, token\n"
                      "%o, %t2 = atomic_rmw_tko relaxed tl_blk %p, add, %w token = %t1 : "
                      "tile<64xptr<i32>>, tile<64xi32> -> tile<64xi32>, token\n"
                      "%s, %t3 = load_ptr_tko relaxed device %p token = %t2 : tile<64xptr<i32>> -> "
                      "tile<64xi32>, token\n");
  const Plan plan(kernel.entry(), target());
  struct {
    AccessReason reason;
    Rows rows;
    int64_t width;
    bool hasScalarAddresses;
  } const expected[] = {{AccessReason::PointerRows, Rows::Tested, 16, false},
                        {AccessReason::PointersApart, Rows::Apart, 16, true},
                        {AccessReason::BlockOnly, Rows::Apart, 8, false},
                        {AccessReason::PointersInOrder, Rows::Apart, 1, {}}};
  ASSERT_EQ(plan.accesses.size(), std::size(expected));
  for (auto [entry, want] : llvm::zip_equal(plan.accesses, expected)) {
    EXPECT_EQ(int(entry.second.reason), int(want.reason));
    EXPECT_EQ(int(entry.second.rows), int(want.rows));
    EXPECT_EQ(entry.second.width, want.width);
    EXPECT_EQ(entry.second.hasScalarAddresses, want.hasScalarAddresses);
  }
}

} // namespace
