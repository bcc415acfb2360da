// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what fusion groups prefetch, in which inner loop, and why.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

/// Tiles with this number of columns, and rows of a tensor with 65,536.
struct Rows {
  int64_t rows = 1, columns = 256;

  std::string tile() const {
    return "tile<" + std::to_string(rows) + "x" + std::to_string(columns) + "xf32>";
  }
  std::string sums() const { return "tile<" + std::to_string(rows) + "xf32>"; }
  std::string view() const {
    return "partition_view<tile=(" + std::to_string(rows) + "x" + std::to_string(columns) +
           "), tensor_view<65536x65536xf32, strides=[65536, 1]>>";
  }
  /// Loads a tile, and applies `body` to it, which computes `%r`, and stores that.
  std::string kernel(const std::string &index, const std::string &body) const {
    return "%v, %v_t = load_view_tko weak %from[" + index + "] : " + view() + ", tile<i32> -> " +
           tile() + ", token\n" + body + "%r_t = store_view_tko weak %r, %from[" + index +
           "] : " + tile() + ", " + view() + ", tile<i32> -> token\n";
  }
  std::string views() const {
    return "%f = ptr_to_ptr %x : tile<ptr<i32>> -> tile<ptr<f32>>\n"
           "%bx, %by, %bz = get_tile_block_id : tile<i32>\n"
           "%0 = constant <i32: 0> : tile<i32>\n%1 = constant <i32: 1> : tile<i32>\n"
           "%tensor = make_tensor_view %f, shape = [65536, 65536], strides = [65536, 1] : "
           "tensor_view<65536x65536xf32, strides=[65536, 1]>\n"
           "%from = make_partition_view %tensor : " +
           view() + "\n";
  }
  /// Subtracts the sum of each row, and applies an operation.
  std::string centred(const std::string &op) const {
    const std::string column = "tile<" + std::to_string(rows) + "x1xf32>";
    return "%s = reduce %v dim=1 identities=[0.0 : f32] : " + tile() + " -> " + sums() +
           "\n(%a: tile<f32>, %b: tile<f32>) {\n%c = addf %a, %b : tile<f32>\n"
           "yield %c : tile<f32>\n}\n%s1 = reshape %s : " +
           sums() + " -> " + column + "\n%sn = broadcast %s1 : " + column + " -> " + tile() +
           "\n%d = subf %v, %sn : " + tile() + "\n%r = " + op + " %d : " + tile() + "\n";
  }
  std::string negated() const { return "%r = negf %v : " + tile() + "\n"; }
};

GroupPrefetch prefetchIn(const std::string &text, const Target &target) {
  ParsedKernel kernel(text);
  const Plan plan(kernel.entry(), target);
  EXPECT_EQ(plan.groups.all().size(), 1u) << text;
  return plan.prefetchOf(*plan.groups.groupOf(kernel.first<tile::LoadViewOp>()));
}

GroupPrefetch prefetchOfBlock(const Rows &rows, const std::string &body, const char *index,
                              const Target &target = cpu::target()) {
  return prefetchIn(rows.views() + rows.kernel(index, body), target);
}

/// The kernel in a loop along the columns of the tensor.
GroupPrefetch prefetchOfIteration(const Rows &rows, const std::string &body) {
  return prefetchIn(rows.views() + "for %i in (%0 to %bx, step %1) : tile<i32> {\n" +
                        rows.kernel("%by, %i", body) + "continue\n}\n",
                    target());
}

void expectPrefetch(const GroupPrefetch &found, PrefetchReason reason, int64_t loop,
                    bool isNear = false) {
  EXPECT_EQ(int(found.reason), int(reason));
  EXPECT_EQ(found.loop, loop);
  EXPECT_EQ(found.tiles.size(), loop < 0 ? 0u : 1u);
  EXPECT_EQ(found.isNear, isNear);
  EXPECT_TRUE(found.gathers.empty());
}

/// The second pass computes exponentials meanwhile; one that only negates has no time.
TEST(Prefetches, TakeTheFirstPassWithTime) {
  const Rows rows;
  expectPrefetch(prefetchOfBlock(rows, rows.centred("exp"), "%bx, %0"), PrefetchReason::LaterPass,
                 1, /*isNear=*/true);
  expectPrefetch(prefetchOfBlock(rows, rows.centred("negf"), "%bx, %0"),
                 PrefetchReason::WaitingPass, 1, /*isNear=*/true);
  expectPrefetch(prefetchOfBlock(rows, rows.centred("negf"), "%bx, %0", tuned("least-busy-work=0")),
                 PrefetchReason::LaterPass, 1, /*isNear=*/true);
  expectPrefetch(prefetchOfBlock(rows, rows.negated(), "%bx, %0"), PrefetchReason::OnePass, -1);
  // Stores of SSE2 are never non-temporal, so the second pass does not wait for them.
  expectPrefetch(prefetchOfBlock(rows, rows.centred("negf"), "%bx, %0", *Target::named("x86-64")),
                 PrefetchReason::LittleWork, -1);
}

/// The next tile of a block that always loads the same, or loads where memory says, is not known.
TEST(Prefetches, NeedToKnowTheNextTile) {
  const Rows rows;
  expectPrefetch(prefetchOfBlock(rows, rows.centred("exp"), "%0, %0"), PrefetchReason::UnknownTiles,
                 -1);
  const std::string loaded = "%row, %row_t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, "
                             "token\n";
  expectPrefetch(
      prefetchIn(rows.views() + loaded + rows.kernel("%row, %0", rows.centred("exp")), target()),
      PrefetchReason::UnknownTiles, -1);
}

/// 8192 floats are all of an L1 cache of 32 KiB, 4096 are half of it.
TEST(Prefetches, GoToTheSecondCacheIfTheFirstHasNoRoom) {
  const Rows half{1, 4096}, whole{1, 8192};
  EXPECT_TRUE(prefetchOfBlock(half, half.centred("exp"), "%bx, %0").isNear);
  EXPECT_FALSE(prefetchOfBlock(whole, whole.centred("exp"), "%bx, %0").isNear);
  EXPECT_TRUE(
      prefetchOfBlock(whole, whole.centred("exp"), "%bx, %0", tuned("near-prefetch-numerator=3"))
          .isNear);
  EXPECT_FALSE(
      prefetchOfBlock(half, half.centred("exp"), "%bx, %0", tuned("near-prefetch-numerator=1"))
          .isNear)
      << "a third";
}

/// The next iteration continues four rows; a tile block does not.
TEST(Prefetches, ContinuePartsOfSeveralRows) {
  const Rows one, four{4, 256};
  expectPrefetch(prefetchOfIteration(four, four.negated()), PrefetchReason::PartsOfRows, 0);
  expectPrefetch(prefetchOfIteration(one, one.negated()), PrefetchReason::OnePass, -1);
  expectPrefetch(prefetchOfBlock(four, four.negated(), "%bx, %0"), PrefetchReason::OnePass, -1);
}

/// Rows of 1 KiB are fetched 4 KiB ahead, but at most a quarter of the tile.
TEST(Prefetches, LookAheadInGatheredTiles) {
  auto gathersOf = [](int64_t rows, const Target &target) {
    const std::string tile = "tile<" + std::to_string(rows) + "x256xf32>",
                      indices = "tile<" + std::to_string(rows) + "xi32>",
                      tiles = "gather_scatter_view<tile=(" + std::to_string(rows) +
                              "x256), tensor_view<65536x65536xf32, strides=[65536, 1]>, "
                              "sparse_dim=0>";
    return prefetchIn(Rows().views() + "%i = iota : " + indices + "\n" +
                          "%g = make_gather_scatter_view %tensor : " + tiles +
                          "\n%v, %t = load_view_tko weak %g[%i, %0] : " + tiles + ", " + indices +
                          ", tile<i32> -> " + tile + ", token\n",
                      target)
        .gathers;
  };
  for (auto [rows, ahead] : {std::pair<int64_t, int64_t>{4, 1}, {8, 2}, {16, 4}, {32, 4}}) {
    auto gathers = gathersOf(rows, target());
    ASSERT_EQ(gathers.size(), 1u) << rows;
    EXPECT_EQ(gathers[0].dim, 0u);
    EXPECT_EQ(gathers[0].rows, ahead) << rows;
  }
  EXPECT_TRUE(gathersOf(2, target()).empty());
  EXPECT_EQ(gathersOf(2, tuned("least-prefetched-rows=2"))[0].rows, 1);
  EXPECT_EQ(gathersOf(32, tuned("gather-prefetch-bytes=2048"))[0].rows, 2);
}

} // namespace
