// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what the specification leaves to devices (arithmetic, 3.3, 3.4 and 4.30; operations, 4.11).

#include "tilewright/api/diff/Allowed.h"
#include "tilewright/api/diff/Testing.h"

#include <bit>
#include <cmath>

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;

namespace {

constexpr const char operations[] = R"(cuda_tile.module @m {
  entry @k(%x: tile<f32>, %h: tile<f16>, %i: tile<i32>) {
    %0 = addf %x, %x : tile<f32>
    %1 = exp %x : tile<f32>
    %2 = exp %h : tile<f16>
    %3 = exp %x rounding<approx> : tile<f32>
    %4 = rsqrt %x flush_to_zero : tile<f32>
    %5 = rsqrt %x : tile<f32>
    %6 = absf %x : tile<f32>
    %7 = addi %i, %i : tile<i32>
    %8 = reshape %x : tile<f32> -> tile<1xf32>
    %9 = broadcast %8 : tile<1xf32> -> tile<8xf32>
    %sum = reduce %9 dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
    (%a: tile<f32>, %b: tile<f32>) {
      %s = addf %a, %b : tile<f32>
      yield %s : tile<f32>
    }
    %largest = reduce %9 dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
    (%a: tile<f32>, %b: tile<f32>) {
      %s = maxf %a, %b : tile<f32>
      yield %s : tile<f32>
    }
    %mixed = reduce %9 dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
    (%a: tile<f32>, %b: tile<f32>) {
      %s = addf %a, %b : tile<f32>
      %e = exp %s : tile<f32>
      yield %e : tile<f32>
    }
    %outside = reduce %9 dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
    (%a: tile<f32>, %b: tile<f32>) {
      %s = addf %a, %x : tile<f32>
      yield %s : tile<f32>
    }
    %l = constant <f16: 1.0> : tile<2x4xf16>
    %r = constant <f16: 1.0> : tile<4x2xf16>
    %c = constant <f32: 0.0> : tile<2x2xf32>
    %m = mmaf %l, %r, %c : tile<2x4xf16>, tile<4x2xf16>, tile<2x2xf32>
  }
})";

class Allowances : public ::testing::Test {
protected:
  std::unique_ptr<ExploredProgram> program = *ExploredProgram::of(entryOf(operations));

  Allowance of(llvm::StringRef name, int number = 0) {
    return allowanceOf(operation(program->entry(), name, number));
  }
};

Element f32(uint32_t bits) { return Element::fromBits(Format::F32, bits); }
constexpr uint32_t one = 0x3F800000;

TEST_F(Allowances, RoundedOperationsAreExact) {
  EXPECT_TRUE(allows(of("addf"), {f32(one)}, f32(one)));
  EXPECT_FALSE(allows(of("addf"), {f32(one)}, f32(one + 1)));
  EXPECT_FALSE(
      allows(of("addi"), {Element::integer(Format::I32, 4)}, Element::integer(Format::I32, 5)));
}

TEST_F(Allowances, FunctionsHaveTheErrorsOfTheTable) {
  EXPECT_TRUE(allows(of("exp"), {f32(one)}, f32(one + 2)));
  EXPECT_TRUE(allows(of("exp"), {f32(one)}, f32(one - 2)));
  EXPECT_FALSE(allows(of("exp"), {f32(one)}, f32(one + 3)));
  const auto half = [](uint64_t bits) { return Element::fromBits(Format::F16, bits); };
  EXPECT_TRUE(allows(of("exp", 1), {half(0x3C00)}, half(0x3C01)));
  EXPECT_FALSE(allows(of("exp", 1), {half(0x3C00)}, half(0x3C02)));
}

TEST_F(Allowances, ApproximateExpDependsOnItsOperand) {
  // 2 + floor(1.173 * 10) = 13
  EXPECT_TRUE(allows(of("exp", 2), {f32(one), 10}, f32(one + 13)));
  EXPECT_FALSE(allows(of("exp", 2), {f32(one), 10}, f32(one + 14)));
  EXPECT_EQ(of("exp", 2).toString(), "within 2 + 1.173 |x| ulp of");
}

TEST_F(Allowances, NumbersOnBothSidesOfZeroAreNeighbours) {
  EXPECT_TRUE(allows(of("exp"), {f32(1)}, f32(0x80000001)));
  EXPECT_FALSE(allows(of("exp"), {f32(2)}, f32(0x80000001)));
}

TEST_F(Allowances, FlushedNumbersAreNextToTheSmallestNormalOne) {
  EXPECT_TRUE(allows(of("rsqrt", 0), {f32(0x00800000)}, f32(0)));
  EXPECT_FALSE(allows(of("rsqrt", 1), {f32(0x00800000)}, f32(0)));
}

TEST_F(Allowances, NanStandsForAnyNan) {
  EXPECT_TRUE(allows(of("addf"), {f32(0x7FFFFFFF)}, f32(0xFFC00000)));
  EXPECT_TRUE(allows(of("absf"), {f32(0x7FC00001)}, f32(0xFFC00001)));
  EXPECT_FALSE(allows(of("reshape"), {f32(0x7FFFFFFF)}, f32(0xFFC00000)));
  EXPECT_FALSE(allows(of("exp"), {f32(0x7FFFFFFF)}, f32(one)));
  EXPECT_FALSE(allows(of("exp"), {f32(0x7F800000)}, f32(0x7FC00000))) << "infinity";
}

TEST_F(Allowances, SumsMayHaveAnyOrder) {
  // 2 * 8 * 2^-23 of the magnitudes.
  const Element required = Element::fromFloat(1), most = Element::fromFloat(1 + 0x1p-19f * 10),
                more = Element::fromFloat(1 + 0x1p-19f * 11);
  EXPECT_TRUE(allows(of("reduce"), {required, 0, 10}, most));
  EXPECT_FALSE(allows(of("reduce"), {required, 0, 10}, more));
  EXPECT_FALSE(allows(of("reduce", 1), {required, 0, 10}, f32(one + 1)));
}

TEST_F(Allowances, MagnitudesBeyondTheFormatBoundNothing) {
  const Required far{f32(one), 0, std::numeric_limits<double>::infinity()};
  EXPECT_FALSE(allows(of("reduce"), far, Element::fromFloat(100)));
  EXPECT_TRUE(mayOverflow(of("reduce"), far, f32(0)));
  EXPECT_FALSE(mayOverflow(of("reduce"), {f32(one), 0, 0x1p127}, f32(0)));
  EXPECT_FALSE(mayOverflow(of("addf"), far, f32(0))) << "there is no order";
  // 65504 is the largest f16.
  const Element half = Element::fromBits(Format::F16, 0x3C00);
  EXPECT_TRUE(mayOverflow(of("mmaf"), {half, 0, 65505}, half));
  EXPECT_FALSE(mayOverflow(of("mmaf"), {half, 0, 65504}, half));
}

// A sum of -inf and large numbers is -inf, or NaN if those overflow first, but never finite.
TEST_F(Allowances, SumsOfInfinitiesAreNeverFinite) {
  const Required infinite{f32(0xFF800000), 0, std::numeric_limits<double>::infinity(),
                          /*isNeverFinite=*/true};
  EXPECT_FALSE(mayOverflow(of("reduce"), infinite, f32(one)));
  EXPECT_TRUE(mayOverflow(of("reduce"), infinite, f32(0x7FC00000)));
}

TEST_F(Allowances, OnlySumsAndProductsKeepInfinities) {
  EXPECT_TRUE(of("reduce").keepsInfinities);
  EXPECT_TRUE(of("mmaf").keepsInfinities);
  EXPECT_FALSE(of("reduce", 1).keepsInfinities) << "maxf";
  EXPECT_FALSE(of("reduce", 2).keepsInfinities) << "exp of -inf is 0";
  EXPECT_FALSE(of("reduce", 3).keepsInfinities) << "may add an infinity of its own";
  EXPECT_FALSE(of("addf").keepsInfinities);
}

TEST_F(Allowances, ProductsHaveTheToleranceOfTheSpecification) {
  // 2 * (4 + 1) * 2^-23 of the magnitudes, and a unit of the result.
  EXPECT_EQ(of("mmaf").ofMagnitudes, 10 * 0x1p-23);
  EXPECT_TRUE(allows(of("mmaf"), {f32(one), 0, 0}, f32(one + 1)));
  EXPECT_FALSE(allows(of("mmaf"), {f32(one), 0, 0}, f32(one + 2)));
}

} // namespace
