// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks integer operations against their definitions: all pairs of i1, i4 and i8 against sums of
// plain integers; i16 to i64 against native arithmetic, which wraps around and detects overflow
// independently.

#include "test/support/numerics/TestSupport.h"
#include "tilewright/numerics/Integer.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

const Signedness bothReadings[] = {Signedness::Unsigned, Signedness::Signed};
const Overflow allAssumptions[] = {Overflow::None, Overflow::NoSignedWrap, Overflow::NoUnsignedWrap,
                                   Overflow::NoWrap};

/// A small integer with both of its readings as plain numbers.
struct Small {
  int width;
  int bits;
  int asUnsigned() const { return bits; }
  int asSigned() const { return bits >> (width - 1) ? bits - (1 << width) : bits; }
  int read(Signedness s) const { return s == Signedness::Signed ? asSigned() : asUnsigned(); }
};

bool fits(int value, int width, Signedness s) {
  return s == Signedness::Signed ? value >= -(1 << (width - 1)) && value < (1 << (width - 1))
                                 : value >= 0 && value < (1 << width);
}

/// The result of an operation with an overflow assumption: the low bits, or poison.
Element withAssumption(Format format, int asSigned, int asUnsigned, Overflow assumption) {
  int width = info(format).bits;
  bool broken = (unsigned(assumption) & 1 && !fits(asSigned, width, Signedness::Signed)) ||
                (unsigned(assumption) & 2 && !fits(asUnsigned, width, Signedness::Unsigned));
  if (broken)
    return Element::poisoned(format);
  return Element::fromBits(format, unsigned(asSigned) & ((1u << width) - 1));
}

/// Quotients of small integers are far enough apart for f64.
int floorDiv(int a, int b) { return int(std::floor(double(a) / b)); }

class SmallIntegers : public ::testing::TestWithParam<Format> {};

template <typename Check> void forAllPairs(Format format, Check check) {
  int width = info(format).bits;
  for (int a = 0; a < 1 << width; ++a)
    for (int b = 0; b < 1 << width; ++b)
      check(Element::fromBits(format, a), Element::fromBits(format, b), Small{width, a},
            Small{width, b});
}

TEST_P(SmallIntegers, WrappingArithmetic) {
  forAllPairs(GetParam(), [](Element a, Element b, Small x, Small y) {
    for (Overflow assumption : allAssumptions) {
      auto expect = [&](int asSigned, int asUnsigned) {
        return withAssumption(a.format, asSigned, asUnsigned, assumption);
      };
      ASSERT_EQ(addI(a, b, assumption),
                expect(x.asSigned() + y.asSigned(), x.asUnsigned() + y.asUnsigned()));
      ASSERT_EQ(subI(a, b, assumption),
                expect(x.asSigned() - y.asSigned(), x.asUnsigned() - y.asUnsigned()));
      ASSERT_EQ(mulI(a, b, assumption),
                expect(x.asSigned() * y.asSigned(), x.asUnsigned() * y.asUnsigned()));
      if (y.bits < x.width) {
        int factor = 1 << y.bits;
        ASSERT_EQ(shlI(a, b, assumption), expect(x.asSigned() * factor, x.asUnsigned() * factor));
      } else {
        bool broken = assumption != Overflow::None && x.bits != 0;
        ASSERT_EQ(shlI(a, b, assumption),
                  broken ? Element::poisoned(a.format) : Element::zero(a.format));
      }
    }
    ASSERT_EQ(int(mulhU(a, b).bits), (x.bits * y.bits) >> x.width);
  });
}

TEST_P(SmallIntegers, Division) {
  forAllPairs(GetParam(), [](Element a, Element b, Small x, Small y) {
    Element poison = Element::poisoned(a.format);
    for (Signedness s : bothReadings) {
      if (y.bits == 0) {
        ASSERT_EQ(divI(a, b, s), poison);
        ASSERT_EQ(remI(a, b, s), poison);
        continue;
      }
      int lhs = x.read(s), rhs = y.read(s);
      auto expect = [&](int quotient) {
        return fits(quotient, x.width, s) ? Element::integer(a.format, quotient) : poison;
      };
      int floor = floorDiv(lhs, rhs), ceiling = -floorDiv(-lhs, rhs);
      ASSERT_EQ(divI(a, b, s, RoundingMode::Zero), expect(lhs / rhs));
      ASSERT_EQ(divI(a, b, s, RoundingMode::NegativeInf), expect(floor));
      ASSERT_EQ(divI(a, b, s, RoundingMode::PositiveInf), expect(ceiling));
      ASSERT_EQ(remI(a, b, s), Element::integer(a.format, lhs - lhs / rhs * rhs));
    }
  });
}

TEST_P(SmallIntegers, ShiftsBitsAndOrder) {
  forAllPairs(GetParam(), [](Element a, Element b, Small x, Small y) {
    for (Signedness s : bothReadings) {
      int lhs = x.read(s), rhs = y.read(s);
      // Halve and round down by hand, as often as it makes a difference.
      int shifted = lhs;
      for (int i = 0; i < std::min(y.bits, 8); ++i)
        shifted = floorDiv(shifted, 2);
      ASSERT_EQ(shrI(a, b, s), Element::integer(a.format, shifted));
      ASSERT_EQ(maxI(a, b, s), lhs > rhs ? a : b);
      ASSERT_EQ(minI(a, b, s), lhs < rhs ? a : b);
      const bool outcomes[] = {lhs == rhs, lhs != rhs, lhs<rhs, lhs <= rhs, lhs> rhs, lhs >= rhs};
      for (unsigned predicate = 0; predicate < 6; ++predicate)
        ASSERT_EQ(cmpI(Predicate(predicate), a, b, s), Element::boolean(outcomes[predicate]));
    }
    ASSERT_EQ(int(andI(a, b).bits), x.bits & y.bits);
    ASSERT_EQ(int(orI(a, b).bits), x.bits | y.bits);
    ASSERT_EQ(int(xorI(a, b).bits), x.bits ^ y.bits);
  });
}

TEST_P(SmallIntegers, OneOperand) {
  Format format = GetParam();
  int width = info(format).bits;
  for (int bits = 0; bits < 1 << width; ++bits) {
    Element a = Element::fromBits(format, bits);
    int value = Small{width, bits}.asSigned();
    EXPECT_EQ(negI(a), Element::integer(format, -value));
    EXPECT_EQ(absI(a), Element::integer(format, std::abs(value)));
    bool smallest = value == -(1 << (width - 1));
    for (Overflow assumption : {Overflow::NoSignedWrap, Overflow::NoWrap})
      EXPECT_EQ(negI(a, assumption),
                smallest ? Element::poisoned(format) : Element::integer(format, -value));
  }
}

INSTANTIATE_TEST_SUITE_P(Integer, SmallIntegers,
                         ::testing::Values(Format::I1, Format::I4, Format::I8),
                         [](const auto &row) { return spelling(row.param); });

/// Compares with native arithmetic on the two readings of one width.
template <typename S, typename U> void checkAgainstMachine(Format format) {
  std::mt19937_64 random(7);
  const U edges[] = {0, 1, U(-1), U(1) << (sizeof(U) * 8 - 1), U(~(U(1) << (sizeof(U) * 8 - 1)))};
  auto next = [&] { return random() % 4 ? U(random() >> random() % 64) : edges[random() % 5]; };
  for (int i = 0; i < 100000; ++i) {
    U a = next(), b = next();
    Element x = Element::fromBits(format, a), y = Element::fromBits(format, b);
    S asSigned;
    U asUnsigned;
    auto check = [&](const char *name, auto op, bool signedWraps, bool unsignedWraps) {
      for (Overflow assumption : allAssumptions) {
        bool broken = (unsigned(assumption) & 1 && signedWraps) ||
                      (unsigned(assumption) & 2 && unsignedWraps);
        Element expected =
            broken ? Element::poisoned(format) : Element::fromBits(format, asUnsigned);
        ASSERT_EQ(op(x, y, assumption), expected) << name << " " << +a << " " << +b;
      }
    };
    bool s = __builtin_add_overflow(S(a), S(b), &asSigned);
    check("add", addI, s, __builtin_add_overflow(a, b, &asUnsigned));
    s = __builtin_sub_overflow(S(a), S(b), &asSigned);
    check("sub", subI, s, __builtin_sub_overflow(a, b, &asUnsigned));
    s = __builtin_mul_overflow(S(a), S(b), &asSigned);
    check("mul", mulI, s, __builtin_mul_overflow(a, b, &asUnsigned));

    if (b != 0) {
      ASSERT_EQ(divI(x, y, Signedness::Unsigned).bits, U(a / b));
      ASSERT_EQ(remI(x, y, Signedness::Unsigned).bits, U(a % b));
      U ceiling = a == 0 ? 0 : U(1 + U(a - 1) / b);
      ASSERT_EQ(divI(x, y, Signedness::Unsigned, RoundingMode::PositiveInf).bits, ceiling);
      bool overflows = S(b) == -1 && S(a) == std::numeric_limits<S>::min();
      ASSERT_EQ(divI(x, y, Signedness::Signed).poison, overflows);
      if (!overflows) {
        ASSERT_EQ(divI(x, y, Signedness::Signed).bits, U(S(a) / S(b)));
        ASSERT_EQ(remI(x, y, Signedness::Signed).bits, U(S(a) % S(b)));
      } else {
        ASSERT_EQ(remI(x, y, Signedness::Signed), Element::zero(format));
      }
    }
    U amount = b % 80;
    Element by = Element::fromBits(format, amount);
    unsigned width = sizeof(U) * 8;
    ASSERT_EQ(shlI(x, by).bits, amount < width ? U(a << amount) : U(0));
    ASSERT_EQ(shrI(x, by, Signedness::Unsigned).bits, amount < width ? U(a >> amount) : U(0));
    ASSERT_EQ(shrI(x, by, Signedness::Signed).bits,
              U(S(a) >> std::min<unsigned>(amount, width - 1)));
    ASSERT_EQ(cmpI(Predicate::LessThan, x, y, Signedness::Signed).bits, S(a) < S(b));
    ASSERT_EQ(cmpI(Predicate::LessThan, x, y, Signedness::Unsigned).bits, a < b);
  }
}

TEST(Integer, AgreesWithTheMachine) {
  checkAgainstMachine<int16_t, uint16_t>(Format::I16);
  checkAgainstMachine<int32_t, uint32_t>(Format::I32);
  checkAgainstMachine<int64_t, uint64_t>(Format::I64);
}

TEST(Integer, WideAmountsAndProducts) {
  Element a = Element::integer(Format::I64, 5);
  // The shift amount is not truncated: 2^32 is not 0 (arithmetic, 4.1).
  EXPECT_EQ(shlI(a, Element::integer(Format::I64, int64_t(1) << 32)), Element::zero(Format::I64));
  EXPECT_EQ(shrI(Element::integer(Format::I64, -5), Element::integer(Format::I64, -1),
                 Signedness::Signed),
            Element::integer(Format::I64, -1));
  // (2^64 - 1)^2 = 2^128 - 2^65 + 1.
  Element most = Element::integer(Format::I64, -1);
  EXPECT_EQ(mulhU(most, most).bits, 0xFFFFFFFFFFFFFFFE);
  EXPECT_TRUE(mulI(most, most, Overflow::NoUnsignedWrap).poison);
  EXPECT_EQ(mulI(most, most, Overflow::NoSignedWrap).bits, 1u);
}

TEST(Integer, ExtendAndTruncate) {
  const Format formats[] = {Format::I1,  Format::I4,  Format::I8,
                            Format::I16, Format::I32, Format::I64};
  std::mt19937_64 random(8);
  for (int i = 0; i < 20000; ++i) {
    size_t narrow = random() % 5, wide = narrow + 1 + random() % (5 - narrow);
    unsigned width = info(formats[narrow]).bits;
    uint64_t mask = (uint64_t(1) << width) - 1;
    uint64_t bits = random() & mask;
    Element small = Element::fromBits(formats[narrow], bits);
    Element zeros = extI(small, formats[wide], Signedness::Unsigned);
    Element signs = extI(small, formats[wide], Signedness::Signed);
    EXPECT_EQ(zeros.bits, bits);
    uint64_t fill = bits >> (width - 1) ? ~mask : 0;
    EXPECT_EQ(signs.bits, (bits | fill) & info(formats[wide]).mask());
    // Both assumptions hold for the result of an extension, and only one for other values.
    EXPECT_EQ(truncI(zeros, small.format, Overflow::NoUnsignedWrap), small);
    EXPECT_EQ(truncI(signs, small.format, Overflow::NoSignedWrap), small);
    EXPECT_EQ(truncI(signs, small.format, Overflow::NoUnsignedWrap).poison, fill != 0);
    EXPECT_EQ(truncI(zeros, small.format, Overflow::NoSignedWrap).poison, fill != 0);
    EXPECT_EQ(truncI(signs, small.format), small);
  }
}

TEST(Integer, PoisonSpreads) {
  Element poison = Element::poisoned(Format::I8), one = Element::integer(Format::I8, 1);
  for (Element result :
       {addI(poison, one), subI(one, poison), mulI(one, poison), shlI(poison, one),
        shrI(one, poison, Signedness::Signed), negI(poison), absI(poison), mulhU(one, poison),
        divI(poison, one, Signedness::Signed), remI(poison, one, Signedness::Signed),
        maxI(poison, one, Signedness::Signed), minI(one, poison, Signedness::Signed),
        andI(poison, one), orI(one, poison), xorI(one, poison)})
    EXPECT_EQ(result, poison);
  EXPECT_EQ(extI(poison, Format::I32, Signedness::Signed), Element::poisoned(Format::I32));
  EXPECT_EQ(truncI(poison, Format::I1), Element::poisoned(Format::I1));
  EXPECT_EQ(cmpI(Predicate::Equal, one, poison, Signedness::Signed), Element::poisoned(Format::I1));
  EXPECT_EQ(intToPtr(Element::poisoned(Format::I64)), Element::poisoned(Format::Pointer));
}

} // namespace
