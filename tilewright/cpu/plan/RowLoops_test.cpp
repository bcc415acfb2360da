// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which accumulators stay in registers, and what their loops prefetch.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

TEST(RowLoops, NeedRegisters) {
  ParsedKernel kernel(views + "%r = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%a = " +
                      "%none) -> (tile<16x16xf32>) {\n" + loadOf("%b", "%k") +
                      "%c = addf %a, %b rounding<nearest_even>" + t +
                      "continue %c : tile<16x16xf32>\n}\n" + storeOf("%r"));
  auto hasRows = [&](const char *threshold) {
    return Plan(kernel.entry(), tuned(threshold)).loops[0].rows.has_value();
  };
  EXPECT_TRUE(hasRows("row-registers=2")) << "a row has 64 bytes";
  EXPECT_FALSE(hasRows("row-registers=1"));
}

/// The sum of tiles along the columns of a matrix. The 8 registers for accumulators hold 64 columns
/// of a row.
struct Sum {
  int64_t rows = 4, columns = 256;
  std::string step = "%1", index = "%0, %k", stride = "%1";

  std::string text() const {
    const std::string tile =
        "tile<" + std::to_string(rows) + "x" + std::to_string(columns) + "xf32>";
    const std::string tensor = "tensor_view<65536x65536xf32, strides=[65536, ?]>",
                      tiles = "partition_view<tile=(" + std::to_string(rows) + "x" +
                              std::to_string(columns) + "), " + tensor + ">";
    return "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
           "%f = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<f32>>\n"
           "%0 = constant <i32: 0> : tile<i32>\n%1 = constant <i32: 1> : tile<i32>\n"
           "%2 = constant <i32: 2> : tile<i32>\n%none = constant <f32: 0.0> : " +
           tile + "\n%a = make_tensor_view %f, shape = [65536, 65536], strides = [65536, " +
           stride +
           "] : "
           "tile<i32> -> " +
           tensor + "\n%p = make_partition_view %a : " + tiles +
           "\n%r = for %k in (%0 to %by, step " + step +
           ") : tile<i32> iter_values(%so = %none) "
           "-> (" +
           tile + ") {\n%v, %t = load_view_tko weak %p[" + index + "] : " + tiles +
           ", tile<i32> -> " + tile + ", token\n%next = addf %so, %v : " + tile +
           "\ncontinue %next : " + tile +
           "\n}\n%s = store_view_tko weak %r, %p[%0, %bx] : " + tile + ", " + tiles +
           ", tile<i32> -> token\n";
  }
};

RowLoop rowLoopOf(const Sum &sum, const Target &target = cpu::target()) {
  ParsedKernel kernel(sum.text());
  const Plan plan(kernel.entry(), target);
  EXPECT_TRUE(plan.loops[0].rows) << sum.text();
  return *plan.loops[0].rows;
}

/// Whole rows are read sequentially.
TEST(RowLoops, PrefetchWholeRowsFarAhead) {
  const RowLoop rows = rowLoopOf({.columns = 64});
  EXPECT_EQ(rows.parts, 1);
  EXPECT_EQ(int(rows.prefetch), int(RowPrefetch::FarAhead));
  EXPECT_EQ(rows.prefetched.size(), 1u);
  EXPECT_EQ(rows.bytesAhead, 8192);
  EXPECT_EQ(rowLoopOf({.columns = 64}, tuned("row-prefetch-bytes=4096")).bytesAhead, 4096);
}

/// Of rows in four parts, the next one is prefetched, if iterations read consecutive tiles.
TEST(RowLoops, PrefetchTheNextRowOfParts) {
  const RowLoop rows = rowLoopOf({});
  EXPECT_EQ(rows.parts, 4);
  EXPECT_EQ(rows.rowDim(), 0);
  EXPECT_EQ(int(rows.prefetch), int(RowPrefetch::NextRow));
  EXPECT_EQ(rows.prefetched.size(), 1u);
  for (const Sum &other :
       {Sum{.step = "%2"}, Sum{.step = "%bz"}, Sum{.index = "%k, %0"}, Sum{.index = "%0, %by"}}) {
    const RowLoop found = rowLoopOf(other);
    EXPECT_EQ(int(found.prefetch), int(RowPrefetch::NoNextRow)) << other.text();
    EXPECT_TRUE(found.prefetched.empty());
  }
}

/// Every second element of a row.
TEST(RowLoops, PrefetchNothingIfRowsAreNotContiguous) {
  const RowLoop rows = rowLoopOf({.columns = 64, .stride = "%2"});
  EXPECT_EQ(int(rows.prefetch), int(RowPrefetch::Apart));
  EXPECT_TRUE(rows.prefetched.empty());
}

} // namespace
