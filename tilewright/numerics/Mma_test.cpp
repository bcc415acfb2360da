// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that a matrix product is the chain of arithmetic, 4.30. MPFR computes the same chain with
// exact products and one rounding per step; steps and matrices must give its bits. The exact
// product is compared with a sum of sufficient precision.

#include "test/support/numerics/TestSupport.h"
#include "tilewright/numerics/Mma.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

using Elements = std::vector<Element>;

Elements randomElements(Format format, int64_t count, unsigned seed, bool wild) {
  Patterns patterns(format, seed);
  Elements result;
  for (int64_t i = 0; i < count; ++i) {
    Element element = patterns.next();
    // Magnitudes within a few powers of two of each other, so that sums are rounded.
    const FormatInfo &f = info(format);
    if (!wild && f.hasSign && f.exponentBits > 2)
      element.bits = (element.bits & (f.signBit() | ((uint64_t(4) << f.mantissaBits) - 1))) +
                     (uint64_t(f.bias - 2) << f.mantissaBits);
    result.push_back(element);
  }
  return result;
}

/// chain <- round(product of factors + chain), with an exact product.
double chainStep(Format chainFormat, double chain, std::initializer_list<double> factors) {
  mpfr_t product;
  mpfr_init2(product, 300);
  mpfr_set_d(product, 1, MPFR_RNDN);
  for (double factor : factors)
    mpfr_mul_d(product, product, factor, MPFR_RNDN);
  // The chain is limited to the range of its format, but the product is not.
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

std::vector<uint8_t> wordsOf(const Elements &elements) {
  unsigned bits = info(elements.front().format).bits;
  unsigned size = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
  std::vector<uint8_t> words(elements.size() * size);
  for (size_t i = 0; i < elements.size(); ++i)
    std::memcpy(&words[i * size], &elements[i].bits, size);
  return words;
}

/// acc plus products, rounded once. None if a term is not finite.
std::optional<double> exactSum(Format format, double acc,
                               const std::vector<std::vector<double>> &products) {
  mpfr_t sum, product, result;
  mpfr_inits2(4400, sum, product, (mpfr_ptr) nullptr);
  mpfr_set_d(sum, acc, MPFR_RNDN);
  bool onlyNegativeZeros = acc == 0 && std::signbit(acc);
  for (const std::vector<double> &factors : products) {
    mpfr_set_d(product, 1, MPFR_RNDN);
    for (double factor : factors)
      mpfr_mul_d(product, product, factor, MPFR_RNDN);
    onlyNegativeZeros &= mpfr_zero_p(product) && mpfr_signbit(product);
    mpfr_add(sum, sum, product, MPFR_RNDN);
  }
  std::optional<double> value;
  if (mpfr_zero_p(sum)) {
    value = onlyNegativeZeros ? -0.0 : 0.0;
  } else if (mpfr_number_p(sum)) {
    Grid grid = gridOf(format);
    mpfr_init2(result, grid.precision);
    int ternary = mpfr_set(result, sum, MPFR_RNDN);
    mpfr_set_emin(grid.smallest);
    mpfr_set_emax(grid.largest);
    ternary = mpfr_check_range(result, ternary, MPFR_RNDN);
    mpfr_subnormalize(result, ternary, MPFR_RNDN);
    value = mpfr_get_d(result, MPFR_RNDN);
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    mpfr_clear(result);
  }
  mpfr_clears(sum, product, (mpfr_ptr) nullptr);
  return value;
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

TEST_P(Mmaf, WordsAreElements) {
  auto [operand, acc] = GetParam();
  for (int64_t n : {1, 13, 32}) {
    MmaShape shape = {7, n, 19};
    Elements lhs = randomElements(operand, shape.m * shape.k, 5, n == 13);
    Elements rhs = randomElements(operand, shape.k * shape.n, 6, n == 13);
    Elements start = randomElements(acc, shape.m * shape.n, 7, n == 13);
    Elements expected(start.size(), Element::zero(acc));
    mmaf(shape, lhs, rhs, start, expected);
    std::vector<uint8_t> result(wordsOf(start).size());
    mmafWords(shape, operand, wordsOf(lhs).data(), wordsOf(rhs).data(), acc, wordsOf(start).data(),
              result.data());
    EXPECT_EQ(result, wordsOf(expected)) << n;
  }
}

TEST_P(Mmaf, ExactIsRoundedOnce) {
  auto [operand, acc] = GetParam();
  MmaShape shape = {5, 7, 19};
  int compared = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    bool wild = seed > 3;
    Elements lhs = randomElements(operand, shape.m * shape.k, seed, wild);
    Elements rhs = randomElements(operand, shape.k * shape.n, seed + 100, wild);
    Elements start = randomElements(acc, shape.m * shape.n, seed + 200, wild);
    // Half of the products cancel, so that the remaining sum is far smaller than they are.
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < shape.n; ++j)
        for (int64_t k = 1; k + 9 < shape.k; ++k) {
          lhs[i * shape.k + k + 9] = lhs[i * shape.k + k];
          rhs[(k + 9) * shape.n + j] = rhs[k * shape.n + j];
          rhs[(k + 9) * shape.n + j].bits ^= info(operand).signBit();
        }
    Elements result(start.size(), Element::zero(acc));
    mmafExact(shape, lhs, rhs, start, result);
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < shape.n; ++j) {
        std::vector<std::vector<double>> products;
        for (int64_t k = 0; k < shape.k; ++k)
          products.push_back({valueOf(lhs[i * shape.k + k]), valueOf(rhs[k * shape.n + j])});
        std::optional<double> expected = exactSum(acc, valueOf(start[i * shape.n + j]), products);
        compared += expected.has_value();
        if (expected)
          ASSERT_TRUE(is(result[i * shape.n + j], *expected)) << i << "," << j << " seed " << seed;
      }
  }
  EXPECT_GT(compared, 100);
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
  // acc 1, products 2^-24 and 2^-24: each alone is lost to rounding (arithmetic, 10).
  Element tiny = Element::fromBits(Format::F16, 0x0001),
          one = Element::fromBits(Format::F16, 0x3C00);
  Elements lhs = {tiny, tiny}, rhs = {one, one}, acc = {single(1)}, result = acc;
  mmaf({1, 1, 2}, lhs, rhs, acc, result);
  EXPECT_EQ(result[0], single(1));
}

/// One output element: acc + sum of lhs[k] * rhs[k], all f32.
Element exactDot(float acc, std::vector<float> lhs, std::vector<float> rhs) {
  Elements left, right, start = {single(acc)}, result = start;
  for (float value : lhs)
    left.push_back(single(value));
  for (float value : rhs)
    right.push_back(single(value));
  mmafExact({1, 1, int64_t(left.size())}, left, right, start, result);
  return result[0];
}

TEST(Mma, ExactByHand) {
  const float inf = INFINITY, largest = 0x1.fffffep127f;
  // 2^24 + 1 + 1: the chain loses both additions of 1.
  EXPECT_EQ(exactDot(0x1p24f, {1, 1}, {1, 1}), single(0x1p24f + 2));
  // A partial sum beyond the largest f32 returns to the range.
  EXPECT_EQ(exactDot(largest, {largest, -largest, 1}, {1, 1, 1}), single(largest));
  EXPECT_EQ(exactDot(largest, {largest}, {1}), single(inf));
  // 1 + 2^-24 is the midpoint before the next f32; 2^-298 more decides, however small it is.
  EXPECT_EQ(exactDot(1, {0x1p-24f}, {1}), single(1));
  EXPECT_EQ(exactDot(1, {0x1p-24f, 0x1p-149f}, {1, 0x1p-149f}), single(0x1.000002p0f));
  EXPECT_EQ(exactDot(-1, {0x1p-24f, 0x1p-149f}, {-1, 0x1p-149f}), single(-1));
  // Half of the smallest f32 is a tie that rounds to zero.
  EXPECT_EQ(exactDot(0, {0x1p-149f}, {0.5f}), single(0));
  EXPECT_EQ(exactDot(0, {-0x1p-149f}, {0.75f}), single(-0x1p-149f));
  // Zeros: the result is -0 only if all terms are -0.
  EXPECT_EQ(exactDot(-0.0f, {-0.0f}, {1}), single(-0.0f));
  EXPECT_EQ(exactDot(-0.0f, {0.0f}, {1}), single(0));
  EXPECT_EQ(exactDot(1, {-1}, {1}), single(0));
  EXPECT_EQ(exactDot(-0.0f, {1, -1}, {1, 1}), single(0));
  // Infinities and NaN.
  EXPECT_EQ(exactDot(1, {inf}, {-2}), single(-inf));
  EXPECT_TRUE(is(exactDot(inf, {inf}, {-2}), NAN));
  EXPECT_TRUE(is(exactDot(1, {inf}, {0}), NAN));
  EXPECT_TRUE(is(exactDot(NAN, {1}, {1}), NAN));
  EXPECT_TRUE(is(exactDot(inf, {NAN}, {0}), NAN));
}

TEST(Mma, ExactPoison) {
  Element one = single(1), poison = Element::poisoned(Format::F32);
  Elements lhs = {one, poison}, rhs = {one, one}, acc(4, one), result = acc;
  mmafExact({2, 2, 1}, lhs, rhs, acc, result);
  EXPECT_EQ(result, Elements({single(2), single(2), poison, poison}));
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
      std::vector<uint8_t> words(acc.size() * 4);
      mmaiWords(shape, wordsOf(lhs).data(), wordsOf(rhs).data(), wordsOf(acc).data(), left, right,
                words.data());
      EXPECT_EQ(words, wordsOf(result));
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

TEST_P(MmafScaled, ExactIsRoundedOnce) {
  auto [data, scale] = GetParam();
  MmaShape shape = {3, 5, 64};
  Elements lhs = randomElements(data, 3 * 64, 1, true), rhs = randomElements(data, 64 * 5, 2, true);
  Elements acc = randomElements(Format::F32, 3 * 5, 3, false);
  Elements ls = randomElements(scale, 3 * 2, 4, true), rs = randomElements(scale, 2 * 5, 5, true);
  for (Elements *list : {&ls, &rs})
    for (Element &element : *list)
      element.bits &= 0x7F; // no negative scales, and no f8E8M0FNU scales that overflow
  Elements result(acc.size(), Element::zero(Format::F32));
  mmafScaledExact(shape, 2, lhs, rhs, acc, ls, rs, result);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 5; ++j) {
      std::vector<std::vector<double>> products;
      for (int k = 0; k < 64; ++k)
        products.push_back({valueOf(lhs[i * 64 + k]), valueOf(ls[i * 2 + k / 32]),
                            valueOf(rhs[k * 5 + j]), valueOf(rs[k / 32 * 5 + j])});
      std::optional<double> expected = exactSum(Format::F32, valueOf(acc[i * 5 + j]), products);
      EXPECT_TRUE(is(result[i * 5 + j], expected.value_or(result[i * 5 + j].asDouble())))
          << i << "," << j;
    }
}

INSTANTIATE_TEST_SUITE_P(Mma, MmafScaled,
                         ::testing::Values(std::pair(Format::F8E4M3FN, Format::F8E8M0FNU),
                                           std::pair(Format::F8E5M2, Format::F8E8M0FNU),
                                           std::pair(Format::F4E2M1FN, Format::F8E8M0FNU),
                                           std::pair(Format::F4E2M1FN, Format::F8E4M3FN),
                                           std::pair(Format::F4E2M1FN, Format::F8E5M3FNU)),
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
