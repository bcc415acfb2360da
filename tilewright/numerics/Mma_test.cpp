// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a matrix product the chain of arithmetic, 4.30? MPFR walks the same chain with
// exact products and one rounding per step; steps and matrices must give its bits.

#include "tilewright/numerics/Mma.h"
#include "tilewright/numerics/TestSupport.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

using Elements = std::vector<Element>;

Elements randomElements(Format format, int64_t count, unsigned seed, bool wild) {
  Patterns patterns(format, seed);
  Elements result;
  for (int64_t i = 0; i < count; ++i) {
    Element element = patterns.next();
    // Tame: magnitudes within a few powers of two of each other, so that sums round.
    const FormatInfo &f = info(format);
    if (!wild && f.hasSign && f.exponentBits > 2)
      element.bits = (element.bits & (f.signBit() | ((uint64_t(4) << f.mantissaBits) - 1))) +
                     (uint64_t(f.bias - 2) << f.mantissaBits);
    result.push_back(element);
  }
  return result;
}

/// chain <- round(product of factors + chain), with the product exact.
double chainStep(Format chainFormat, double chain, std::initializer_list<double> factors) {
  mpfr_t product;
  mpfr_init2(product, 300);
  mpfr_set_d(product, 1, MPFR_RNDN);
  for (double factor : factors)
    mpfr_mul_d(product, product, factor, MPFR_RNDN);
  // The chain rounds in the range of its format, but the product must not.
  mpfr_t sum;
  mpfr_init2(sum, 2400);
  mpfr_add_d(sum, product, chain, MPFR_RNDN);
  bool bothZero = chain == 0 && mpfr_zero_p(product);
  mpfr_t result;
  Grid grid = gridOf(chainFormat);
  mpfr_init2(result, grid.precision);
  int ternary = mpfr_set(result, sum, MPFR_RNDN);
  mpfr_set_emin(grid.smallest);
  mpfr_set_emax(grid.largest);
  ternary = mpfr_check_range(result, ternary, MPFR_RNDN);
  mpfr_subnormalize(result, ternary, MPFR_RNDN);
  double value = mpfr_get_d(result, MPFR_RNDN);
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  if (bothZero)
    value = std::signbit(chain) && mpfr_signbit(product) ? -0.0 : 0.0;
  mpfr_clears(product, sum, result, (mpfr_ptr) nullptr);
  return value;
}

double toF16(double value) {
  return mpfrResult(Format::F16, RoundingMode::NearestEven, {value},
                    [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_set(r, in[0], m); });
}

double valueOf(const Element &element) { return decode(element.format, element.bits); }

struct Combination {
  Format operand, acc;
};
class Mmaf : public ::testing::TestWithParam<Combination> {};

TEST_P(Mmaf, IsAChain) {
  auto [operand, acc] = GetParam();
  Format chainFormat = operand == Format::F64 ? Format::F64 : Format::F32;
  MmaShape shape = {7, 13, 19};
  for (unsigned seed = 1; seed <= 6; ++seed) {
    bool wild = seed > 3;
    Elements lhs = randomElements(operand, shape.m * shape.k, seed, wild);
    Elements rhs = randomElements(operand, shape.k * shape.n, seed + 100, wild);
    Elements start = randomElements(acc, shape.m * shape.n, seed + 200, wild);
    Elements result(start.size(), Element::zero(acc));
    mmaf(shape, lhs, rhs, start, result);
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < shape.n; ++j) {
        double expected = valueOf(start[i * shape.n + j]);
        Element chain = mmaStart(start[i * shape.n + j]);
        for (int64_t k = 0; k < shape.k; ++k) {
          const Element &a = lhs[i * shape.k + k], &b = rhs[k * shape.n + j];
          expected = chainStep(chainFormat, expected, {valueOf(a), valueOf(b)});
          chain = mmaStep(chain, a, b);
        }
        if (acc == Format::F16)
          expected = toF16(expected);
        ASSERT_TRUE(is(mmaFinish(chain, acc), expected)) << i << "," << j << " seed " << seed;
        ASSERT_TRUE(is(result[i * shape.n + j], expected)) << i << "," << j << " seed " << seed;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Mma, Mmaf,
    ::testing::Values(
        Combination{Format::F8E4M3FN, Format::F16}, Combination{Format::F8E4M3FN, Format::F32},
        Combination{Format::F8E5M2, Format::F16}, Combination{Format::F8E5M2, Format::F32},
        Combination{Format::F16, Format::F16}, Combination{Format::F16, Format::F32},
        Combination{Format::BF16, Format::F32}, Combination{Format::TF32, Format::F32},
        Combination{Format::F32, Format::F32}, Combination{Format::F64, Format::F64}),
    [](const auto &row) { return spelling(row.param.operand) + "_" + spelling(row.param.acc); });

TEST(Mma, OneRoundingPerStep) {
  // acc 1, products 2^-24 and 2^-24: each is lost alone (arithmetic, 10).
  Element tiny = Element::fromBits(Format::F16, 0x0001),
          one = Element::fromBits(Format::F16, 0x3C00);
  Elements lhs = {tiny, tiny}, rhs = {one, one}, acc = {single(1)}, result = acc;
  mmaf({1, 1, 2}, lhs, rhs, acc, result);
  EXPECT_EQ(result[0], single(1));
}

TEST(Mma, Integers) {
  std::mt19937_64 random(15);
  MmaShape shape = {5, 6, 40};
  Elements lhs, rhs, acc;
  for (int i = 0; i < 5 * 40; ++i)
    lhs.push_back(Element::fromBits(Format::I8, random() & 0xFF));
  for (int i = 0; i < 40 * 6; ++i)
    rhs.push_back(Element::fromBits(Format::I8, random() & 0xFF));
  for (int i = 0; i < 5 * 6; ++i)
    acc.push_back(Element::fromBits(Format::I32, random() & 0xFFFFFFFF)); // wraps around
  for (Signedness left : {Signedness::Unsigned, Signedness::Signed})
    for (Signedness right : {Signedness::Unsigned, Signedness::Signed}) {
      Elements result(acc.size(), Element::zero(Format::I32));
      mmai(shape, lhs, rhs, acc, left, right, result);
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 6; ++j) {
          int64_t sum = int64_t(acc[i * 6 + j].bits);
          Element chain = acc[i * 6 + j];
          for (int k = 0; k < 40; ++k) {
            int64_t a = int64_t(lhs[i * 40 + k].bits), b = int64_t(rhs[k * 6 + j].bits);
            a = left == Signedness::Signed && a > 127 ? a - 256 : a;
            b = right == Signedness::Signed && b > 127 ? b - 256 : b;
            sum += a * b;
            chain = mmaiStep(chain, lhs[i * 40 + k], rhs[k * 6 + j], left, right);
          }
          EXPECT_EQ(result[i * 6 + j].bits, uint64_t(sum) & 0xFFFFFFFF);
          EXPECT_EQ(chain, result[i * 6 + j]);
        }
    }
}

class MmafScaled : public ::testing::TestWithParam<std::pair<Format, Format>> {};

TEST_P(MmafScaled, IsAChain) {
  auto [data, scale] = GetParam();
  MmaShape shape = {4, 6, 64};
  const int64_t scales = 2, block = 32;
  Elements lhs = randomElements(data, 4 * 64, 1, true), rhs = randomElements(data, 64 * 6, 2, true);
  Elements acc = randomElements(Format::F32, 4 * 6, 3, false);
  Elements ls = randomElements(scale, 4 * scales, 4, true),
           rs = randomElements(scale, scales * 6, 5, true);
  for (Elements *list : {&ls, &rs})
    for (Element &element : *list)
      element.bits &= scale == Format::F8E4M3FN ? 0x7F : 0xFF; // no negative scales
  Elements result(acc.size(), Element::zero(Format::F32));
  mmafScaled(shape, scales, lhs, rhs, acc, ls, rs, result);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) {
      double expected = valueOf(acc[i * 6 + j]);
      Element chain = acc[i * 6 + j];
      for (int k = 0; k < 64; ++k) {
        const Element &a = lhs[i * 64 + k], &b = rhs[k * 6 + j];
        const Element &sa = ls[i * scales + k / block], &sb = rs[k / block * 6 + j];
        expected =
            chainStep(Format::F32, expected, {valueOf(a), valueOf(sa), valueOf(b), valueOf(sb)});
        chain = mmaScaledStep(chain, a, b, sa, sb);
      }
      EXPECT_TRUE(is(result[i * 6 + j], expected)) << i << "," << j;
      EXPECT_EQ(chain, result[i * 6 + j]);
    }
}

INSTANTIATE_TEST_SUITE_P(Mma, MmafScaled,
                         ::testing::Values(std::pair(Format::F8E4M3FN, Format::F8E8M0FNU),
                                           std::pair(Format::F8E5M2, Format::F8E8M0FNU),
                                           std::pair(Format::F4E2M1FN, Format::F8E8M0FNU),
                                           std::pair(Format::F4E2M1FN, Format::F8E4M3FN)),
                         [](const auto &row) {
                           return spelling(row.param.first) + "_" + spelling(row.param.second);
                         });

TEST(Mma, PoisonTakesItsRowAndColumn) {
  Element one = single(1), poison = Element::poisoned(Format::F32);
  Elements lhs(6, one), rhs(6, one), acc(9, one), result(9, one);
  lhs[2] = poison; // row 1
  rhs[2] = poison; // column 2
  acc[0] = poison;
  mmaf({3, 3, 2}, lhs, rhs, acc, result);
  const bool expected[9] = {true, false, true, true, true, true, false, false, true};
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(result[i], expected[i] ? poison : single(3)) << i;
  EXPECT_EQ(mmaStep(one, poison, one), poison);
}

TEST(Mma, NegativeScalesAreUndefined) {
  Element code = Element::fromBits(Format::F4E2M1FN, 2),
          scale = Element::fromBits(Format::F8E4M3FN, 0x38);
  Element negative = Element::fromBits(Format::F8E4M3FN, 0xB8),
          nan = Element::fromBits(Format::F8E4M3FN, 0xFF);
  EXPECT_EQ(mmaScaledStep(single(1), code, code, scale, scale), single(2));
  EXPECT_TRUE(mmaScaledStep(single(1), code, code, negative, scale).poison);
  EXPECT_TRUE(is(mmaScaledStep(single(1), code, code, scale, nan), NAN));
}

TEST(Mma, NothingToAdd) {
  Elements acc(4, Element::fromBits(Format::F16, 0x3C00)), result(4, Element::zero(Format::F16));
  mmaf({2, 2, 0}, {}, {}, acc, result);
  EXPECT_EQ(result, acc);
}

} // namespace
