// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks digits, shapes, rules and owners against the tables of layouts, 1.7 to 1.12.

#include "test/support/layout/LayoutTest.h"
#include "tilewright/layout/algebra/Owners.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tilewright::layout;

namespace {

std::string whyNot(const Layout &layout, Workgroup workgroup) {
  Result<void> checked = checkFor(layout, workgroup);
  return checked ? "" : checked.failure().message;
}

} // namespace

// --- 1.3, 1.7 -------------------------------------------------------------------------

TEST(Layout, StrideOfASingleValueIsZero) {
  Layout a{{.subgroups = 1, .threads = 4, .subgroupStride = 7, .threadStride = 2}};
  EXPECT_EQ(a[0].subgroupStride, 0);
  EXPECT_EQ(a[0].threadStride, 2);
  EXPECT_EQ(a, (Layout{{.threads = 4, .threadStride = 2}}));
}

TEST(Layout, Shapes) {
  Layout x = exampleOf64();
  EXPECT_EQ(undistributedShape(x), (Numbers{64, 64}));
  EXPECT_EQ(undistributedPackedShape(x), (Numbers{2, 1, 2, 4, 1, 1, 16, 4, 1, 4}));
  EXPECT_EQ(distributedShape(x), (Numbers{2, 4, 1, 1, 1, 4}));
  EXPECT_EQ(distributedUnpackedShape(x), (Numbers{2, 16}));
  EXPECT_EQ(x.registers(), 32);
  EXPECT_EQ(unpackingPermutation(2), (Numbers{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(packingPermutation(2), (Numbers{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(toText(x), "subgroup_tile = [2, 1], batch_tile = [2, 4], outer_tile = [1, 1], "
                       "thread_tile = [16, 4], element_tile = [1, 4], "
                       "subgroup_strides = [1, 0], thread_strides = [1, 16]");
}

TEST(Layout, RankZeroIsOneElementOfEveryThread) {
  Layout scalar;
  EXPECT_EQ(distributedShape(scalar), Numbers{});
  EXPECT_EQ(scalar.registers(), 1);
  EXPECT_EQ(whyNot(scalar, {64}), "");
  EXPECT_EQ(ownerCount(scalar, {64}), 64);
  EXPECT_EQ(ownersOf(scalar, {64}, {}).size(), 64u);
  EXPECT_EQ(elementAt(scalar, {64}, 63, 0), Numbers{});
}

// --- 1.8 ------------------------------------------------------------------------------

TEST(DigitBasis, TableOfTheSpecification) {
  struct Row {
    Numbers sizes, strides, basis;
    SmallVector<unsigned, 4> resultOf;
  };
  const Row rows[] = {
      {{8, 4}, {4, 1}, {8, 4}, {1, 2}},     {{4, 8}, {1, 4}, {8, 4}, {2, 1}},
      {{16, 4}, {1, 16}, {4, 16}, {2, 1}},  {{8, 2, 2}, {1, 0, 16}, {2, 2, 8, 1}, {3, 4, 1}},
      {{4, 2}, {1, 16}, {2, 4, 4}, {3, 1}}, {{8}, {4}, {8, 4}, {1}},
  };
  for (const Row &row : rows) {
    Result<DigitBasis> basis = digitBasis(row.sizes, row.strides);
    ASSERT_TRUE(basis);
    EXPECT_EQ(basis->sizes, row.basis);
    EXPECT_EQ(basis->resultOf, row.resultOf);
  }
  EXPECT_FALSE(digitBasis({2, 8}, {12, 1}));
  EXPECT_FALSE(digitBasis({8, 8}, {4, 4}));
  EXPECT_EQ(digitBasis({2, 8}, {12, 1}).failure().message,
            "digits overlap: stride 12 along dimension 0 is no multiple of 8, which the faster "
            "digits take");
}

// affine.delinearize_index, evaluated by hand, gives the ids of 1.5.
TEST(DigitBasis, TakesIdsApart) {
  LayoutGenerator random(8);
  for (int run = 0; run < 500; ++run) {
    auto [layout, workgroup] = random.next();
    Result<DigitBasis> basis =
        digitBasis(layout.each(&Dim::threads), layout.each(&Dim::threadStride));
    ASSERT_TRUE(basis);
    for (int64_t lane = 0; lane < workgroup.lanes; ++lane) {
      Numbers results(basis->sizes.size() + 1);
      int64_t rest = lane;
      for (size_t digit = basis->sizes.size(); digit > 0; --digit) {
        results[digit] = rest % basis->sizes[digit - 1];
        rest /= basis->sizes[digit - 1];
      }
      for (auto [ids, result] : zip_equal(virtualIds(layout, workgroup, lane), basis->resultOf))
        EXPECT_EQ(ids.thread, results[result]);
    }
  }
}

// --- 1.4 ------------------------------------------------------------------------------

TEST(WellFormed, EachRule) {
  Workgroup workgroup{128};
  EXPECT_EQ(whyNot(Layout{{.elements = 8}}, workgroup), "");
  EXPECT_EQ(whyNot(Layout{{.elements = 0}}, workgroup), "a tile count must be positive, but is 0");
  EXPECT_EQ(whyNot(Layout{{.threads = 2, .threadStride = -1}}, workgroup),
            "a stride must not be negative, but is -1");
  EXPECT_EQ(whyNot(Layout{{.threads = 8, .threadStride = 4}, {.threads = 8, .threadStride = 4}},
                   workgroup),
            "thread_tile: digits overlap: stride 4 along dimension 1 is no multiple of 32, which "
            "the faster digits take");
  EXPECT_EQ(whyNot(Layout{{.subgroups = 2}}, workgroup),
            "subgroup_tile is 2 along dimension 0, but its stride is 0");
  EXPECT_EQ(whyNot(Layout{{.threads = 8, .threadStride = 8}}, workgroup),
            "thread_tile 8 at stride 8 along dimension 0 needs more than the 32 threads there are: "
            "move the excess into batch_tile");
  EXPECT_EQ(whyNot(Layout{{.threads = 3, .threadStride = 1}}, workgroup),
            "thread_tile takes 3 ids, which do not divide the 32 threads there are");
  EXPECT_EQ(whyNot(Layout(), {100}), "100 threads are no whole number of subgroups of 32");
  int64_t huge = int64_t(1) << 40;
  EXPECT_EQ(whyNot(Layout{{.batches = huge, .elements = huge}}, workgroup),
            "the tile has more elements than can be counted");
}

// 1.12, 1: eight subgroup positions but four subgroups; column 1 would have no owner.
TEST(WellFormed, FewerSubgroupsThanPositions) {
  Layout layout = fromLists({4, 2}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 4}, {0, 0});
  EXPECT_EQ(whyNot(layout, {8, 1}), "");
  EXPECT_EQ(whyNot(layout, {4, 1}),
            "subgroup_tile 2 at stride 4 along dimension 1 needs more than the 4 subgroups there "
            "are: move the excess into batch_tile");
}

// --- 1.10, 1.11 -----------------------------------------------------------------------

// Row = 32 vs0 + 16 b0 + vt0, column = 16 b1 + 4 vt1 + e1.
TEST(Owners, FullExampleAgainstItsFormulas) {
  Layout x = exampleOf64();
  for (int64_t threads : {128, 256}) {
    Workgroup workgroup{threads, 64};
    ASSERT_EQ(whyNot(x, workgroup), "");
    EXPECT_EQ(ownerCount(x, workgroup), threads / 128);
    for (int64_t thread = 0; thread < threads; ++thread) {
      int64_t lane = thread % 64, subgroup = thread / 64;
      for (int64_t reg = 0; reg < 32; ++reg) {
        int64_t row = 32 * (subgroup % 2) + 16 * (reg / 16) + lane % 16;
        int64_t column = 16 * (reg / 4 % 4) + 4 * (lane / 16) + reg % 4;
        EXPECT_EQ(elementAt(x, workgroup, thread, reg), (Numbers{row, column}));
      }
    }
  }
}

TEST(Owners, FullExampleElementByElement) {
  struct Row {
    Numbers element;
    int64_t owner, reg;
  };
  const Row rows[] = {{{0, 0}, 0, 0},      {{0, 1}, 0, 1},     {{1, 0}, 1, 0},
                      {{0, 4}, 16, 0},     {{16, 0}, 0, 16},   {{17, 22}, 17, 22},
                      {{37, 59}, 101, 15}, {{63, 63}, 127, 31}};
  for (const Row &row : rows) {
    EXPECT_EQ(ownersOf(exampleOf64(), {128, 64}, row.element), Numbers{row.owner});
    EXPECT_EQ(ownersOf(exampleOf64(), {256, 64}, row.element),
              (Numbers{row.owner, row.owner + 128}));
    EXPECT_EQ(registerOf(exampleOf64(), row.element), row.reg);
  }
}

// With 32 lanes the example is invalid, and its equivalents are valid.
TEST(Owners, FullExampleOn32Lanes) {
  EXPECT_EQ(whyNot(exampleOf64(), {128, 32}),
            "thread_tile 4 at stride 16 along dimension 1 needs more than the 32 threads there "
            "are: move the excess into batch_tile");
  for (const Layout &layout : {fromLists({2, 1}, {2, 4}, {2, 1}, {8, 4}, {1, 4}, {1, 0}, {1, 8}),
                               fromLists({2, 1}, {4, 4}, {1, 1}, {8, 4}, {1, 4}, {1, 0}, {1, 8})}) {
    EXPECT_EQ(whyNot(layout, {64, 32}), "");
    EXPECT_EQ(undistributedShape(layout), (Numbers{64, 64}));
    EXPECT_EQ(ownerCount(layout, {64, 32}), 1);
  }
}

TEST(Owners, SubgroupsInColumns) {
  Layout layout = fromLists({4, 2}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 4}, {0, 0});
  Numbers owners;
  forEachElement(undistributedShape(layout), [&](ArrayRef<int64_t> element) {
    for (int64_t thread : ownersOf(layout, {8, 1}, element))
      owners.push_back(thread);
  });
  EXPECT_EQ(owners, (Numbers{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(Owners, OuterTilesRepeatTheThreads) {
  Layout layout = fromLists({1, 1}, {1, 1}, {2, 1}, {2, 5}, {1, 1}, {0, 0}, {5, 1});
  Numbers owners;
  forEachElement(undistributedShape(layout), [&](ArrayRef<int64_t> element) {
    owners.push_back(firstOwnerOf(layout, {10, 10}, element));
  });
  EXPECT_EQ(owners, (Numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

// 1.12, 2: with a gap below the digit, sixteen lanes hold the same element.
TEST(Owners, GapsReplicate) {
  Layout layout{{.threads = 4, .threadStride = 16}};
  for (int64_t index = 0; index < 4; ++index) {
    Numbers owners = ownersOf(layout, {64, 64}, {index});
    EXPECT_EQ(owners.size(), 16u);
    EXPECT_EQ(owners.front(), 16 * index);
    EXPECT_EQ(owners.back(), 16 * index + 15);
  }
}

// --- Random layouts -------------------------------------------------------------------

TEST(Owners, ForwardAndInverseAgree) {
  LayoutGenerator random(1);
  for (int run = 0; run < 2000; ++run) {
    auto [layout, workgroup] = random.next();
    ASSERT_EQ(whyNot(layout, workgroup), "") << toText(layout);
    Numbers shape = undistributedShape(layout);
    auto linear = [&](ArrayRef<int64_t> element) {
      int64_t position = 0;
      for (auto [extent, index] : zip_equal(shape, element))
        position = position * extent + index;
      return position;
    };
    std::vector<Numbers> holders(layout.elements());
    for (int64_t thread = 0; thread < workgroup.threads; ++thread) {
      for (int64_t reg = 0; reg < layout.registers(); ++reg) {
        Numbers element = elementAt(layout, workgroup, thread, reg);
        for (auto [extent, index] : zip_equal(shape, element))
          ASSERT_TRUE(0 <= index && index < extent) << toText(layout);
        ASSERT_EQ(registerOf(layout, element), reg) << toText(layout);
        holders[linear(element)].push_back(thread);
      }
    }
    int64_t count = ownerCount(layout, workgroup),
            step = std::max<int64_t>(1, layout.elements() / 50);
    int64_t position = 0;
    forEachElement(shape, [&](ArrayRef<int64_t> element) {
      const Numbers &seen = holders[position];
      ASSERT_EQ(int64_t(seen.size()), count) << toText(layout);
      ASSERT_EQ(firstOwnerOf(layout, workgroup, element), seen.front()) << toText(layout);
      if (position++ % step == 0) {
        ASSERT_EQ(ownersOf(layout, workgroup, element), seen) << toText(layout);
      }
    });
  }
}
