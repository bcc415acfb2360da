// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that every conversion rounds once, to the right format, with the right overflow. The test
// enumerates all values of the destination, finds the two neighbours of the source, and selects one
// by the rule; f32 and f64 are compared with MPFR.

#include "test/support/numerics/TestSupport.h"
#include "tilewright/numerics/Convert.h"
#include "llvm/ADT/APFloat.h"
#include <algorithm>
#include <map>

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

const RoundingMode ieee[] = {RoundingMode::NearestEven, RoundingMode::Zero,
                             RoundingMode::NegativeInf, RoundingMode::PositiveInf};
const RoundingMode modes[] = {RoundingMode::NearestEven, RoundingMode::Zero,
                              RoundingMode::NegativeInf, RoundingMode::PositiveInf,
                              RoundingMode::NearestAway};
const Format floats[] = {Format::F16,      Format::BF16,     Format::TF32,   Format::F32,
                         Format::F64,      Format::F8E4M3FN, Format::F8E5M2, Format::F8E8M0FNU,
                         Format::F4E2M1FN, Format::F8E5M3FNU};

/// All finite magnitudes of a small format, indexed by pattern.
class Values {
public:
  explicit Values(Format format) : format(format) {
    for (uint64_t bits = 0;; ++bits) {
      double value = decode(format, bits);
      if (!std::isfinite(value) || value < 0 || std::signbit(value))
        break;
      values.push_back(value);
      if (format == Format::F4E2M1FN && bits == 7)
        break;
    }
    // The next value if the format continued.
    size_t n = values.size();
    values.push_back(format == Format::F8E8M0FNU ? 0x1p128 : 2 * values[n - 1] - values[n - 2]);
  }

  uint64_t largest() const { return values.size() - 2; }

  /// The pattern of a nonnegative number; a pattern after the largest means overflow.
  uint64_t round(double value, RoundingMode mode, bool negative) const {
    if (value >= values.back())
      return values.size() - 1;
    if (value <= values.front())
      return 0;
    uint64_t lower = std::upper_bound(values.begin(), values.end(), value) - values.begin() - 1;
    if (values[lower] == value)
      return lower;
    double middle = (values[lower] + values[lower + 1]) / 2;
    switch (mode) {
    case RoundingMode::NearestEven:
      if (value != middle)
        return value < middle ? lower : lower + 1;
      // The one mantissa bit of f8E8M0FNU is always 1: ties go up, as 3.0 does in
      // types, 2.7.
      return format == Format::F8E8M0FNU ? lower + 1 : lower + lower % 2;
    case RoundingMode::NearestAway:
      return value < middle ? lower : lower + 1;
    case RoundingMode::NegativeInf:
      return negative ? lower + 1 : lower;
    case RoundingMode::PositiveInf:
      return negative ? lower : lower + 1;
    default:
      return lower;
    }
  }

private:
  Format format;
  std::vector<double> values;
};

bool towardZero(RoundingMode mode, bool negative) {
  return mode == RoundingMode::Zero ||
         mode == (negative ? RoundingMode::PositiveInf : RoundingMode::NegativeInf);
}

/// The tables of arithmetic, 4.25, NaN and infinities included.
uint64_t expectedConversion(const Values &values, Format to, double value, RoundingMode mode) {
  const FormatInfo &f = info(to);
  bool ieeeLike = f.bits > 8;
  if (std::isnan(value))
    return to == Format::F4E2M1FN ? 7 : f.canonicalNan;
  bool negative = std::signbit(value);
  bool dropsSign = to == Format::F8E8M0FNU || to == Format::F8E5M3FNU;
  uint64_t sign = negative && !dropsSign ? uint64_t(1) << (f.bits - 1) : 0;
  uint64_t bits = std::isinf(value) ? values.largest() + 1
                                    : values.round(std::fabs(value), mode, negative && !dropsSign);
  if (bits > values.largest()) {
    bool stays = !ieeeLike || (!std::isinf(value) && towardZero(mode, negative));
    bits = stays ? values.largest() : values.largest() + 1;
  }
  return sign | bits;
}

TEST(Convert, EveryNarrowValueToEveryNarrowFormat) {
  for (Format to : floats) {
    if (to == Format::F32 || to == Format::F64)
      continue;
    Values values(to);
    for (Format from : floats) {
      if (from == Format::F32 || from == Format::F64)
        continue;
      for (uint64_t bits = 0; bits <= info(from).mask(); ++bits) {
        Element source = Element::fromBits(from, bits);
        bool isLarge = from == Format::TF32; // one mode per value
        for (RoundingMode mode : isLarge ? llvm::ArrayRef(modes).slice(bits % 5, 1) : modes) {
          uint64_t expected = expectedConversion(values, to, decode(from, bits), mode);
          Element got = floatToFloat(source, to, mode);
          ASSERT_EQ(got.bits, expected) << describe(source) << " to " << info(to).spelling
                                        << " mode " << int(mode) << " gives " << describe(got);
        }
      }
    }
  }
}

TEST(Convert, WideValuesAroundEveryBoundary) {
  for (Format to : floats) {
    if (to == Format::F32 || to == Format::F64 || to == Format::TF32)
      continue;
    Values values(to);
    for (uint64_t bits = 0; bits <= values.largest(); ++bits) {
      double here = decode(to, bits), next = bits == values.largest()
                                                 ? 2 * here - decode(to, bits - 1)
                                                 : decode(to, bits + 1);
      double middle = (here + next) / 2;
      for (double value : {here, std::nextafter(here, INFINITY), std::nextafter(middle, 0.0),
                           middle, std::nextafter(middle, INFINITY), std::nextafter(next, 0.0)})
        for (RoundingMode mode : modes)
          for (double sign : {1.0, -1.0}) {
            uint64_t expected = expectedConversion(values, to, sign * value, mode);
            ASSERT_EQ(floatToFloat(wide(sign * value), to, mode).bits, expected)
                << sign * value << " to " << info(to).spelling << " mode " << int(mode);
          }
    }
  }
}

TEST(Convert, ToSingleAndDouble) {
  auto set = [](mpfr_t r, mpfr_t *in, mpfr_rnd_t m) { return mpfr_set(r, in[0], m); };
  for (Format from : floats)
    for (Format to : {Format::F32, Format::F64}) {
      Patterns patterns(from);
      for (int i = 0; i < 40000; ++i) {
        Element source = patterns.next();
        double expected = mpfrResult(to, ieee[i % 4], {decode(from, source.bits)}, set);
        ASSERT_TRUE(is(floatToFloat(source, to, ieee[i % 4]), expected)) << describe(source);
      }
    }
}

/// 13.4, section 7.2, and the tie after the largest tf32, which overflows.
TEST(Convert, TiesAwayFromZero) {
  auto toTF32 = [](uint32_t bits, RoundingMode mode) {
    Element result = floatToFloat(Element::fromBits(Format::F32, bits), Format::TF32, mode);
    return uint32_t(result.bits << 13);
  };
  EXPECT_EQ(toTF32(0x3F801000, RoundingMode::NearestAway), 0x3F802000u);
  EXPECT_EQ(toTF32(0xBF801000, RoundingMode::NearestAway), 0xBF802000u);
  EXPECT_EQ(toTF32(0x3F801000, RoundingMode::NearestEven), 0x3F800000u);
  EXPECT_EQ(toTF32(0x3F800FFF, RoundingMode::NearestAway), 0x3F800000u);
  EXPECT_EQ(toTF32(0x7F7FF000, RoundingMode::NearestAway), 0x7F800000u);
  EXPECT_EQ(toTF32(0x7F7FF000, RoundingMode::Zero), 0x7F7FE000u);
}

TEST(Convert, NanToE4M3FN) {
  Element nan = single(NAN);
  EXPECT_EQ(floatToFloat(nan, Format::F8E4M3FN).bits, 0x7Fu);
  EXPECT_EQ(
      floatToFloat(nan, Format::F8E4M3FN, RoundingMode::NearestEven, NanToE4M3FN::Largest).bits,
      0x7Eu);
}

TEST(Convert, FloatToInt) {
  const Format integers[] = {Format::I1, Format::I8, Format::I16, Format::I32, Format::I64};
  for (Format from : floats)
    for (Format to : integers)
      for (Signedness signedness : {Signedness::Unsigned, Signedness::Signed}) {
        Patterns patterns(from);
        unsigned width = info(to).bits;
        bool isSigned = signedness == Signedness::Signed;
        long double low = isSigned ? -std::ldexp(1.0L, width - 1) : 0;
        long double high = std::ldexp(1.0L, isSigned ? width - 1 : width) - 1;
        for (int i = 0; i < 5000; ++i) {
          Element source = patterns.next();
          double value = decode(from, source.bits);
          Element got = floatToInt(source, to, signedness);
          long double whole = std::trunc((long double)value);
          Element saturated = floatToInt(source, to, signedness, OutOfRange::Saturates);
          long double near = std::isnan(value) ? 0 : std::clamp(whole, low, high);
          ASSERT_EQ(isSigned ? (long double)saturated.asSigned() : (long double)saturated.bits,
                    near)
              << describe(source);
          if (std::isnan(value) || whole < low || whole > high) {
            ASSERT_EQ(got, Element::poisoned(to)) << describe(source);
            continue;
          }
          ASSERT_FALSE(got.poison) << describe(source);
          long double read = isSigned ? (long double)got.asSigned() : (long double)got.asUnsigned();
          ASSERT_EQ(read, whole) << describe(source);
        }
      }
  auto toByte = [](double value, Signedness s) { return floatToInt(wide(value), Format::I8, s); };
  EXPECT_EQ(toByte(-0.7, Signedness::Unsigned), Element::zero(Format::I8));
  EXPECT_EQ(toByte(255.9, Signedness::Unsigned).bits, 0xFFu);
  EXPECT_EQ(toByte(-128.9, Signedness::Signed).bits, 0x80u);
  EXPECT_TRUE(toByte(128, Signedness::Signed).poison);
  EXPECT_TRUE(toByte(-1, Signedness::Unsigned).poison);
  EXPECT_EQ(floatToInt(wide(-1), Format::I1, Signedness::Signed).bits, 1u);
  EXPECT_TRUE(floatToInt(wide(1), Format::I1, Signedness::Signed).poison);
}

/// By the definition of each format's patterns: all patterns of up to 16 bits, and edge cases of
/// wider formats.
TEST(Convert, FloatToBoolIsWhetherTheValueIsNotZero) {
  for (Format from :
       {Format::F16, Format::BF16, Format::F8E4M3FN, Format::F8E5M2, Format::F4E2M1FN}) {
    uint64_t sign = info(from).signBit();
    for (uint64_t bits = 0; bits <= info(from).mask(); ++bits)
      ASSERT_EQ(floatToBool(Element::fromBits(from, bits)), Element::boolean((bits & ~sign) != 0))
          << bits;
  }
  // f8E5M3FNU has no sign, and f8E8M0FNU has neither sign nor zero: its pattern 0 is 2^-127.
  for (uint64_t bits = 0; bits < 256; ++bits) {
    EXPECT_EQ(floatToBool(Element::fromBits(Format::F8E5M3FNU, bits)), Element::boolean(bits != 0));
    EXPECT_EQ(floatToBool(Element::fromBits(Format::F8E8M0FNU, bits)), Element::boolean(true));
  }
  for (double value : {0.5, -0.3, 1.0, 2.0, -1.0, 0x1p-1074, double(INFINITY), double(NAN)})
    EXPECT_EQ(floatToBool(wide(value)), Element::boolean(true)) << value;
  EXPECT_EQ(floatToBool(wide(0.0)), Element::boolean(false));
  EXPECT_EQ(floatToBool(wide(-0.0)), Element::boolean(false));
  EXPECT_EQ(floatToBool(Element::fromBits(Format::F32, 1)), Element::boolean(true)); // subnormal
  EXPECT_TRUE(floatToBool(Element::poisoned(Format::F32)).poison);
}

/// 13.4, section 12: values that are not integers of the format give the nearest one, and NaN gives
/// 0.
TEST(Convert, SaturatingFloatToInt) {
  auto to = [](Format format, double value, Signedness signedness) {
    return floatToInt(wide(value), format, signedness, OutOfRange::Saturates).bits;
  };
  for (double value : {300.0, 127.0, double(INFINITY)})
    EXPECT_EQ(to(Format::I8, value, Signedness::Signed), 0x7Fu);
  for (double value : {-300.0, -128.0, -double(INFINITY)})
    EXPECT_EQ(to(Format::I8, value, Signedness::Signed), 0x80u);
  EXPECT_EQ(to(Format::I8, NAN, Signedness::Signed), 0u);
  EXPECT_EQ(to(Format::I8, -5, Signedness::Unsigned), 0u);
  EXPECT_EQ(to(Format::I8, -0.7, Signedness::Unsigned), 0u);
  EXPECT_EQ(to(Format::I8, 300, Signedness::Unsigned), 0xFFu);
  EXPECT_EQ(to(Format::I1, 5, Signedness::Unsigned), 1u);
  EXPECT_EQ(to(Format::I1, 5, Signedness::Signed), 0u);
  EXPECT_EQ(to(Format::I1, -5, Signedness::Signed), 1u);
  EXPECT_EQ(to(Format::I64, 0x1p63, Signedness::Signed), 0x7FFFFFFFFFFFFFFFu);
  EXPECT_EQ(to(Format::I64, 0x1p64, Signedness::Unsigned), ~uint64_t(0));
  EXPECT_TRUE(floatToInt(Element::poisoned(Format::F64), Format::I8, Signedness::Signed,
                         OutOfRange::Saturates)
                  .poison);
}

TEST(Convert, IntToFloat) {
  std::mt19937_64 random(11);
  auto check = [](Element source, Format to, Signedness signedness) {
    bool isSigned = signedness == Signedness::Signed;
    Element got = intToFloat(source, to, signedness);
    if (to == Format::F32 || to == Format::F64 || to == Format::F16 || to == Format::BF16) {
      double expected =
          mpfrResult(to, RoundingMode::NearestEven, {}, [&](mpfr_t r, mpfr_t *, mpfr_rnd_t m) {
            return isSigned ? mpfr_set_sj(r, source.asSigned(), m)
                            : mpfr_set_uj(r, source.asUnsigned(), m);
          });
      ASSERT_TRUE(is(got, expected)) << describe(source) << " to " << info(to).spelling;
      return;
    }
    static const std::map<Format, Values> values = {{Format::F8E4M3FN, Values(Format::F8E4M3FN)},
                                                    {Format::F8E5M2, Values(Format::F8E5M2)},
                                                    {Format::F4E2M1FN, Values(Format::F4E2M1FN)},
                                                    {Format::F8E5M3FNU, Values(Format::F8E5M3FNU)}};
    const Values &v = values.at(to);
    double value = isSigned ? double(source.asSigned()) : double(source.asUnsigned());
    ASSERT_EQ(got.bits, expectedConversion(v, to, value, RoundingMode::NearestEven))
        << describe(source) << " to " << info(to).spelling;
  };
  const Format to[] = {Format::F16,      Format::BF16,   Format::F32,      Format::F64,
                       Format::F8E4M3FN, Format::F8E5M2, Format::F4E2M1FN, Format::F8E5M3FNU};
  for (Format destination : to)
    for (Signedness signedness : {Signedness::Unsigned, Signedness::Signed}) {
      for (int bits = 0; bits < 65536; ++bits)
        check(Element::fromBits(Format::I16, bits), destination, signedness);
      for (int bits = 0; bits < 2; ++bits)
        check(Element::fromBits(Format::I1, bits), destination, signedness);
      if (info(destination).bits > 8 || destination == Format::F8E5M3FNU)
        for (int i = 0; i < 20000; ++i) {
          // Close to ties: a few high bits and a few low bits.
          uint64_t bits = random() << (random() % 64) ^ random() % 3;
          check(Element::fromBits(Format::I64, bits), destination, signedness);
        }
    }
}

/// 13.4, section 8.2: the table both ways, saturation, and a sign that is dropped.
TEST(Convert, E5M3) {
  const std::pair<uint64_t, double> rows[] = {{0x00, 0},       {0x01, 0x1p-17}, {0x07, 7 * 0x1p-17},
                                              {0x08, 0x1p-14}, {0x70, 0.5},     {0x78, 1},
                                              {0x79, 1.125},   {0x80, 2},       {0xF0, 32768.0},
                                              {0xF8, 65536.0}, {0xFE, 114688.0}};
  for (auto [bits, value] : rows) {
    EXPECT_EQ(Element::fromBits(Format::F8E5M3FNU, bits).asDouble(), value);
    EXPECT_EQ(floatToFloat(wide(value), Format::F8E5M3FNU).bits, bits) << value;
    EXPECT_EQ(floatToFloat(wide(-value), Format::F8E5M3FNU).bits, bits) << -value;
    EXPECT_EQ(roundToFormat(value, Format::F8E5M3FNU).bits, bits) << value;
  }
  EXPECT_TRUE(Element::fromBits(Format::F8E5M3FNU, 0xFF).isNan());
  for (double beyond : {118784.0, 122880.0, 1e30, double(INFINITY), -double(INFINITY)})
    EXPECT_EQ(floatToFloat(wide(beyond), Format::F8E5M3FNU).bits, 0xFEu) << beyond;
  EXPECT_EQ(floatToFloat(wide(NAN), Format::F8E5M3FNU).bits, 0xFFu);
  // Constants do not saturate, except if they round to the largest value.
  EXPECT_EQ(roundToFormat(118784.0, Format::F8E5M3FNU).bits, 0xFEu);
  for (double beyond : {122880.0, double(INFINITY), double(NAN)})
    EXPECT_EQ(roundToFormat(beyond, Format::F8E5M3FNU).bits, 0xFFu) << beyond;
  EXPECT_EQ(roundToFormat(0x1p-18, Format::F8E5M3FNU).bits, 0u);
  EXPECT_EQ(roundToFormat(1.5 * 0x1p-18, Format::F8E5M3FNU).bits, 1u);
  EXPECT_EQ(
      intToFloat(Element::integer(Format::I32, 1 << 17), Format::F8E5M3FNU, Signedness::Signed)
          .bits,
      0xFEu);
  EXPECT_EQ(
      intToFloat(Element::integer(Format::I8, -2), Format::F8E5M3FNU, Signedness::Signed).bits,
      0x80u);
}

TEST(Convert, BitcastKeepsBits) {
  EXPECT_EQ(bitcast(Element::fromBits(Format::F16, 0xFC01), Format::I16).bits, 0xFC01u);
  EXPECT_EQ(bitcast(Element::fromBits(Format::I8, 0xFF), Format::F8E8M0FNU).bits, 0xFFu);
  EXPECT_EQ(bitcast(Element::poisoned(Format::I32), Format::F32), Element::poisoned(Format::F32));
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

llvm::SmallVector<Element> elements(Format format, std::initializer_list<uint64_t> bits) {
  llvm::SmallVector<Element> result;
  for (uint64_t pattern : bits)
    result.push_back(Element::fromBits(format, pattern));
  return result;
}

TEST(Pack, LittleEndianInIndexOrder) {
  auto bytes = [](std::initializer_list<uint64_t> bits) { return elements(Format::I8, bits); };
  EXPECT_EQ(pack(elements(Format::I32, {0x04030201})), bytes({1, 2, 3, 4}));
  EXPECT_EQ(pack(elements(Format::F4E2M1FN, {0x1, 0x3})), bytes({0x31}));
  EXPECT_EQ(pack(elements(Format::I4, {0xA, 0xB, 0xC, 0xD})), bytes({0xBA, 0xDC}));
  EXPECT_EQ(pack(elements(Format::I1, {1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1})),
            bytes({0x0D, 0x82}));
  EXPECT_EQ(pack(elements(Format::BF16, {0x3F80, 0xFF81})), bytes({0x80, 0x3F, 0x81, 0xFF}));
  // 1.0 as tf32 is 0x1FC00; as the upper bits of an f32 word it is 0x3F800000.
  EXPECT_EQ(pack(elements(Format::TF32, {0x1FC00})), bytes({0, 0, 0x80, 0x3F}));
  EXPECT_EQ(unpack(bytes({0xFF, 0x1F, 0x80, 0x3F}), Format::TF32),
            elements(Format::TF32, {0x1FC00}));
}

TEST(Pack, UnpackIsItsInverse) {
  std::mt19937_64 random(12);
  for (const FormatInfo &f : allFormats()) {
    if (f.isPointer())
      continue;
    llvm::SmallVector<Element> source;
    for (int i = 0; i < 64; ++i)
      source.push_back(Element::fromBits(f.format, random() & f.mask()));
    EXPECT_EQ(unpack(pack(source), f.format), source) << f.spelling;
  }
}

TEST(Pack, PoisonCoversTheBytesItTouches) {
  auto source = elements(Format::I4, {1, 2, 3, 4});
  source[1] = Element::poisoned(Format::I4);
  auto bytes = pack(source);
  EXPECT_TRUE(bytes[0].poison);
  EXPECT_EQ(bytes[1], Element::fromBits(Format::I8, 0x43));
  auto back = unpack(bytes, Format::I4);
  EXPECT_TRUE(back[0].poison && back[1].poison);
  EXPECT_FALSE(back[2].poison || back[3].poison);
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

// The table of types, 2.7.
TEST(Literal, TableOfTheSpecification) {
  struct Row {
    const char *text;
    Format format;
    uint64_t bits;
  };
  const Row rows[] = {
      {"464.0", Format::F8E4M3FN, 0x7E},
      {"1.0e9", Format::F8E4M3FN, 0x7F},
      {"1.0e9", Format::F8E5M2, 0x7C},
      {"70000.0", Format::F16, 0x7C00},
      {"0.25", Format::F4E2M1FN, 0},
      {"0.75", Format::F4E2M1FN, 2},
      {"5.0", Format::F4E2M1FN, 6},
      {"100.0", Format::F4E2M1FN, 7},
      {"465.0", Format::F8E4M3FN, 0x7F},
      {"3.0", Format::F8E8M0FNU, 0x81},
      {"0.0", Format::F8E8M0FNU, 0x00},
      {"-1.0", Format::F8E8M0FNU, 0xFF},
      {"1.0e39", Format::F8E8M0FNU, 0xFF},
      {"0.5", Format::F8E8M0FNU, 0x7E},
      {"-2.5e-3", Format::F64, 0xBF647AE147AE147B},
      {"0.1", Format::F32, 0x3DCCCCCD},
  };
  for (const Row &row : rows) {
    EXPECT_EQ(roundDecimal(row.text, row.format), Element::fromBits(row.format, row.bits))
        << row.text << " " << info(row.format).spelling;
    EXPECT_EQ(roundToFormat(std::strtod(row.text, nullptr), row.format).bits, row.bits);
    EXPECT_EQ(roundToFormat(llvm::APFloat(std::strtod(row.text, nullptr)), row.format).bits,
              row.bits);
  }
}

TEST(Literal, OneRoundingFromTheText) {
  // A tie of f16, and a value above it by less than f64 can represent.
  EXPECT_EQ(roundDecimal("1.00048828125", Format::F16)->bits, 0x3C00u);
  EXPECT_EQ(
      roundDecimal("1.00048828125000000000000000000000000000000000000000001", Format::F16)->bits,
      0x3C01u);
  EXPECT_EQ(
      roundDecimal("1.00048828124999999999999999999999999999999999999999999", Format::F16)->bits,
      0x3C00u);
  // Far more digits than are used.
  std::string tie = "1.00048828125" + std::string(5000, '0');
  EXPECT_EQ(roundDecimal(tie, Format::F16)->bits, 0x3C00u);
  EXPECT_EQ(roundDecimal(tie + "1", Format::F16)->bits, 0x3C01u);
  EXPECT_EQ(roundDecimal("0." + std::string(5000, '0') + "1e5001", Format::F32), single(1));
  EXPECT_EQ(roundDecimal("1e99999999999999999999", Format::F32), single(INFINITY));
  EXPECT_EQ(roundDecimal("1e-99999999999999999999", Format::F32), single(0));
  EXPECT_EQ(roundDecimal("1e5000", Format::F64)->bits, info(Format::F64).infinity());
  EXPECT_EQ(roundDecimal("-1e-5000", Format::F32)->bits, 0x80000000u);
  EXPECT_EQ(roundDecimal("4.9406564584124654e-324", Format::F64)->bits, 1u);
  EXPECT_EQ(roundDecimal("2.4703282292062327e-324", Format::F64)->bits, 0u);
  EXPECT_EQ(roundDecimal("2.4703282292062328e-324", Format::F64)->bits, 1u);
}

TEST(Literal, TextAgreesWithTheCLibrary) {
  Patterns patterns(Format::F64);
  char text[64];
  for (int i = 0; i < 30000; ++i) {
    double value = decode(Format::F64, patterns.next().bits);
    if (!std::isfinite(value))
      continue;
    std::snprintf(text, sizeof text, "%.*e", i % 25, value);
    EXPECT_TRUE(is(*roundDecimal(text, Format::F64), std::strtod(text, nullptr))) << text;
    EXPECT_TRUE(is(*roundDecimal(text, Format::F32), std::strtof(text, nullptr))) << text;
  }
}

TEST(Literal, ExactValuesFromLLVM) {
  for (Format format : {Format::F16, Format::BF16, Format::F8E4M3FN, Format::F8E5M2,
                        Format::F8E8M0FNU, Format::F4E2M1FN})
    for (uint64_t bits = 0; bits <= info(format).mask(); ++bits) {
      llvm::APFloat value(semantics(format), llvm::APInt(info(format).bits, bits));
      Element expected = Element::fromBits(format, bits);
      if (expected.isNan())
        expected = Element::canonicalNan(format);
      EXPECT_EQ(roundToFormat(value, format), expected) << info(format).spelling << " " << bits;
    }
}

TEST(Literal, OtherTextIsRejected) {
  for (const char *text : {"", "-", ".", "1.0.0", "1e", "1e+", "e3", "0x1p3", "nan", "inf", "1.0f",
                           " 1.0", "1_000", "--1", "+1.0"})
    EXPECT_FALSE(roundDecimal(text, Format::F32)) << text;
}

} // namespace
