// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check vectors of arithmetic, 10, row by row. They were computed by hand, for all
// implementations.

#include "test/support/numerics/TestSupport.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/Integer.h"
#include "tilewright/numerics/Math.h"
#include "tilewright/numerics/Mma.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

constexpr auto signedReading = Signedness::Signed;
constexpr auto unsignedReading = Signedness::Unsigned;
constexpr auto nearest = RoundingMode::NearestEven;
constexpr auto zero = RoundingMode::Zero;
constexpr auto up = RoundingMode::PositiveInf;
constexpr auto down = RoundingMode::NegativeInf;

Element i8(int value) { return Element::integer(Format::I8, value); }
Element i32(int64_t value) { return Element::integer(Format::I32, value); }
uint64_t toFormat(double value, Format to, RoundingMode mode = nearest) {
  return floatToFloat(wide(value), to, mode).bits;
}
uint64_t fromSingle(float value, Format to, RoundingMode mode = nearest) {
  return floatToFloat(single(value), to, mode).bits;
}

TEST(CheckVectors, Integers) {
  EXPECT_EQ(addI(i8(100), i8(100)).asSigned(), -56);
  EXPECT_EQ(mulI(i8(100), i8(3)).asSigned(), 44);
  EXPECT_EQ(mulhU(i8(200), i8(3)).asUnsigned(), 2u);
  EXPECT_EQ(absI(i8(-128)).bits, 0x80u);
  EXPECT_EQ(divI(i32(-7), i32(2), signedReading, zero).asSigned(), -3);
  EXPECT_EQ(divI(i32(-7), i32(2), signedReading, down).asSigned(), -4);
  EXPECT_EQ(divI(i32(-7), i32(2), signedReading, up).asSigned(), -3);
  EXPECT_EQ(divI(i32(7), i32(2), unsignedReading, up).asSigned(), 4);
  EXPECT_EQ(shrI(i8(0x80), i8(3), signedReading).bits, 0xF0u);
  EXPECT_EQ(shrI(i8(0x80), i8(3), unsignedReading).bits, 0x10u);
  EXPECT_EQ(extI(Element::fromBits(Format::I4, 9), Format::I8, signedReading).bits, 0xF9u);
  EXPECT_EQ(extI(Element::fromBits(Format::I4, 9), Format::I8, unsignedReading).bits, 0x09u);
  Element yes = Element::boolean(true), no = Element::boolean(false);
  EXPECT_EQ(cmpI(Predicate::LessThan, yes, no, signedReading), yes);
  EXPECT_EQ(cmpI(Predicate::LessThan, yes, no, unsignedReading), no);
  EXPECT_EQ(truncI(i8(2), Format::I1), no);
  EXPECT_EQ(truncI(i8(3), Format::I1), yes);
}

TEST(CheckVectors, Floats) {
  EXPECT_TRUE(is(addF(single(1), single(0x1p-25f), nearest), 1));
  EXPECT_TRUE(is(addF(single(1), single(0x1p-25f), up), 1 + 0x1p-23));
  Element x = single(1 + 0x1p-12f);
  EXPECT_TRUE(is(fmaF(x, x, single(-(1 + 0x1p-11f))), 0x1p-24));
  EXPECT_TRUE(is(remF(single(-5.5f), single(2)), -1.5));
  EXPECT_TRUE(is(remF(single(5.5f), single(-2)), 1.5));
  EXPECT_TRUE(is(remF(single(-4), single(2)), -0.0));
  EXPECT_TRUE(is(maxF(single(-0.0f), single(0)), 0.0));
  EXPECT_TRUE(is(minF(single(-0.0f), single(0)), -0.0));
  EXPECT_TRUE(is(maxF(single(NAN), single(1)), 1));
  EXPECT_TRUE(is(maxF(single(NAN), single(1), /*propagateNan=*/true), NAN));
  EXPECT_TRUE(is(mulF(single(0x1p-126f), single(-0.5f), nearest, /*flushToZero=*/true), -0.0));
  EXPECT_EQ(cmpF(Predicate::LessThan, Ordering::Ordered, single(NAN), single(1)).bits, 0u);
  EXPECT_EQ(cmpF(Predicate::LessThan, Ordering::Unordered, single(NAN), single(1)).bits, 1u);
  Element a = Element::fromBits(Format::F32, 0x3F7FFFFF),
          b = Element::fromBits(Format::F32, 0x00800000);
  EXPECT_EQ(mulF(a, b, nearest, true).bits, 0x00800000u);
  EXPECT_EQ(mulF(a, b, zero, true).bits, 0u);
  EXPECT_TRUE(is(maxF(single(-0x1p-130f), single(-0x1p-127f), false, true), -0.0));
}

TEST(CheckVectors, Conversions) {
  EXPECT_EQ(toFormat(0.3, Format::F8E4M3FN), 0x2Au);
  EXPECT_EQ(toFormat(464, Format::F8E4M3FN), 0x7Eu);
  EXPECT_EQ(toFormat(-1000, Format::F8E4M3FN), 0xFEu);
  EXPECT_EQ(toFormat(0.3, Format::F8E5M2), 0x35u);
  EXPECT_EQ(toFormat(500, Format::F8E5M2), 0x60u);
  EXPECT_EQ(toFormat(70000, Format::F8E5M2), 0x7Bu);
  EXPECT_EQ(toFormat(2.5, Format::F4E2M1FN), 0x4u);
  EXPECT_EQ(toFormat(5, Format::F4E2M1FN), 0x6u);
  EXPECT_EQ(toFormat(0.75, Format::F4E2M1FN), 0x2u);
  EXPECT_EQ(fromSingle(3, Format::F8E8M0FNU, zero), 0x80u);
  EXPECT_EQ(fromSingle(3, Format::F8E8M0FNU, up), 0x81u);
  EXPECT_EQ(fromSingle(-3, Format::F8E8M0FNU, up), 0x81u); // 4.25: the sign is discarded
  EXPECT_EQ(fromSingle(1 + 0x1p-11f, Format::TF32), 0x1FC00u);
  EXPECT_EQ(fromSingle(0x1p-10f, Format::F8E4M3FN), 0x00u);
  EXPECT_EQ(fromSingle(3 * 0x1p-10f, Format::F8E4M3FN), 0x02u);
  EXPECT_EQ(fromSingle(INFINITY, Format::F8E4M3FN), 0x7Eu);
  EXPECT_EQ(fromSingle(0x1p-17f, Format::F8E5M2), 0x00u);
  EXPECT_EQ(fromSingle(3 * 0x1p-17f, Format::F8E5M2), 0x02u);
  EXPECT_EQ(fromSingle(-INFINITY, Format::F8E5M2), 0xFBu);
  const std::pair<float, uint64_t> toF4[] = {{0.25f, 0}, {-0.25f, 8}, {1.25f, 2},
                                             {3.5f, 6},  {100, 7},    {-INFINITY, 0xF}};
  for (auto [value, bits] : toF4)
    EXPECT_EQ(fromSingle(value, Format::F4E2M1FN), bits) << value;
  Element smallestScale = Element::fromBits(Format::F8E8M0FNU, 0);
  EXPECT_EQ(floatToFloat(smallestScale, Format::BF16).bits, 0x0040u);
  EXPECT_EQ(floatToFloat(smallestScale, Format::F32).bits, 0x00400000u);
  EXPECT_EQ(floatToFloat(smallestScale, Format::F16).bits, 0x0000u);
  EXPECT_EQ(floatToFloat(Element::fromBits(Format::F8E8M0FNU, 0xFE), Format::F16).bits, 0x7C00u);
  EXPECT_EQ(fromSingle(0.1f, Format::BF16), 0x3DCDu);
  EXPECT_EQ(fromSingle(0.1f, Format::F16), 0x2E66u);
  EXPECT_EQ(intToFloat(i32(65519), Format::F16, signedReading).bits, 0x7BFFu);
  EXPECT_EQ(intToFloat(i32(65520), Format::F16, signedReading).bits, 0x7C00u);
  EXPECT_EQ(intToFloat(i32(449), Format::F8E4M3FN, signedReading).bits, 0x7Eu);
  EXPECT_EQ(intToFloat(i32(-1000), Format::F8E4M3FN, signedReading).bits, 0xFEu);
}

TEST(CheckVectors, Sequences) {
  Element half = Element::fromBits(Format::F4E2M1FN, 1),
          more = Element::fromBits(Format::F4E2M1FN, 3);
  auto bytes = pack({half, more});
  ASSERT_EQ(bytes.size(), 1u);
  EXPECT_EQ(bytes[0].bits, 0x31u);
  bytes = pack({i32(0x04030201)});
  ASSERT_EQ(bytes.size(), 4u);
  for (int index = 0; index < 4; ++index)
    EXPECT_EQ(bytes[index], i8(index + 1));
}

TEST(CheckVectors, Functions) {
  auto pow = [](float x, float y) { return powF(single(x), single(y)); };
  EXPECT_TRUE(is(pow(NAN, 0), 1));
  EXPECT_TRUE(is(pow(1, NAN), 1));
  EXPECT_TRUE(is(pow(-8, 1.0f / 3), NAN));
  EXPECT_TRUE(is(pow(-0.0f, -3), -INFINITY));
  auto atan2 = [](float a, float b) { return atan2F(single(a), single(b)); };
  EXPECT_EQ(atan2(0, -0.0f).bits, 0x40490FDBu); // pi
  EXPECT_TRUE(is(atan2(-0.0f, 0), -0.0));
  EXPECT_EQ(atan2(INFINITY, -INFINITY).bits, 0x4016CBE4u); // 3 pi / 4
}

TEST(CheckVectors, Products) {
  Element ones = i8(0xFF);
  EXPECT_EQ(mmaiStep(i32(0), ones, ones, signedReading, unsignedReading).asSigned(), -255);
  Element small = Element::fromBits(Format::F16, 0x0001),
          one = Element::fromBits(Format::F16, 0x3C00);
  Element chain = mmaStep(mmaStep(mmaStart(single(1)), small, one), small, one);
  EXPECT_TRUE(is(chain, 1));
}

} // namespace
