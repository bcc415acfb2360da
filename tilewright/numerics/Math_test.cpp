// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that the mathematical functions are correctly rounded: every f16 and bf16, and random f32
// and f64, against MPFR. The slow path is also tested separately, because almost no argument takes
// it.

#include "test/support/numerics/TestSupport.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Math.h"
#include "tilewright/numerics/MathExact.h"
#include "llvm/ADT/APFloat.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

struct Unary {
  const char *name;
  MathFunction function;
  Element (*ours)(Element);
  int (*mpfr)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
};
const Unary unaries[] = {
    {"exp", MathFunction::Exp, [](Element a) { return expF(a); }, mpfr_exp},
    {"exp2", MathFunction::Exp2, [](Element a) { return exp2F(a); }, mpfr_exp2},
    {"log", MathFunction::Log, logF, mpfr_log},
    {"log2", MathFunction::Log2, log2F, mpfr_log2},
    {"sin", MathFunction::Sin, sinF, mpfr_sin},
    {"cos", MathFunction::Cos, cosF, mpfr_cos},
    {"tan", MathFunction::Tan, tanF, mpfr_tan},
    {"sinh", MathFunction::Sinh, sinhF, mpfr_sinh},
    {"cosh", MathFunction::Cosh, coshF, mpfr_cosh},
    {"tanh", MathFunction::Tanh, [](Element a) { return tanhF(a); }, mpfr_tanh},
    {"rsqrt", MathFunction::Rsqrt, [](Element a) { return rsqrtF(a); },
     [](mpfr_t r, mpfr_srcptr a, mpfr_rnd_t m) {
       // MPFR gives +Inf for -0; arithmetic, 3.5 gives -Inf.
       if (mpfr_zero_p(a) && mpfr_signbit(a))
         return mpfr_set_inf(r, -1), 0;
       return mpfr_rec_sqrt(r, a, m);
     }},
};

double expectedUnary(const Unary &op, Format format, double x) {
  return mpfrResult(format, RoundingMode::NearestEven, {x},
                    [&](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return op.mpfr(r, in[0], m); });
}

/// The nearest half-precision value, as rounded by LLVM.
double toHalf(Format format, double value) {
  llvm::APFloat rounded(value);
  bool lossy;
  rounded.convert(semantics(format), llvm::RoundingMode::NearestTiesToEven, &lossy);
  return rounded.convertToDouble();
}

class UnaryFunction : public ::testing::TestWithParam<Unary> {};

TEST_P(UnaryFunction, AllHalvesRoundTwice) {
  for (Format format : {Format::F16, Format::BF16})
    for (uint64_t bits = 0; bits < 65536; ++bits) {
      Element a = Element::fromBits(format, bits);
      double single = expectedUnary(GetParam(), Format::F32, decode(format, bits));
      Element got = GetParam().ours(a);
      ASSERT_TRUE(is(got, toHalf(format, single))) << describe(a) << " gives " << describe(got);
    }
}

/// Arguments for which the functions have nontrivial results, besides arguments with all exponents.
Element argument(Format format, Patterns &patterns, int round, std::mt19937_64 &random) {
  if (round % 2 == 0)
    return patterns.next();
  double range = format == Format::F32 ? 100 : 720;
  double value = std::uniform_real_distribution<double>(-range, range)(random);
  value = round % 4 == 1 ? value : value / range;
  return format == Format::F32 ? single(float(value)) : wide(value);
}

TEST_P(UnaryFunction, SinglesAndDoubles) {
  for (Format format : {Format::F32, Format::F64}) {
    Patterns patterns(format);
    std::mt19937_64 random(2);
    for (int i = 0; i < 100000; ++i) {
      Element a = argument(format, patterns, i, random);
      double expected = expectedUnary(GetParam(), format, decode(format, a.bits));
      Element got = GetParam().ours(a);
      ASSERT_TRUE(is(got, expected))
          << describe(a) << " gives " << describe(got) << ", not " << expected;
    }
  }
}

TEST_P(UnaryFunction, SlowPath) {
  for (Format format : {Format::F32, Format::F64}) {
    Patterns patterns(format, 3);
    std::mt19937_64 random(3);
    for (int i = 0; i < 2000; ++i) {
      Element a = argument(format, patterns, i, random);
      double x = decode(format, a.bits);
      double expected = expectedUnary(GetParam(), format, x);
      if (!std::isfinite(x) || !std::isfinite(expected) || expected == 0)
        continue;
      Element got = evaluateExactly(GetParam().function, x, x, format);
      ASSERT_TRUE(is(got, expected)) << describe(a) << " gives " << describe(got);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Math, UnaryFunction, ::testing::ValuesIn(unaries),
                         [](const auto &row) { return row.param.name; });

double expectedPow(Format format, double x, double y) {
  return mpfrResult(
      format, RoundingMode::NearestEven, {x, y},
      [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_pow(r, in[0], in[1], m); });
}
double expectedAtan2(Format format, double y, double x) {
  return mpfrResult(
      format, RoundingMode::NearestEven, {y, x},
      [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_atan2(r, in[0], in[1], m); });
}

TEST(Math, Pow) {
  std::mt19937_64 random(4);
  for (Format format : {Format::F32, Format::F64}) {
    Patterns patterns(format);
    for (int i = 0; i < 100000; ++i) {
      Element x = patterns.next(), y = patterns.next();
      // Small integers and quarters, for which results are exact or midpoints.
      if (i % 4 == 1)
        y = format == Format::F32 ? single(float(int(random() % 65) - 32) / 4)
                                  : wide(double(int(random() % 65) - 32) / 4);
      if (i % 8 == 1)
        x = format == Format::F32 ? single(float(int(random() % 8192) - 4096))
                                  : wide(double(int(random() % (1u << 28))));
      double a = decode(format, x.bits), b = decode(format, y.bits);
      Element got = powF(x, y);
      ASSERT_TRUE(is(got, expectedPow(format, a, b)))
          << describe(x) << " " << describe(y) << " gives " << describe(got);
    }
  }
}

TEST(Math, PowHalfWay) {
  // (2^12 + 1)^2 has 25 bits and (2^27 - 1)^2 has 54 bits: ties; 2^-150 is one, too.
  const float singles[][2] = {{4097, 2},      {4095.5, 2},        {-4097, 2}, {-257, 3},
                              {2, -150},      {0.5, 150},         {8, -50},   {0x1.002001p24f, 0.5},
                              {6561, 0.125f}, {0x1p-149f, 0.75f}, {-2, -149}};
  for (auto [x, y] : singles)
    EXPECT_TRUE(is(powF(single(x), single(y)), expectedPow(Format::F32, x, y))) << x << " " << y;
  const double doubles[][2] = {{0x1p27 - 1, 2}, {0x1p27 + 1, 2}, {-262145, 3},
                               {2, -1075},      {4, -537.5},     {-0.5, 1075},
                               {3, 34},         {3, 33},         {9, 17.5}};
  for (auto [x, y] : doubles)
    EXPECT_TRUE(is(powF(wide(x), wide(y)), expectedPow(Format::F64, x, y))) << x << " " << y;
}

// Exponents at the limits of integer types are still integers (and even).
TEST(Math, PowOfInfinity) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (double x : {-infinity, infinity, -0.0, 0.0})
    for (double y : {0x1p31, 0x1p62, 0x1p63, 0x1p64, 0x1.fffffffffffffp62, 0x1p53 - 1, infinity})
      for (double exponent : {y, -y})
        EXPECT_TRUE(is(powF(wide(x), wide(exponent)), expectedPow(Format::F64, x, exponent)))
            << x << " " << exponent;
}

double expectedPowI(Format format, double x, int32_t n) {
  return mpfrResult(
      format, RoundingMode::NearestEven, {x},
      [&](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_pow_si(r, in[0], n, m); });
}

/// Bases with a power in the range of the format, if there are any (for large exponents those near
/// 1), besides arbitrary bases.
Element baseFor(Format format, Patterns &patterns, int32_t n, std::mt19937_64 &random) {
  if (random() % 4 == 0)
    return patterns.next();
  double most = format == Format::F64 ? 1100 : format == Format::F16 ? 20 : 160;
  double exponent = std::uniform_real_distribution<double>(-most, most)(random) /
                    std::max(1.0, std::fabs(double(n)));
  double base = std::copysign(std::exp2(exponent), random() % 2 ? 1.0 : -1.0);
  return roundToFormat(base, format);
}

TEST(Math, PowI) {
  for (Format format : {Format::F16, Format::BF16, Format::F32, Format::F64}) {
    Format computed = format == Format::F64 ? Format::F64 : Format::F32;
    std::mt19937_64 random(5);
    Patterns patterns(format);
    for (int i = 0; i < 1000000; ++i) {
      // Any size: a random number of the low bits, sign-extended.
      auto n = int32_t(uint32_t(random())) >> (random() % 32);
      Element x = baseFor(format, patterns, n, random);
      double expected = expectedPowI(computed, decode(format, x.bits), n);
      if (computed != format)
        expected = toHalf(format, expected);
      Element got = powI(x, Element::integer(Format::I32, n));
      ASSERT_TRUE(is(got, expected))
          << describe(x) << "^" << n << " gives " << describe(got) << ", not " << expected;
    }
  }
}

/// The smallest exponent of each width cannot be negated, and a single bit is 0 or -1 (13.4,
/// section 3).
TEST(Math, PowIAtTheEdges) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (double x : {0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, infinity, -infinity, 0x1.000002p0})
    for (Format exponent : {Format::I1, Format::I8, Format::I16, Format::I32}) {
      auto least = int64_t(uint64_t(-1) << (info(exponent).bits - 1));
      for (int64_t n : {least, least + 1, int64_t(-1), int64_t(0), -(least + 1)})
        for (Format format : {Format::F32, Format::F64})
          EXPECT_TRUE(is(powI(roundToFormat(x, format), Element::integer(exponent, n)),
                         expectedPowI(format, x, int32_t(n))))
              << x << "^" << n;
    }
  Element nan = Element::canonicalNan(Format::F32), one = single(1);
  EXPECT_EQ(powI(nan, Element::integer(Format::I32, 0)), one);
  EXPECT_EQ(powI(nan, Element::integer(Format::I32, 2)), nan);
  EXPECT_EQ(powI(one, Element::poisoned(Format::I32)), Element::poisoned(Format::F32));
}

TEST(Math, Atan2) {
  for (Format format : {Format::F32, Format::F64}) {
    Patterns patterns(format);
    for (int i = 0; i < 100000; ++i) {
      Element y = patterns.next(), x = patterns.next();
      // Quotients in the subnormal range that are midpoints of two results.
      if (i % 4 == 1) {
        y.bits = (y.bits & info(format).signBit()) | (y.bits & 0xF);
        x.bits = uint64_t(info(format).bias + i % 3) << info(format).mantissaBits;
      }
      double a = decode(format, y.bits), b = decode(format, x.bits);
      Element got = atan2F(y, x);
      ASSERT_TRUE(is(got, expectedAtan2(format, a, b)))
          << describe(y) << " " << describe(x) << " gives " << describe(got);
    }
  }
}

TEST(Math, SlowPathOfTwoArguments) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> base(0, 4), exponent(-60, 60);
  for (int i = 0; i < 2000; ++i) {
    double x = base(random), y = exponent(random);
    EXPECT_TRUE(
        is(evaluateExactly(MathFunction::Pow, x, y, Format::F64), expectedPow(Format::F64, x, y)))
        << x << " " << y;
    EXPECT_TRUE(is(evaluateExactly(MathFunction::Atan2, y, x - 2, Format::F64),
                   expectedAtan2(Format::F64, y, x - 2)))
        << y << " " << x - 2;
  }
}

TEST(Math, TwoArgumentHalves) {
  for (Format format : {Format::F16, Format::BF16}) {
    Patterns patterns(format);
    for (int i = 0; i < 20000; ++i) {
      Element x = patterns.next(), y = patterns.next();
      double a = decode(format, x.bits), b = decode(format, y.bits);
      EXPECT_TRUE(is(powF(x, y), toHalf(format, expectedPow(Format::F32, a, b))));
      EXPECT_TRUE(is(atan2F(x, y), toHalf(format, expectedAtan2(Format::F32, a, b))));
    }
  }
}

// The rows of arithmetic, 3.5 that the comparisons with MPFR above do not cover, or only by chance.
TEST(Math, SpecialValues) {
  auto pow = [](double x, double y) { return powF(wide(x), wide(y)); };
  for (double y : {0.0, -0.0})
    for (double x : {0.0, 1.0, -2.5, double(INFINITY), double(-INFINITY), double(NAN)})
      EXPECT_TRUE(is(pow(x, y), 1.0));
  EXPECT_TRUE(is(pow(1, NAN), 1.0));
  EXPECT_TRUE(is(pow(-1, INFINITY), 1.0));
  EXPECT_TRUE(is(pow(-1, -INFINITY), 1.0));
  EXPECT_TRUE(is(pow(-8, 1.0 / 3), NAN));
  EXPECT_TRUE(is(pow(-0.0, -3), -INFINITY));
  EXPECT_TRUE(is(pow(-0.0, -2), INFINITY));
  EXPECT_TRUE(is(pow(-0.0, 3), -0.0));
  EXPECT_TRUE(is(pow(-0.0, 0.5), 0.0));
  EXPECT_TRUE(is(pow(0.5, -INFINITY), INFINITY));
  EXPECT_TRUE(is(pow(2, -INFINITY), 0.0));
  EXPECT_TRUE(is(pow(-INFINITY, -3), -0.0));
  EXPECT_TRUE(is(pow(-INFINITY, 4), INFINITY));
  EXPECT_TRUE(is(pow(-INFINITY, 5), -INFINITY));
  EXPECT_TRUE(is(pow(-1, 0x1.fffffffffffffp52), -1.0));
  EXPECT_TRUE(is(pow(-3, 0x1.fffffffffffffp52), -INFINITY));
  EXPECT_TRUE(is(rsqrtF(single(-0.0f)), -INFINITY));
  EXPECT_TRUE(is(rsqrtF(single(0x1p-127f), true), INFINITY));
  EXPECT_TRUE(is(exp2F(single(0x1p-140f), true), 1.0));
  EXPECT_TRUE(is(exp2F(single(-130), true), 0.0));
  EXPECT_TRUE(is(exp2F(single(-130), false), 0x1p-130));
  EXPECT_TRUE(is(exp2F(single(-150)), 0.0)); // a tie, to even
  EXPECT_TRUE(is(exp2F(single(std::nextafter(-150.0f, 0.0f))), 0x1p-149));
  EXPECT_TRUE(is(logF(single(1)), 0.0));
  EXPECT_TRUE(is(tanhF(single(0x1p-140f), RoundingMode::Approx), 0x1p-140));
  EXPECT_TRUE(is(sinF(single(INFINITY)), NAN));
}

TEST(Math, PoisonSpreads) {
  Element poison = Element::poisoned(Format::F16), one = Element::fromBits(Format::F16, 0x3C00);
  for (const Unary &op : unaries)
    EXPECT_EQ(op.ours(poison), poison);
  EXPECT_EQ(powF(one, poison), poison);
  EXPECT_EQ(atan2F(poison, one), poison);
  EXPECT_EQ(exp2F(Element::poisoned(Format::F32), true), Element::poisoned(Format::F32));
}

} // namespace
