// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks distances between layouts and costs of accesses against numbers that can be computed by
// hand.

#include "test/support/layout/LayoutTest.h"
#include "tilewright/layout/algebra/Fragments.h"
#include "tilewright/layout/algebra/Movement.h"
#include "tilewright/layout/algebra/Owners.h"
#include "tilewright/layout/algebra/Rearrange.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace tilewright::layout;

namespace {

std::string whyNot(const Result<AccessCount> &count) {
  return count ? "" : count.failure().message;
}

/// A tile of 32 x 32 in which every lane holds one row.
Layout rowPerLane(Dim columns) { return Layout{{.threads = 32, .threadStride = 1}, columns}; }

} // namespace

TEST(Distance, OfEachKind) {
  Workgroup workgroup{64};
  Layout x{{.subgroups = 2, .batches = 2, .threads = 32, .subgroupStride = 1, .threadStride = 1},
           {.elements = 4}};
  EXPECT_EQ(distanceBetween(x, x, workgroup), Distance::None);
  // Batches and outers only number registers.
  Layout renamed{
      {.subgroups = 2, .outers = 2, .threads = 32, .subgroupStride = 1, .threadStride = 1},
      {.batches = 2, .elements = 2}};
  EXPECT_FALSE(differInRegistersOnly(x, renamed)); // element_tile differs
  EXPECT_EQ(distanceBetween(x, renamed, workgroup), Distance::Registers);
  // Each row moves to another lane of the same subgroup.
  Layout lanes{
      {.subgroups = 2, .threads = 32, .elements = 2, .subgroupStride = 1, .threadStride = 1},
      {.elements = 4}};
  EXPECT_EQ(distanceBetween(x, lanes, workgroup), Distance::Lanes);
  Layout elsewhere{{.batches = 2, .threads = 32, .elements = 2, .threadStride = 1},
                   {.subgroups = 2, .elements = 2, .subgroupStride = 1}};
  EXPECT_EQ(distanceBetween(x, elsewhere, workgroup), Distance::Workgroup);
}

// 4.5: if all subgroups are along M, the accumulator of one product is an operand of the next.
TEST(Distance, ChainedProducts) {
  Layout grid{{.subgroups = 4, .batches = 2, .subgroupStride = 1}, {.batches = 8}};
  Layout c = *compose(grid, fragmentOfC(Mma::M16N8K16_f16).layout);
  Layout halves{{.subgroups = 4, .batches = 2, .subgroupStride = 1}, {.batches = 4}};
  Layout a = *compose(halves, fragmentOfA(Mma::M16N8K16_f16).layout);
  EXPECT_TRUE(differInRegistersOnly(c, a));
  EXPECT_EQ(distanceBetween(c, a, {128}), Distance::Registers);
  // 4.6: no thread of a blocked layout holds the elements of its fragment.
  Layout from = blocked({128, 64}, 16, 4, {1, 0});
  EXPECT_EQ(distanceBetween(from, a, {128}), Distance::Lanes);
  Layout square =
      *compose(Layout{{.subgroups = 2, .batches = 4, .subgroupStride = 2}, {.batches = 4}},
               fragmentOfA(Mma::M16N8K16_f16).layout);
  EXPECT_EQ(distanceBetween(from, square, {128}), Distance::Workgroup);
}

// Comparing dimension by dimension gives the same answer as comparing sets of elements.
TEST(Distance, AgainstSetsOfElements) {
  LayoutGenerator random(3);
  int same = 0, different = 0;
  for (int run = 0; run < 400; ++run) {
    auto [layout, workgroup] = random.next();
    SmallVector<Dim, 4> dims(layout.dims());
    if (dims.empty())
      continue;
    Dim &dim = dims[random.below(dims.size())];
    switch (random.below(3)) {
    case 0:
      std::swap(dim.batches, dim.outers);
      break;
    case 1:
      std::swap(dim.batches, dim.elements);
      break;
    default:
      dim.batches *= std::exchange(dim.outers, 1);
    }
    Layout other(dims);
    auto held = [&workgroup = workgroup](const Layout &of, int64_t thread) {
      std::set<Numbers, decltype([](const Numbers &a, const Numbers &b) {
                 return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
               })>
          elements;
      for (int64_t reg = 0; reg < of.registers(); ++reg)
        elements.insert(elementAt(of, workgroup, thread, reg));
      return elements;
    };
    bool equal = true;
    for (int64_t thread = 0; thread < workgroup.threads; ++thread)
      equal = equal && held(layout, thread) == held(other, thread);
    ASSERT_EQ(haveSameOwners(layout, other, workgroup), equal)
        << toText(layout) << " and " << toText(other);
    ++(equal ? same : different);
    if (differInRegistersOnly(layout, other)) {
      ASSERT_TRUE(equal);
    }
  }
  EXPECT_GT(same, 50);
  EXPECT_GT(different, 20);
}

// 4.1: eight accesses of 16 bytes per thread; each access of a warp covers 4 rows of 128 bytes.
TEST(Access, BlockedIsCoalesced) {
  Layout layout = blocked({128, 64}, 16, 4, {1, 0});
  Result<AccessCount> count = countSectors(layout, {128}, {{64, 1}, 16}, 16);
  ASSERT_TRUE(count) << whyNot(count);
  EXPECT_EQ(count->accesses, 4 * 8);
  EXPECT_EQ(count->transactions, 4 * 8 * 16);
  EXPECT_EQ(count->least, count->transactions);
  // With single elements, each access of a warp uses 2 of every 16 bytes: still 16 sectors.
  count = countSectors(layout, {128}, {{64, 1}, 16}, 2);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->accesses, 4 * 64);
  EXPECT_EQ(count->transactions, 4 * 64 * 16);
  EXPECT_EQ(count->least, 4 * 64 * 2);
}

TEST(Access, RowPerLaneIsNot) {
  Result<AccessCount> count = countSectors(rowPerLane({.batches = 32}), {32}, {{32, 1}, 32}, 4);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->accesses, 32);
  EXPECT_EQ(count->transactions, 32 * 32); // a sector per lane
  EXPECT_EQ(count->least, 32 * 4);         // 128 bytes
}

// 32 lanes conflict on one bank, unless rows are padded by a word.
TEST(Access, BankConflicts) {
  Layout column = rowPerLane({.batches = 32});
  Result<AccessCount> count = countBankSteps(column, {32}, {{32, 1}, 32}, 4);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->transactions, 32 * 32);
  EXPECT_EQ(count->least, 32);
  count = countBankSteps(column, {32}, {{33, 1}, 32}, 4);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->transactions, 32);
  // 16 bytes per lane, served per quarter: with rows of 128 bytes, 8 lanes conflict on 4 banks.
  Layout wide = rowPerLane({.batches = 8, .elements = 4});
  count = countBankSteps(wide, {32}, {{32, 1}, 32}, 16);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->accesses, 8);
  EXPECT_EQ(count->least, 8 * 4);
  EXPECT_EQ(count->transactions, 8 * 4 * 8);
  // With rows of 144 bytes they do not conflict.
  count = countBankSteps(wide, {32}, {{36, 1}, 32}, 16);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->transactions, count->least);
  // Lanes that access the same word share it.
  count = countBankSteps(Layout{{.batches = 4}}, {32}, {{1}, 32}, 4);
  ASSERT_TRUE(count);
  EXPECT_EQ(count->transactions, 4);
}

TEST(Access, Refusals) {
  Layout layout = rowPerLane({.batches = 8, .elements = 4});
  EXPECT_EQ(whyNot(countSectors(layout, {32}, {{32, 1}, 32}, 3)),
            "an access has 1, 2, 4, 8 or 16 bytes, not 3");
  EXPECT_EQ(whyNot(countSectors(layout, {32}, {{32, 1}, 4}, 1)),
            "1 bytes are no whole number of elements of 4 bits");
  EXPECT_EQ(whyNot(countSectors(layout, {32}, {{1, 32}, 32}, 16)),
            "an access of 16 bytes takes 4 elements, but a thread holds runs of 1");
  EXPECT_EQ(whyNot(countSectors(layout, {32}, {{33, 1}, 32}, 16)),
            "the rows of this tile are not aligned to 16 bytes");
}
