// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cvt.rs: the random bits are added to the discarded bits, and a carry rounds away from zero. For
// numbers that are normal in both formats, this is an addition to the bits of the f32.

#include "tilewright/ptx/instructions/ConvertTesting.h"

#include <bit>

using namespace tilewright::ptx::testing;

/// All 65,536 combinations of 16 random bits, in both halves of the register.
static std::vector<uint64_t> allRandom() {
  std::vector<uint64_t> all;
  for (uint64_t bits = 0; bits < 0x10000; ++bits)
    all.push_back(bits << 16 | bits);
  return all;
}

static std::string literal(uint32_t bits) {
  char text[16];
  std::snprintf(text, sizeof text, "0f%08X", bits);
  return text;
}

/// The bits of a normal number: those of an f32 with smaller exponent and mantissa.
static uint64_t narrowed(uint64_t bits, int exponentBits, int mantissaBits) {
  const uint64_t size = bits & 0x7FFFFFFF, sign = bits >> 31;
  const uint64_t bias = 127 - ((1u << (exponentBits - 1)) - 1);
  return sign << (exponentBits + mantissaBits) |
         ((size >> (23 - mantissaBits)) - (bias << mantissaBits));
}

// 1.0 with 16 discarded bits that are not zero, and a negative number.
static constexpr uint32_t value = 0x3F801234, other = 0xC0ABCDEF;

TEST(ConvertStochastic, BFloat16) {
  const auto results = converted("cvt.rs.bf16x2.f32", 32, 32, allRandom(),
                                 "d, " + literal(value) + ", " + literal(other) + ", a");
  for (uint64_t random = 0; random < 0x10000; ++random)
    ASSERT_EQ(results[random],
              narrowed(value + random, 8, 7) << 16 | narrowed(other + random, 8, 7))
        << random;
}

TEST(ConvertStochastic, Halves) {
  const auto results = converted("cvt.rs.f16x2.f32", 32, 32, allRandom(),
                                 "d, " + literal(value) + ", " + literal(other) + ", a");
  for (uint64_t random = 0; random < 0x10000; ++random)
    ASSERT_EQ(results[random], narrowed(value + (random & 0x1FFF), 5, 10) << 16 |
                                   narrowed(other + (random & 0x1FFF), 5, 10))
        << random;
}

TEST(ConvertStochastic, FourBytesAtOnce) {
  struct Row {
    const char *type;
    int exponentBits, mantissaBits;
  };
  for (const Row &row :
       {Row{"e4m3x4", 4, 3}, Row{"e5m2x4", 5, 2}, Row{"e2m3x4", 2, 3}, Row{"e3m2x4", 3, 2}}) {
    const auto results =
        converted("cvt.rs.satfinite." + std::string(row.type) + ".f32", 32, 32, allRandom(),
                  "d, {" + literal(value) + ", " + literal(other) + ", " + literal(0x40012345) +
                      ", 0f3F800000}, a");
    const unsigned shift = unsigned(7 - row.mantissaBits); // 16 random bits after the last
    for (uint64_t random = 0; random < 0x10000; ++random) {
      uint64_t expected = 0;
      for (uint64_t bits : {uint64_t(value), uint64_t(other), uint64_t(0x40012345)})
        expected =
            expected << 8 | narrowed(bits + (random << shift), row.exponentBits, row.mantissaBits);
      expected = expected << 8 | narrowed(0x3F800000, row.exponentBits, row.mantissaBits);
      ASSERT_EQ(results[random], expected) << row.type << " " << random;
    }
  }
}

// a and b use the upper half of the random bits, e and f the lower half; for .e2m1x4, the upper and
// lower bytes of both halves.
TEST(ConvertStochastic, RandomBitsOfEachElement) {
  // 1.25 is halfway between 1 and 1.5 in e2m1, and 1.75 between 1.5 and 2: half of the random
  // numbers round up. In e4m3, 1.0625 is halfway between 1 and 1.125.
  const auto small = [](uint32_t random) {
    return evaluate("cvt.rs.satfinite.e2m1x4.f32 d, {0f3FA00000, 0f3FE00000, 0f3FA00000, "
                    "0f3FE00000}, a;",
                    "b16", {{"b32", random}})
        .d;
  };
  EXPECT_EQ(small(0x00000000), 0x2323u);
  EXPECT_EQ(small(0x80000000), 0x3423u); // a and b
  EXPECT_EQ(small(0x00800000), 0x2334u); // e and f
  EXPECT_EQ(small(0x7FFF7FFF), 0x2334u); // 0x7F7F and 0xFFFF
  const auto bytes = [](uint32_t random) {
    return evaluate("cvt.rs.satfinite.e4m3x4.f32 d, {0f3F880000, 0f3F880000, 0f3F880000, "
                    "0f3F880000}, a;",
                    "b32", {{"b32", random}})
        .d;
  };
  EXPECT_EQ(bytes(0x80007FFF), 0x39393838u);
  EXPECT_EQ(bytes(0x7FFF8000), 0x38383939u);
  const auto halves = [](uint32_t random) { // 1 and half a unit in the last place of f16
    return evaluate("cvt.rs.f16x2.f32 d, 0f3F801000, 0f3F801000, a;", "b32", {{"b32", random}}).d;
  };
  EXPECT_EQ(halves(0x10000FFF), 0x3C013C00u);
  EXPECT_EQ(halves(0xEFFF1000), 0x3C003C01u); // the upper three bits are ignored
}

// Subnormal results, results beyond the largest number, infinities and NaNs.
TEST(ConvertStochastic, Edges) {
  const auto pair = [](const std::string &name, const std::string &a, const std::string &b,
                       uint32_t random) {
    return evaluate("cvt.rs" + name + ".f32 d, " + a + ", " + b + ", a;", "b32", {{"b32", random}})
        .d;
  };
  // 1.5 * 2^-24: the first subnormal of f16, or the second.
  EXPECT_EQ(pair(".f16x2", "0f33C00000", "0fB3C00000", 0x10000FFF), 0x00028001u);
  // Half of the smallest subnormal: rounds up for half of the random numbers.
  EXPECT_EQ(pair(".f16x2", "0f33000000", "0f33000000", 0x10000FFF), 0x00010000u);
  EXPECT_EQ(pair(".f16x2", "0f477FE000", "0f477FEFFF", 0x1FFF1FFF), 0x7BFF7C00u); // 65504 and more
  EXPECT_EQ(pair(".satfinite.f16x2", "0f477FEFFF", "0fFF800000", 0x1FFF1FFF), 0x7BFFFBFFu);
  EXPECT_EQ(pair(".bf16x2", "0f7F800000", "0f7FC00000", 0), 0x7F807FFFu);
  EXPECT_EQ(pair(".bf16x2", "0f7F7FFFFF", "0f7F7FFFFF", 0x00010000), 0x7F807F7Fu);
  EXPECT_EQ(pair(".relu.bf16x2", "0fBF800000", "0f80000000", 0), 0u);
  const auto four = [](const std::string &name) {
    return evaluate("cvt.rs.satfinite." + name +
                        ".f32 d, {0f7F800000, 0fFFC00000, 0fC3E80000, 0f00000001}, a;",
                    name == "e2m1x4" || name == "relu.e2m1x4" ? "b16" : "b32",
                    {{"b32", 0xFFFFFFFF}})
        .d;
  };
  EXPECT_EQ(four("e4m3x4"), 0x7E7FFE00u); // the largest, a NaN, -464 beyond -448, and a tiny number
  EXPECT_EQ(four("e5m2x4"), 0x7B7FE000u); // -464 is -448 plus a fourth of the step to -512
  EXPECT_EQ(four("e2m1x4"), 0x77F0u);
  EXPECT_EQ(four("relu.e3m2x4"), 0x1F1F0000u);
  EXPECT_NE(refusalOf("cvt.rs.e4m3x4.f32 %r1, {%f1, %f2, %f3, %f4}, %r2;").find(".satfinite"),
            std::string::npos);
}
