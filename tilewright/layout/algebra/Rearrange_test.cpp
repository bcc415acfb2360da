// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the worked examples of layouts, 1.9, and that no rearrangement moves data.

#include "test/support/layout/LayoutTest.h"
#include "tilewright/layout/algebra/Owners.h"
#include "tilewright/layout/algebra/Rearrange.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tilewright::layout;

TEST(Rearrange, PermuteProjectApply) {
  Layout x = exampleOf64();
  EXPECT_EQ(permute(x, {1, 0}),
            fromLists({1, 2}, {4, 2}, {1, 1}, {4, 16}, {4, 1}, {0, 1}, {16, 1}));
  Layout rows = project(x, {false, true});
  EXPECT_EQ(rows, fromLists({2}, {2}, {1}, {16}, {1}, {1}, {1}));
  EXPECT_EQ(ownersOf(rows, {128, 64}, {3}), (Numbers{3, 19, 35, 51}));
  EXPECT_EQ(apply(x, {1u}), fromLists({1}, {4}, {1}, {4}, {4}, {0}, {16}));
  Layout spread = apply(x, {1u, std::nullopt, 0u});
  EXPECT_EQ(spread, fromLists({1, 1, 2}, {4, 1, 2}, {1, 1, 1}, {4, 1, 16}, {4, 1, 1}, {0, 0, 1},
                              {16, 0, 1}));
  EXPECT_EQ(undistributedShape(spread), (Numbers{64, 1, 64}));
}

TEST(Rearrange, ReshapeThereAndBack) {
  struct Row {
    Layout from, to;
  };
  const Row rows[] = {
      {fromLists({1, 1}, {2, 2}, {1, 1}, {8, 4}, {1, 8}, {0, 0}, {4, 1}),
       fromLists({1, 1, 1, 1}, {2, 1, 2, 1}, {1, 1, 1, 1}, {2, 4, 4, 1}, {1, 1, 1, 8}, {0, 0, 0, 0},
                 {16, 4, 1, 0})},
      {fromLists({4}, {2}, {1}, {8}, {4}, {1}, {1}),
       fromLists({4, 1}, {2, 1}, {1, 1}, {1, 8}, {1, 4}, {1, 0}, {0, 1})},
      {fromLists({4, 1}, {8, 1}, {1, 1}, {4, 8}, {1, 8}, {1, 0}, {8, 1}),
       fromLists({2, 2, 1}, {1, 8, 1}, {1, 1, 1}, {1, 4, 8}, {1, 1, 8}, {2, 1, 0}, {0, 8, 1})},
  };
  for (const Row &row : rows) {
    EXPECT_EQ(reshape(row.from, undistributedShape(row.to)), row.to);
    EXPECT_EQ(reshape(row.to, undistributedShape(row.from)), row.from);
  }
}

TEST(Rearrange, ReshapeRefuses) {
  // The number of elements differs.
  EXPECT_EQ(reshape(Layout{{.elements = 8}}, {4}), std::nullopt);
  EXPECT_EQ(reshape(Layout{{.elements = 8}}, {16}), std::nullopt);
  EXPECT_EQ(reshape(Layout{{.elements = 8}}, {0, 8}), std::nullopt);
  // Elements would be above threads.
  EXPECT_EQ(reshape(Layout{{.elements = 4}, {.threads = 8, .threadStride = 1}}, {32}),
            std::nullopt);
  // Two thread digits that do not continue each other.
  Layout swapped{{.threads = 4, .threadStride = 1}, {.threads = 8, .threadStride = 4}};
  EXPECT_EQ(reshape(swapped, {32}), std::nullopt);
  // A dimension that would end inside a digit.
  EXPECT_EQ(reshape(Layout{{.elements = 6}}, {3, 2}), (Layout{{.elements = 3}, {.elements = 2}}));
  EXPECT_EQ(reshape(Layout{{.batches = 3, .elements = 4}}, {2, 6}), std::nullopt);
}

// Each linear index keeps its owners (1.9). The random new shapes have the factors of the old ones.
TEST(Rearrange, ReshapeMovesNothing) {
  LayoutGenerator random(2);
  int accepted = 0;
  for (int run = 0; run < 2000; ++run) {
    auto [layout, workgroup] = random.next();
    Numbers shape;
    int64_t left = layout.elements();
    while (left > 1 && shape.size() < 3) {
      int64_t extent = 1 + random.below(left);
      if (left % extent == 0) {
        shape.push_back(extent);
        left /= extent;
      }
    }
    shape.push_back(left);
    std::optional<Layout> other = reshape(layout, shape);
    if (!other)
      continue;
    ++accepted;
    ASSERT_EQ(undistributedShape(*other), shape);
    SmallVector<std::pair<int64_t, int64_t>> before, after;
    auto collect = [&workgroup = workgroup](const Layout &of, auto &into) {
      forEachElement(undistributedShape(of), [&](ArrayRef<int64_t> element) {
        into.push_back({firstOwnerOf(of, workgroup, element), ownerCount(of, workgroup)});
      });
    };
    collect(layout, before);
    collect(*other, after);
    ASSERT_EQ(before, after) << toText(layout) << " as " << toText(*other);
  }
  EXPECT_GT(accepted, 500);
}

TEST(Rearrange, ComposeSpreadsAFragment) {
  // 4.5: operand C of 128 x 64 on 2 x 2 subgroups, from the fragment of 16 x 8.
  Layout fragment = fromLists({1, 1}, {1, 1}, {2, 1}, {8, 4}, {1, 2}, {0, 0}, {4, 1});
  Layout grid = fromLists({2, 2}, {4, 4}, {1, 1}, {1, 1}, {1, 1}, {2, 1}, {0, 0});
  EXPECT_EQ(compose(grid, fragment),
            fromLists({2, 2}, {4, 4}, {2, 1}, {8, 4}, {1, 2}, {2, 1}, {4, 1}));
  // A repetition outside the subgroups along the same dimension (4.7) is not a layout.
  EXPECT_EQ(compose(Layout{{.batches = 2}}, Layout{{.subgroups = 4, .subgroupStride = 1}}),
            std::nullopt);
}

TEST(Rearrange, RecombineOfProducts) {
  // A over (m, k), B over (k, n), result over (m, n): 1.9.
  Layout a = fromLists({2, 1}, {1, 4}, {1, 1}, {8, 1}, {1, 4}, {2, 0}, {4, 0});
  Layout b = fromLists({1, 2}, {4, 2}, {1, 1}, {1, 4}, {4, 2}, {0, 1}, {0, 1});
  EXPECT_EQ(ownerCount(a, {128}), 8);
  EXPECT_EQ(ownerCount(b, {128}), 16);
  std::optional<Layout> c = recombine({{a, {0, 2}}, {b, {2, 1}}}, {0, 1});
  EXPECT_EQ(c, fromLists({2, 2}, {1, 2}, {1, 1}, {8, 4}, {1, 2}, {2, 1}, {4, 1}));
  EXPECT_EQ(ownerCount(*c, {128}), 1);

  Layout matrix = fromLists({1, 1}, {4, 2}, {1, 1}, {8, 4}, {1, 8}, {0, 0}, {4, 1});
  Layout vector = fromLists({1}, {2}, {1}, {4}, {8}, {0}, {1});
  EXPECT_EQ(recombine({{matrix, {0, 1}}, {vector, {1}}}, {0}),
            fromLists({1}, {4}, {1}, {8}, {1}, {0}, {4}));
}

TEST(Rearrange, RecombineRefuses) {
  Layout four{{.elements = 4}}, twoByTwo{{.batches = 2, .elements = 2}};
  EXPECT_EQ(recombine({{four, {0}}, {twoByTwo, {0}}}, {0}), std::nullopt);
  // The operands disagree along a dimension that the result lacks.
  Layout pair{{.elements = 2}, {.elements = 4}};
  EXPECT_EQ(recombine({{pair, {0, 1}}, {twoByTwo, {1}}}, {0}), std::nullopt);
  // No operand has the dimension.
  EXPECT_EQ(recombine({{four, {0}}}, {0, 1}), std::nullopt);
  // Tensor core operands: digits of M and of N are on the same lanes.
  Layout a = fromLists({1, 1}, {1, 1}, {2, 2}, {8, 4}, {1, 2}, {0, 0}, {4, 1});
  Layout b = fromLists({1, 1}, {1, 1}, {2, 1}, {4, 8}, {2, 1}, {0, 0}, {1, 4});
  EXPECT_EQ(recombine({{a, {0, 2}}, {permute(b, {1, 0}), {1, 3}}}, {0, 1}), std::nullopt);
}

// A thread tile over four subgroups: row tid / 4, columns from 8 * (tid % 4) on (1.8).
TEST(Rearrange, SplitThreadsOfAWorkgroup) {
  Layout whole = fromLists({1, 1}, {1, 2}, {1, 1}, {32, 4}, {1, 8}, {0, 0}, {4, 1});
  std::optional<Layout> split = splitThreads(whole, {128});
  ASSERT_EQ(split, fromLists({4, 1}, {1, 2}, {1, 1}, {8, 4}, {1, 8}, {1, 0}, {4, 1}));
  for (int64_t thread = 0; thread < 128; ++thread) {
    EXPECT_EQ(elementAt(*split, {128}, thread, 0), (Numbers{thread / 4, 8 * (thread % 4)}));
    EXPECT_EQ(elementAt(*split, {128}, thread, 8), (Numbers{thread / 4, 8 * (thread % 4) + 32}));
  }
  // All of it is beyond a subgroup: threads 0 to 31 and 32 to 63 along the first dimension.
  EXPECT_EQ(splitThreads(fromLists({1, 1}, {1, 1}, {1, 1}, {2, 32}, {1, 1}, {0, 0}, {32, 1}), {64}),
            fromLists({2, 1}, {1, 1}, {1, 1}, {1, 32}, {1, 1}, {1, 0}, {0, 1}));
}

TEST(Rearrange, SplitThreadsRefuses) {
  // Registers would be between subgroups and lanes.
  EXPECT_EQ(splitThreads(fromLists({1}, {2}, {1}, {64}, {1}, {0}, {1}), {64}), std::nullopt);
  // The layout has subgroups already; there are not enough threads; the stride is invalid.
  EXPECT_EQ(splitThreads(fromLists({2}, {1}, {1}, {64}, {1}, {1}, {1}), {128}), std::nullopt);
  EXPECT_EQ(splitThreads(fromLists({1}, {1}, {1}, {128}, {1}, {0}, {1}), {64}), std::nullopt);
  EXPECT_EQ(splitThreads(fromLists({1}, {1}, {1}, {64}, {1}, {0}, {-1}), {64}), std::nullopt);
}
