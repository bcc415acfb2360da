// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that every float operation is the exact result, rounded once. Random and special operands
// in all formats and modes are compared with MPFR.

#include "test/support/numerics/TestSupport.h"
#include "tilewright/numerics/Float.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

const RoundingMode ieee[] = {RoundingMode::NearestEven, RoundingMode::Zero,
                             RoundingMode::NegativeInf, RoundingMode::PositiveInf};
const Format baseFloats[] = {Format::F16, Format::BF16, Format::F32, Format::F64};
const int rounds = 200000;

struct Binary {
  const char *name;
  Element (*ours)(Element, Element, RoundingMode, bool);
  int (*mpfr)(mpfr_t, mpfr_t *, mpfr_rnd_t);
};
const Binary binaries[] = {
    {"addf", addF, [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_add(r, in[0], in[1], m); }},
    {"subf", subF, [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_sub(r, in[0], in[1], m); }},
    {"mulf", mulF, [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_mul(r, in[0], in[1], m); }},
    {"divf", divF, [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_div(r, in[0], in[1], m); }},
};

TEST(Float, BinaryOperationsRoundOnce) {
  for (const Binary &op : binaries)
    for (Format format : baseFloats) {
      Patterns patterns(format);
      for (int i = 0; i < rounds; ++i) {
        Element a = patterns.next(), b = patterns.next();
        RoundingMode mode = ieee[i % 4];
        double expected =
            mpfrResult(format, mode, {decode(format, a.bits), decode(format, b.bits)}, op.mpfr);
        Element got = op.ours(a, b, mode, false);
        ASSERT_TRUE(is(got, expected))
            << op.name << " " << describe(a) << " " << describe(b) << " mode " << int(mode) << " = "
            << describe(got) << ", not " << expected;
      }
    }
}

TEST(Float, FmaRoundsOnce) {
  auto mpfr = [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) {
    return mpfr_fma(r, in[0], in[1], in[2], m);
  };
  for (Format format : baseFloats) {
    Patterns patterns(format);
    for (int i = 0; i < 2 * rounds; ++i) {
      Element a = patterns.next(), b = patterns.next(), c = patterns.next();
      RoundingMode mode = ieee[i % 4];
      // Every other time, cancel most of the product.
      if (i & 4)
        c = negF(mulF(a, b, ieee[i / 8 % 4]));
      double expected = mpfrResult(
          format, mode, {decode(format, a.bits), decode(format, b.bits), decode(format, c.bits)},
          mpfr);
      Element got = fmaF(a, b, c, mode);
      ASSERT_TRUE(is(got, expected))
          << describe(a) << " " << describe(b) << " " << describe(c) << " mode " << int(mode)
          << " = " << describe(got) << ", not " << expected;
    }
  }
}

TEST(Float, SqrtRoundsOnce) {
  auto mpfr = [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_sqrt(r, in[0], m); };
  for (Format format : baseFloats) {
    Patterns patterns(format);
    int count = info(format).bits == 16 ? 4 * 65536 : 4 * rounds;
    for (int i = 0; i < count; ++i) {
      Element a = info(format).bits == 16 ? Element::fromBits(format, i / 4) : patterns.next();
      RoundingMode mode = ieee[i % 4];
      double expected = mpfrResult(format, mode, {decode(format, a.bits)}, mpfr);
      ASSERT_TRUE(is(sqrtF(a, mode), expected)) << describe(a) << " mode " << int(mode);
    }
  }
}

TEST(Float, RemainderIsExact) {
  auto mpfr = [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_fmod(r, in[0], in[1], m); };
  for (Format format : baseFloats) {
    Patterns patterns(format);
    for (int i = 0; i < rounds; ++i) {
      Element a = patterns.next(), b = patterns.next();
      double expected = mpfrResult(format, RoundingMode::NearestEven,
                                   {decode(format, a.bits), decode(format, b.bits)}, mpfr);
      ASSERT_TRUE(is(remF(a, b), expected)) << describe(a) << " " << describe(b);
    }
  }
}

// Subnormal operands and results become zeros of the same sign; flushing comes after rounding
// (arithmetic, 3.3).
TEST(Float, FlushToZero) {
  auto flushed = [](double value) {
    return std::fabs(value) < 0x1p-126 ? std::copysign(0.0, value) : value;
  };
  for (const Binary &op : binaries) {
    Patterns patterns(Format::F32);
    for (int i = 0; i < rounds; ++i) {
      Element a = patterns.next(), b = patterns.next();
      // Products and quotients near the smallest normal number.
      if (i & 4)
        b.bits = (b.bits & 0x807FFFFF) | 0x00800000 * (i % 3 + 1);
      RoundingMode mode = ieee[i % 4];
      double x = flushed(decode(Format::F32, a.bits)), y = flushed(decode(Format::F32, b.bits));
      double expected = flushed(mpfrResult(Format::F32, mode, {x, y}, op.mpfr));
      ASSERT_TRUE(is(op.ours(a, b, mode, true), expected))
          << op.name << " " << describe(a) << " " << describe(b) << " mode " << int(mode);
    }
  }
  // fma flushes all three operands, sqrt its only one: -2^-127 counts as -0.
  Element tiny = single(0x1p-127f);
  EXPECT_TRUE(is(fmaF(tiny, single(0x1p100f), single(0.0f), RoundingMode::NearestEven, true), 0.0));
  EXPECT_TRUE(is(fmaF(single(1), single(0), tiny, RoundingMode::NearestEven, true), 0.0));
  EXPECT_TRUE(is(sqrtF(single(-0x1p-127f), RoundingMode::NearestEven, true), -0.0));
  EXPECT_TRUE(is(divF(single(1), tiny, RoundingMode::NearestEven, true), INFINITY));
  EXPECT_TRUE(is(divF(tiny, tiny, RoundingMode::NearestEven, true), NAN));
}

// The rule of arithmetic, 4.15: the reciprocals of divisors in (2^126, 2^128) underflow to zero.
TEST(Float, ApproximateDivision) {
  auto approx = [](float a, float b) { return divF(single(a), single(b), RoundingMode::Approx); };
  EXPECT_TRUE(is(approx(1e38f, 0x1p126f), 1e38f / 0x1p126f));
  EXPECT_TRUE(is(approx(1e38f, 0x1.000002p126f), 0.0));
  EXPECT_TRUE(is(approx(-1e38f, 0x1p127f), -0.0));
  EXPECT_TRUE(is(approx(1e38f, -0x1.fffffep127f), -0.0));
  EXPECT_TRUE(is(approx(INFINITY, 0x1p127f), NAN));
  EXPECT_TRUE(is(approx(-INFINITY, 2), -INFINITY));
  EXPECT_TRUE(is(approx(INFINITY, INFINITY), NAN));
  EXPECT_TRUE(is(approx(NAN, 0x1p127f), NAN));
  EXPECT_TRUE(is(approx(3, INFINITY), 0.0));
  EXPECT_TRUE(is(approx(-3, 0), -INFINITY));
  EXPECT_TRUE(is(approx(1, 3), 1.0f / 3));
  EXPECT_TRUE(is(divF(single(1e38f), single(0x1p127f), RoundingMode::Full), 1e38f / 0x1p127f));
  EXPECT_TRUE(is(sqrtF(single(2), RoundingMode::Approx), std::sqrt(2.0f)));
}

// arithmetic, 4.20, for all four types.
TEST(Float, MaximumAndMinimum) {
  for (Format format : baseFloats) {
    const FormatInfo &f = info(format);
    Element one = Element::fromBits(format, uint64_t(f.bias) << f.mantissaBits);
    Element minusOne = negF(one), zero = Element::zero(format), minusZero = negF(zero);
    Element signalling = Element::fromBits(format, f.signBit() | (f.infinity() + 1));
    Element nan = Element::canonicalNan(format);
    for (bool propagate : {false, true}) {
      EXPECT_EQ(maxF(one, minusOne, propagate), one);
      EXPECT_EQ(minF(one, minusOne, propagate), minusOne);
      EXPECT_EQ(maxF(minusZero, zero, propagate), zero);
      EXPECT_EQ(maxF(zero, minusZero, propagate), zero);
      EXPECT_EQ(minF(minusZero, zero, propagate), minusZero);
      EXPECT_EQ(minF(zero, minusZero, propagate), minusZero);
      EXPECT_EQ(maxF(signalling, signalling, propagate), nan);
      EXPECT_EQ(maxF(signalling, one, propagate), propagate ? nan : one);
      EXPECT_EQ(minF(one, signalling, propagate), propagate ? nan : one);
    }
  }
  EXPECT_TRUE(is(maxF(single(0x1p-130f), single(-1), false, true), 0.0));
  EXPECT_TRUE(is(maxF(single(NAN), single(-0x1p-130f), false, true), -0.0));
}

// arithmetic, 4.10.
TEST(Float, Comparison) {
  const Predicate all[] = {Predicate::Equal,       Predicate::NotEqual,
                           Predicate::LessThan,    Predicate::LessThanOrEqual,
                           Predicate::GreaterThan, Predicate::GreaterThanOrEqual};
  auto outcomes = [&](Ordering ordering, double a, double b) {
    std::string text;
    for (Predicate predicate : all)
      text += cmpF(predicate, ordering, wide(a), wide(b)).bits ? '1' : '0';
    return text;
  };
  for (Ordering ordering : {Ordering::Ordered, Ordering::Unordered}) {
    EXPECT_EQ(outcomes(ordering, 1, 2), "011100");
    EXPECT_EQ(outcomes(ordering, 2, 1), "010011");
    EXPECT_EQ(outcomes(ordering, -0.0, 0.0), "100101");
    EXPECT_EQ(outcomes(ordering, -INFINITY, 0x1p-1074), "011100");
  }
  EXPECT_EQ(outcomes(Ordering::Ordered, NAN, 1), "000000");
  EXPECT_EQ(outcomes(Ordering::Unordered, 1, NAN), "111111");
}

TEST(Float, SignsAndIntegers) {
  for (Format format : {Format::F16, Format::BF16})
    for (uint64_t bits = 0; bits < 65536; ++bits) {
      Element a = Element::fromBits(format, bits);
      ASSERT_EQ(negF(a).bits, bits ^ 0x8000);
      ASSERT_EQ(absF(a).bits, bits & 0x7FFF);
      double value = decode(format, bits);
      if (std::isnan(value)) {
        ASSERT_EQ(ceilF(a), a);
        ASSERT_EQ(floorF(a), a);
        continue;
      }
      ASSERT_TRUE(is(ceilF(a), std::ceil(value))) << describe(a);
      ASSERT_TRUE(is(floorF(a), std::floor(value))) << describe(a);
    }
  EXPECT_TRUE(is(ceilF(single(-0.5f)), -0.0));
  EXPECT_TRUE(is(ceilF(wide(0x1p-1074)), 1.0));
  EXPECT_TRUE(is(floorF(wide(-0x1p-1074)), -1.0));
  EXPECT_TRUE(is(floorF(single(0x1.fffffep22f)), 0x1.fffffcp22));
}

TEST(Float, PoisonSpreads) {
  Element poison = Element::poisoned(Format::F32), one = single(1);
  for (Element result :
       {addF(poison, one), subF(one, poison), mulF(poison, one), divF(one, poison),
        fmaF(one, one, poison), sqrtF(poison), remF(one, poison), maxF(poison, one),
        minF(one, poison), absF(poison), negF(poison), ceilF(poison)})
    EXPECT_EQ(result, poison);
  EXPECT_TRUE(cmpF(Predicate::Equal, Ordering::Ordered, one, poison).poison);
  EXPECT_EQ(select(Element::boolean(true), one, poison), one);
  EXPECT_EQ(select(Element::poisoned(Format::I1), one, one), poison);
}

} // namespace
