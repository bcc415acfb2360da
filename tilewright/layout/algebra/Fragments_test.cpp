// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks fragments against the formulas of the PTX documentation, for every lane and register, with
// g = lane / 4 and t = lane % 4 (there: groupID and threadID_in_group); ldmatrix by simulation of
// the instruction; blocked layouts and whole products against layouts, 4.1 and 4.5.

#include "test/support/layout/LayoutTest.h"
#include "tilewright/layout/algebra/Fragments.h"
#include "tilewright/layout/algebra/Owners.h"
#include "tilewright/layout/algebra/Rearrange.h"

#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace llvm;
using namespace tilewright::layout;

namespace {

/// The coordinates of element `i` of a lane's operand.
using Formula = std::function<Numbers(int64_t g, int64_t t, int64_t i)>;

void expectFormula(const Fragment &fragment, Workgroup workgroup, ArrayRef<int64_t> shape,
                   const std::function<Numbers(int64_t thread, int64_t i)> &formula) {
  EXPECT_EQ(undistributedShape(fragment.layout), Numbers(shape));
  EXPECT_TRUE(checkFor(fragment.layout, workgroup));
  EXPECT_EQ(ownerCount(fragment.layout, workgroup), 1);
  ASSERT_EQ(int64_t(fragment.order.size()), fragment.layout.registers());
  for (int64_t thread = 0; thread < workgroup.threads; ++thread)
    for (auto [reg, i] : enumerate(fragment.order))
      EXPECT_EQ(elementAt(fragment.layout, workgroup, thread, reg), formula(thread, i));
}

void expectMma(const Fragment &fragment, ArrayRef<int64_t> shape, const Formula &formula) {
  expectFormula(fragment, {32}, shape,
                [&](int64_t lane, int64_t i) { return formula(lane / 4, lane % 4, i); });
}

const Formula accumulator = [](int64_t g, int64_t t, int64_t i) {
  return Numbers{g + 8 * (i / 2), 2 * t + i % 2};
};

} // namespace

// --- mma.sync (4.4) -------------------------------------------------------------------

TEST(Mma, M16N8K16_f16) {
  expectMma(fragmentOfA(Mma::M16N8K16_f16), {16, 16}, [](int64_t g, int64_t t, int64_t i) {
    return Numbers{g + 8 * (i / 2 % 2), 2 * t + i % 2 + 8 * (i / 4)};
  });
  expectMma(fragmentOfB(Mma::M16N8K16_f16), {16, 8}, [](int64_t g, int64_t t, int64_t i) {
    return Numbers{2 * t + i % 2 + 8 * (i / 2), g};
  });
  expectMma(fragmentOfC(Mma::M16N8K16_f16), {16, 8}, accumulator);
  EXPECT_EQ(fragmentOfA(Mma::M16N8K16_f16).order, (Numbers{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(fragmentOfB(Mma::M16N8K16_f16).order, (Numbers{0, 1, 2, 3}));
}

TEST(Mma, M16N8K8_f16) {
  expectMma(fragmentOfA(Mma::M16N8K8_f16), {16, 8}, accumulator);
  expectMma(fragmentOfB(Mma::M16N8K8_f16), {8, 8},
            [](int64_t g, int64_t t, int64_t i) { return Numbers{2 * t + i, g}; });
  expectMma(fragmentOfC(Mma::M16N8K8_f16), {16, 8}, accumulator);
}

TEST(Mma, Tf32) {
  expectMma(fragmentOfA(Mma::M16N8K8_tf32), {16, 8}, [](int64_t g, int64_t t, int64_t i) {
    return Numbers{g + 8 * (i % 2), t + 4 * (i / 2)};
  });
  expectMma(fragmentOfB(Mma::M16N8K8_tf32), {8, 8},
            [](int64_t g, int64_t t, int64_t i) { return Numbers{t + 4 * i, g}; });
  expectMma(fragmentOfC(Mma::M16N8K8_tf32), {16, 8}, accumulator);
  EXPECT_EQ(fragmentOfA(Mma::M16N8K8_tf32).order, (Numbers{0, 2, 1, 3}));
  expectMma(fragmentOfA(Mma::M16N8K4_tf32), {16, 4},
            [](int64_t g, int64_t t, int64_t i) { return Numbers{g + 8 * i, t}; });
  expectMma(fragmentOfB(Mma::M16N8K4_tf32), {4, 8},
            [](int64_t g, int64_t t, int64_t i) { return Numbers{t, g}; });
  expectMma(fragmentOfC(Mma::M16N8K4_tf32), {16, 8}, accumulator);
}

TEST(Mma, EightAndFourBits) {
  expectMma(fragmentOfA(Mma::M16N8K32_i8), {16, 32}, [](int64_t g, int64_t t, int64_t i) {
    return Numbers{g + 8 * (i / 4 % 2), 4 * t + i % 4 + 16 * (i / 8)};
  });
  expectMma(fragmentOfB(Mma::M16N8K32_i8), {32, 8}, [](int64_t g, int64_t t, int64_t i) {
    return Numbers{4 * t + i % 4 + 16 * (i / 4), g};
  });
  expectMma(fragmentOfC(Mma::M16N8K32_i8), {16, 8}, accumulator);
  expectMma(fragmentOfA(Mma::M16N8K64_i4), {16, 64}, [](int64_t g, int64_t t, int64_t i) {
    return Numbers{g + 8 * (i / 8 % 2), 8 * t + i % 8 + 32 * (i / 16)};
  });
  expectMma(fragmentOfB(Mma::M16N8K64_i4), {64, 8}, [](int64_t g, int64_t t, int64_t i) {
    return Numbers{8 * t + i % 8 + 32 * (i / 8), g};
  });
  expectMma(fragmentOfC(Mma::M16N8K64_i4), {16, 8}, accumulator);
}

TEST(Mma, M8N8K4_f64) {
  expectMma(fragmentOfA(Mma::M8N8K4_f64), {8, 4},
            [](int64_t g, int64_t t, int64_t) { return Numbers{g, t}; });
  expectMma(fragmentOfB(Mma::M8N8K4_f64), {4, 8},
            [](int64_t g, int64_t t, int64_t) { return Numbers{t, g}; });
  expectMma(fragmentOfC(Mma::M8N8K4_f64), {8, 8},
            [](int64_t g, int64_t t, int64_t i) { return Numbers{g, 2 * t + i}; });
}

// The lists of layouts, 4.4, verbatim.
TEST(Mma, ListsOfTheSpecification) {
  EXPECT_EQ(fragmentOfA(Mma::M16N8K16_f16).layout,
            fromLists({1, 1}, {1, 1}, {2, 2}, {8, 4}, {1, 2}, {0, 0}, {4, 1}));
  EXPECT_EQ(fragmentOfB(Mma::M16N8K32_i8).layout,
            fromLists({1, 1}, {1, 1}, {2, 1}, {4, 8}, {4, 1}, {0, 0}, {1, 4}));
  EXPECT_EQ(fragmentOfC(Mma::M8N8K4_f64).layout,
            fromLists({1, 1}, {1, 1}, {1, 1}, {8, 4}, {1, 2}, {0, 0}, {4, 1}));
}

// --- wgmma (4.7) ----------------------------------------------------------------------

TEST(Wgmma, Accumulator) {
  for (int64_t n : {8, 16, 64, 128, 256})
    for (int64_t groups : {1, 2}) {
      Result<Fragment> fragment = wgmmaAccumulator(n, groups);
      ASSERT_TRUE(fragment);
      expectFormula(*fragment, {128 * groups}, {64 * groups, n}, [](int64_t thread, int64_t i) {
        int64_t warp = thread / 32, g = thread % 32 / 4, t = thread % 4;
        int64_t row = 16 * (warp % 4) + g + 8 * (i / 2 % 2) + 64 * (warp / 4);
        return Numbers{row, 8 * (i / 4) + 2 * t + i % 2};
      });
      for (auto [reg, i] : enumerate(fragment->order))
        EXPECT_EQ(int64_t(reg), i);
    }
}

TEST(Wgmma, OperandA) {
  expectFormula(wgmmaOperandA(), {128}, {64, 16}, [](int64_t thread, int64_t i) {
    int64_t g = thread % 32 / 4, t = thread % 4;
    return Numbers{16 * (thread / 32) + g + 8 * (i / 2 % 2), 2 * t + i % 2 + 8 * (i / 4)};
  });
}

TEST(Wgmma, Refusals) {
  EXPECT_EQ(wgmmaAccumulator(12).failure().message,
            "N of wgmma must be a multiple of 8 up to 256, but is 12");
  EXPECT_FALSE(wgmmaAccumulator(264));
  EXPECT_FALSE(wgmmaAccumulator(0));
  EXPECT_EQ(wgmmaAccumulator(8, 0).failure().message,
            "wgmma needs at least one group of four subgroups, not 0");
}

// --- ldmatrix (4.6) -------------------------------------------------------------------

namespace {

/// The elements that a lane receives, in the order of its registers: from matrix `r`, row lane / 4,
/// columns 2 * (lane % 4) + {0, 1}; with .trans, rows and columns are exchanged. Lane 8 * r + j
/// supplies the address of row `j` of matrix `r`.
std::vector<Numbers> received(const Layout &addresses, int64_t matrices, bool transposed,
                              int64_t lane) {
  std::vector<Numbers> elements;
  for (int64_t matrix = 0; matrix < matrices; ++matrix)
    for (int64_t half : {0, 1}) {
      int64_t row = lane / 4, column = 2 * (lane % 4) + half;
      if (transposed)
        std::swap(row, column);
      elements.push_back(elementAt(addresses, {32}, 8 * matrix + row, column));
    }
  return elements;
}

void expectLdMatrix(LdMatrix use, int64_t matrices, bool transposed, const Numbers &order) {
  auto [addresses, result] = layoutsOf(use);
  EXPECT_TRUE(checkFor(addresses, {32}));
  EXPECT_EQ(addresses.registers(), 8);
  EXPECT_EQ(ownerCount(addresses, {32}), 4 / matrices);
  EXPECT_EQ(undistributedShape(addresses), undistributedShape(result));
  ASSERT_EQ(result.registers(), 2 * matrices);
  for (int64_t lane = 0; lane < 32; ++lane) {
    std::vector<Numbers> elements = received(addresses, matrices, transposed, lane);
    for (int64_t reg = 0; reg < result.registers(); ++reg)
      EXPECT_EQ(elementAt(result, {32}, lane, reg), elements[order[reg]]);
  }
}

} // namespace

TEST(LdMatrix, BringsFragments) {
  const Numbers pairs{0, 1, 2, 3}, quads{0, 1, 2, 3, 4, 5, 6, 7};
  // The matrices are in the order of the instruction's registers: a0a1, a2a3, a4a5, a6a7.
  expectLdMatrix(LdMatrix::A, 4, false, fragmentOfA(Mma::M16N8K16_f16).order);
  expectLdMatrix(LdMatrix::B, 2, true, pairs);
  expectLdMatrix(LdMatrix::TwoB, 4, true, quads);
  expectLdMatrix(LdMatrix::BFromNK, 2, false, pairs);
  expectLdMatrix(LdMatrix::TwoBFromNK, 4, false, quads);
  expectLdMatrix(LdMatrix::KMajorTwoB, 4, false, quads);
}

// --- Blocked (4.1) --------------------------------------------------------------------

TEST(Blocked, TableOfTheSpecification) {
  struct Row {
    Numbers shape;
    int64_t bits, subgroups;
    Numbers sg, b, th, e, ss, ts;
    int64_t owners;
    SmallVector<unsigned> order;
  };
  const Row rows[] = {
      {{128, 64}, 16, 4, {4, 1}, {8, 1}, {4, 8}, {1, 8}, {1, 0}, {8, 1}, 1, {1, 0}},
      {{128, 64}, 16, 8, {8, 1}, {4, 1}, {4, 8}, {1, 8}, {1, 0}, {8, 1}, 1, {1, 0}},
      {{128, 64}, 32, 4, {4, 1}, {16, 1}, {2, 16}, {1, 4}, {1, 0}, {16, 1}, 1, {1, 0}},
      {{128, 128}, 16, 4, {4, 1}, {16, 1}, {2, 16}, {1, 8}, {1, 0}, {16, 1}, 1, {1, 0}},
      {{64, 64}, 32, 4, {4, 1}, {8, 1}, {2, 16}, {1, 4}, {1, 0}, {16, 1}, 1, {1, 0}},
      {{16, 16}, 32, 4, {4, 1}, {1, 1}, {4, 8}, {1, 2}, {1, 0}, {8, 1}, 1, {1, 0}},
      {{4, 1024}, 32, 4, {4, 1}, {1, 8}, {1, 32}, {1, 4}, {1, 0}, {0, 1}, 1, {1, 0}},
      {{4, 1024}, 32, 8, {4, 2}, {1, 4}, {1, 32}, {1, 4}, {1, 4}, {0, 1}, 1, {1, 0}},
      {{1, 4096}, 32, 4, {1, 4}, {1, 8}, {1, 32}, {1, 4}, {0, 1}, {0, 1}, 1, {1, 0}},
      {{2, 64, 64},
       32,
       4,
       {2, 2, 1},
       {1, 16, 1},
       {1, 2, 16},
       {1, 1, 4},
       {1, 2, 0},
       {0, 16, 1},
       1,
       {2, 1, 0}},
      {{1024}, 32, 4, {4}, {2}, {32}, {4}, {1}, {1}, 1, {0}},
      {{128}, 16, 4, {4}, {1}, {32}, {1}, {1}, {1}, 1, {0}},
      {{128}, 16, 8, {4}, {1}, {32}, {1}, {1}, {1}, 2, {0}},
      {{8}, 32, 4, {1}, {1}, {8}, {1}, {0}, {1}, 16, {0}},
      {{}, 32, 4, {}, {}, {}, {}, {}, {}, 128, {}},
      {{64, 128}, 16, 4, {1, 4}, {1, 8}, {8, 4}, {8, 1}, {0, 1}, {1, 8}, 1, {0, 1}},
  };
  for (const Row &row : rows) {
    Layout layout = blocked(row.shape, row.bits, row.subgroups, row.order);
    Numbers ones(row.shape.size(), 1);
    EXPECT_EQ(layout, fromLists(row.sg, row.b, ones, row.th, row.e, row.ss, row.ts));
    EXPECT_EQ(undistributedShape(layout), row.shape);
    EXPECT_TRUE(checkFor(layout, {32 * row.subgroups}));
    EXPECT_EQ(ownerCount(layout, {32 * row.subgroups}), row.owners);
  }
}

// --- Whole products (4.5) -------------------------------------------------------------

// 128 x 64 x 32 by 2 x 2 subgroups.
TEST(Product, OperandsOfFourSubgroups) {
  auto spread = [](const Fragment &fragment, Dim rows, Dim columns) {
    return *compose(Layout{rows, columns}, fragment.layout);
  };
  Layout a = spread(fragmentOfA(Mma::M16N8K16_f16),
                    {.subgroups = 2, .batches = 4, .subgroupStride = 2}, {.batches = 2});
  Layout b = spread(fragmentOfB(Mma::M16N8K16_f16), {.batches = 2},
                    {.subgroups = 2, .batches = 4, .subgroupStride = 1});
  Layout c =
      spread(fragmentOfC(Mma::M16N8K16_f16), {.subgroups = 2, .batches = 4, .subgroupStride = 2},
             {.subgroups = 2, .batches = 4, .subgroupStride = 1});
  EXPECT_EQ(a, fromLists({2, 1}, {4, 2}, {2, 2}, {8, 4}, {1, 2}, {2, 0}, {4, 1}));
  EXPECT_EQ(b, fromLists({1, 2}, {2, 4}, {2, 1}, {4, 8}, {2, 1}, {0, 1}, {1, 4}));
  EXPECT_EQ(c, fromLists({2, 2}, {4, 4}, {2, 1}, {8, 4}, {1, 2}, {2, 1}, {4, 1}));
  EXPECT_EQ(ownerCount(a, {128}), 2);
  EXPECT_EQ(ownerCount(b, {128}), 2);
  EXPECT_EQ(ownerCount(c, {128}), 1);
  const Numbers of69[] = {{65, 2},  {65, 3},  {73, 2},  {73, 3},
                          {65, 10}, {65, 11}, {73, 10}, {73, 11}};
  for (auto [reg, element] : enumerate(of69))
    EXPECT_EQ(elementAt(c, {128}, 69, reg), element);
  EXPECT_EQ(elementAt(c, {128}, 69, 16), (Numbers{81, 2}));
  EXPECT_EQ(elementAt(c, {128}, 69, 19), (Numbers{89, 3}));
}

// --- By name --------------------------------------------------------------------------

TEST(FragmentNames, AreThoseOfTheConstructors) {
  EXPECT_EQ(*fragmentNamed("m16n8k16_f16.A"), fragmentOfA(Mma::M16N8K16_f16).layout);
  EXPECT_EQ(*fragmentNamed("m16n8k64_i4.B"), fragmentOfB(Mma::M16N8K64_i4).layout);
  EXPECT_EQ(*fragmentNamed("m8n8k4_f64.C"), fragmentOfC(Mma::M8N8K4_f64).layout);
  EXPECT_EQ(*fragmentNamed("wgmma.A"), wgmmaOperandA().layout);
  EXPECT_EQ(*fragmentNamed("wgmma.m64n128"), wgmmaAccumulator(128)->layout);
  EXPECT_EQ(*fragmentNamed("ldmatrix.KMajorTwoB.result"), layoutsOf(LdMatrix::KMajorTwoB).result);
  EXPECT_EQ(*fragmentNamed("ldmatrix.A.addresses"), layoutsOf(LdMatrix::A).addresses);
  for (const char *none : {"", "m16n8k16_f16", "m16n8k16_f16.D", "m8n8k16_f16.A", "wgmma.B",
                           "wgmma.m64n12", "ldmatrix.A", "ldmatrix.C.result"})
    EXPECT_FALSE(fragmentNamed(none)) << none;
}
