// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the table of formats against the value sets of types, 2.2, and against LLVM's descriptions
// of the same formats.

#include "test/support/numerics/TestSupport.h"
#include "tilewright/numerics/Format.h"
#include "llvm/ADT/APFloat.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

TEST(Format, RowsAreInOrder) {
  for (unsigned index = 0; index < formatCount; ++index)
    EXPECT_EQ(unsigned(formatTable[index].format), index);
}

TEST(Format, Names) {
  for (const FormatInfo &f : allFormats())
    EXPECT_EQ(formatNamed(f.spelling), f.isPointer() ? std::nullopt : std::optional(f.format));
  for (const char *text : {"ptr", "F32", "e4m3", "i2", "index", "f8E4M3", ""})
    EXPECT_FALSE(formatNamed(text)) << text;
}

TEST(Format, IntegersByWidth) {
  for (const FormatInfo &f : allFormats())
    if (f.isInteger()) {
      EXPECT_EQ(integerFormat(f.bits), f.format);
    }
  for (unsigned bits : {0, 2, 19, 63, 128}) // 19 bits are tf32
    EXPECT_EQ(integerFormat(bits), std::nullopt) << bits;
}

TEST(Format, FloatsByDescription) {
  for (const FormatInfo &f : allFormats())
    if (f.isInLLVM()) {
      EXPECT_EQ(floatFormat(semantics(f.format)), f.format) << f.spelling;
    }
  EXPECT_FALSE(info(Format::F8E5M3FNU).isInLLVM());
  // LLVM formats with the widths of Tile IR formats.
  EXPECT_EQ(floatFormat(llvm::APFloat::Float8E3M4()), std::nullopt);
  EXPECT_EQ(floatFormat(llvm::APFloat::Float8E5M2FNUZ()), std::nullopt);
  EXPECT_EQ(floatFormat(llvm::APFloat::Float8E4M3()), std::nullopt);
  EXPECT_EQ(floatFormat(llvm::APFloat::IEEEquad()), std::nullopt);
}

TEST(Format, WidthsOfTheSpecification) {
  struct Row {
    const char *name;
    int bits, storageBits;
  };
  const Row rows[] = {
      {"i1", 1, 8},     {"i4", 4, 0},        {"i8", 8, 8},       {"i16", 16, 16},
      {"i32", 32, 32},  {"i64", 64, 64},     {"f16", 16, 16},    {"bf16", 16, 16},
      {"tf32", 19, 32}, {"f32", 32, 32},     {"f64", 64, 64},    {"f8E4M3FN", 8, 8},
      {"f8E5M2", 8, 8}, {"f8E8M0FNU", 8, 8}, {"f4E2M1FN", 4, 4}, {"f8E5M3FNU", 8, 8}};
  for (const Row &row : rows) {
    const FormatInfo &f = info(*formatNamed(row.name));
    EXPECT_EQ(f.bits, row.bits) << row.name;
    EXPECT_EQ(f.storageBits, row.storageBits) << row.name;
  }
}

// Largest finite, smallest normal, smallest subnormal: types, 2.2.
TEST(Format, ValueSets) {
  struct Row {
    const char *name;
    double largest, smallestNormal, smallest;
  };
  const Row rows[] = {{"f16", 65504, 0x1p-14, 0x1p-24},
                      {"bf16", (2 - 0x1p-7) * 0x1p127, 0x1p-126, 0x1p-133},
                      {"tf32", (2 - 0x1p-10) * 0x1p127, 0x1p-126, 0x1p-136},
                      {"f32", 0x1.fffffep127, 0x1p-126, 0x1p-149},
                      {"f64", 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-1074},
                      {"f8E4M3FN", 448, 0x1p-6, 0x1p-9},
                      {"f8E5M2", 57344, 0x1p-14, 0x1p-16},
                      {"f8E8M0FNU", 0x1p127, 0x1p-127, 0x1p-126},
                      {"f4E2M1FN", 6, 1, 0.5},
                      {"f8E5M3FNU", 114688, 0x1p-14, 0x1p-17}};
  for (const Row &row : rows) {
    const FormatInfo &f = info(*formatNamed(row.name));
    EXPECT_EQ(Element::fromBits(f.format, f.largest).asDouble(), row.largest) << row.name;
    EXPECT_EQ(std::ldexp(1.0, f.minExponent()), row.smallestNormal) << row.name;
    EXPECT_EQ(Element::fromBits(f.format, 1).asDouble(), row.smallest) << row.name;
    EXPECT_EQ(std::ilogb(row.largest), f.maxExponent()) << row.name;
    if (!f.isInLLVM())
      continue;
    EXPECT_EQ(llvm::APFloat::getSizeInBits(semantics(f.format)), f.bits) << row.name;
    EXPECT_EQ(llvm::APFloat::getLargest(semantics(f.format)).bitcastToAPInt().getZExtValue(),
              f.largest)
        << row.name;
  }
}

TEST(Format, EveryPatternDecodes) {
  for (const FormatInfo &f : allFormats()) {
    if (!f.isFloat() || f.bits > 19)
      continue;
    for (uint64_t bits = 0; bits <= f.mask(); ++bits) {
      Element element = Element::fromBits(f.format, bits);
      double expected = decode(f.format, bits), value = element.asDouble();
      ASSERT_EQ(element.isNan(), std::isnan(expected)) << describe(element);
      ASSERT_EQ(element.isInf(), std::isinf(expected)) << describe(element);
      if (!std::isnan(expected)) {
        ASSERT_EQ(value, expected) << describe(element);
        ASSERT_EQ(std::signbit(value), std::signbit(expected)) << describe(element);
      }
    }
  }
}

TEST(Format, CanonicalNans) {
  // arithmetic, 3.3.
  const std::pair<const char *, uint64_t> rows[] = {
      {"f32", 0x7FFFFFFF}, {"f16", 0x7FFF},    {"bf16", 0x7FFF}, {"f64", 0x7FF8000000000000},
      {"tf32", 0x3FFFF},   {"f8E4M3FN", 0x7F}, {"f8E5M2", 0x7F}, {"f8E8M0FNU", 0xFF},
      {"f8E5M3FNU", 0xFF}};
  for (auto [name, bits] : rows) {
    EXPECT_EQ(Element::canonicalNan(*formatNamed(name)).bits, bits) << name;
    EXPECT_TRUE(Element::canonicalNan(*formatNamed(name)).isNan()) << name;
  }
}

} // namespace
