// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks which texts are elements and which are not: selected rows by hand, and all patterns in a
// round trip.

#include "test/support/numerics/TestSupport.h"
#include "tilewright/numerics/Convert.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::testing;

namespace {

TEST(Text, ReadsIntegers) {
  auto bits = [](Format format, const char *text) { return parseElement(format, text)->bits; };
  EXPECT_EQ(bits(Format::I32, "7"), 7u);
  EXPECT_EQ(bits(Format::I8, "-1"), 0xFFu);
  EXPECT_EQ(bits(Format::I8, "-128"), 0x80u);
  EXPECT_EQ(bits(Format::I8, "255"), 0xFFu);
  EXPECT_EQ(bits(Format::I16, "0x7f"), 0x7Fu);
  EXPECT_EQ(bits(Format::I16, "-0x10"), 0xFFF0u);
  EXPECT_EQ(bits(Format::I64, "18446744073709551615"), ~uint64_t(0));
  EXPECT_EQ(bits(Format::I64, "-9223372036854775808"), uint64_t(1) << 63);
  EXPECT_EQ(bits(Format::I1, "true"), 1u);
  EXPECT_EQ(bits(Format::I1, "-1"), 1u);
  EXPECT_EQ(bits(Format::Pointer, "0xdeadbeef"), 0xDEADBEEFu);
}

TEST(Text, RejectsWhatDoesNotFit) {
  const std::pair<Format, const char *> rows[] = {{Format::I8, "256"},
                                                  {Format::I8, "-129"},
                                                  {Format::I1, "2"},
                                                  {Format::I1, "-2"},
                                                  {Format::I1, "yes"},
                                                  {Format::I8, "true"},
                                                  {Format::I32, ""},
                                                  {Format::I32, "-"},
                                                  {Format::I32, "0x"},
                                                  {Format::I32, "1.0"},
                                                  {Format::I32, "1 "},
                                                  {Format::I32, "--1"},
                                                  {Format::I32, "+1"},
                                                  {Format::I32, "0x-1"},
                                                  {Format::I32, "abc"},
                                                  {Format::I64, "18446744073709551616"},
                                                  {Format::I64, "-9223372036854775809"},
                                                  {Format::Pointer, "-1"},
                                                  {Format::F16, "0x10000"},
                                                  {Format::F4E2M1FN, "nan"},
                                                  {Format::F8E4M3FN, "inf"},
                                                  {Format::F32, "NaN"},
                                                  {Format::F32, "1,5"},
                                                  {Format::F32, "infinity"},
                                                  {Format::TF32, "0x80000"},
                                                  {Format::F32, "true"}};
  for (auto [format, text] : rows)
    EXPECT_FALSE(parseElement(format, text)) << info(format).spelling << " " << text;
}

TEST(Text, ReadsFloats) {
  auto bits = [](Format format, const char *text) { return parseElement(format, text)->bits; };
  EXPECT_EQ(bits(Format::F32, "-0.5"), 0xBF000000u);
  EXPECT_EQ(bits(Format::F32, "7"), 0x40E00000u);
  EXPECT_EQ(bits(Format::F32, "1e3"), 0x447A0000u);
  EXPECT_EQ(bits(Format::F32, "-0"), 0x80000000u);
  EXPECT_EQ(bits(Format::F32, "0x3f800000"), 0x3F800000u);
  EXPECT_EQ(bits(Format::F32, "nan"), 0x7FFFFFFFu);
  EXPECT_EQ(bits(Format::F16, "inf"), 0x7C00u);
  EXPECT_EQ(bits(Format::BF16, "-inf"), 0xFF80u);
  EXPECT_EQ(bits(Format::TF32, "-2.0"), 0x60000u);
  EXPECT_EQ(bits(Format::F8E8M0FNU, "nan"), 0xFFu);
  EXPECT_EQ(bits(Format::F8E5M3FNU, "1.125"), 0x79u);
}

TEST(Text, Writes) {
  EXPECT_EQ(toString(single(0.1f)), "0.1");
  EXPECT_EQ(toString(single(-1)), "-1");
  EXPECT_EQ(toString(Element::fromBits(Format::F8E4M3FN, 0x7E)), "448");
  EXPECT_EQ(toString(Element::fromBits(Format::F16, 0x7BFF)), "65504");
  EXPECT_EQ(toString(single(-0.0f)), "-0");
  EXPECT_EQ(toString(wide(0.1)), "0.1");
  EXPECT_EQ(toString(wide(2.0 / 3)), "0.6666666666666666");
  EXPECT_EQ(toString(single(-INFINITY)), "-inf");
  EXPECT_EQ(toString(Element::canonicalNan(Format::F16)), "nan");
  EXPECT_EQ(toString(Element::fromBits(Format::F16, 0xFE00)), "0xFE00");
  EXPECT_EQ(toString(Element::integer(Format::I8, 255)), "-1");
  EXPECT_EQ(toString(Element::boolean(true)), "true");
  EXPECT_EQ(toString(Element::fromBits(Format::Pointer, 0x1000)), "0x1000");
  EXPECT_EQ(toString(Element::poisoned(Format::F32)), "poison");
}

TEST(Text, WhatIsWrittenReadsBack) {
  for (const FormatInfo &f : allFormats()) {
    uint64_t step = f.bits <= 16 ? 1 : (f.mask() >> 12) | 1;
    for (uint64_t bits = 0, i = 0; bits <= f.mask() && i < 65536; bits += step, ++i) {
      Element element = Element::fromBits(f.format, bits);
      ASSERT_EQ(parseElement(f.format, toString(element)), element) << toString(element);
      if (bits + step < bits)
        break;
    }
  }
}

} // namespace
