// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of all 8-bit and 16-bit values, and of many others, against an independent model: a
// value is a long double, which represents all of them exactly, and a format is its numbers of
// bits.

#include "tilewright/ptx/instructions/ConvertTesting.h"

#include <cmath>
#include <random>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

namespace {
/// An integer has no exponent.
struct Model {
  const char *name;
  unsigned bits;
  bool isSigned;
  int exponentBits = 0, mantissaBits = 0;
  bool isFloat() const { return exponentBits != 0; }
  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint64_t infinity() const { return ((uint64_t(1) << exponentBits) - 1) << mantissaBits; }
  uint64_t mask() const { return bits == 64 ? ~0ull : (1ull << bits) - 1; }
};
} // namespace

static const Model models[] = {
    {"u8", 8, false},         {"s8", 8, true},          {"u16", 16, false},
    {"s16", 16, true},        {"u32", 32, false},       {"s32", 32, true},
    {"u64", 64, false},       {"s64", 64, true},        {"f16", 16, true, 5, 10},
    {"bf16", 16, true, 8, 7}, {"f32", 32, true, 8, 23}, {"f64", 64, true, 11, 52},
};

//===-- The model ---------------------------------------------------------------------------===//

static long double decode(uint64_t bits, const Model &model) {
  if (!model.isFloat())
    return model.isSigned
               ? static_cast<long double>(int64_t(bits << (64 - model.bits)) >> (64 - model.bits))
               : static_cast<long double>(bits & model.mask());
  const uint64_t size = bits & (model.mask() >> 1);
  const long double sign = bits >> (model.bits - 1) & 1 ? -1 : 1;
  if (size >= model.infinity())
    return size == model.infinity() ? sign * HUGE_VALL : std::nanl("");
  const int exponent = int(size >> model.mantissaBits);
  const uint64_t hidden = exponent ? uint64_t(1) << model.mantissaBits : 0;
  const uint64_t mantissa = (size & ((uint64_t(1) << model.mantissaBits) - 1)) | hidden;
  return sign * std::ldexp(static_cast<long double>(mantissa),
                           std::max(exponent, 1) - model.bias() - model.mantissaBits);
}

/// Rounds to an integer: n, z, m or p.
static long double whole(long double value, char rounding) {
  const long double below = std::floor(value), rest = value - below;
  switch (rounding) {
  case 'z':
    return std::trunc(value);
  case 'm':
    return below;
  case 'p':
    return std::ceil(value);
  default:
    if (rest != 0.5L)
      return rest < 0.5L ? below : below + 1;
    return std::fmod(below, 2) == 0 ? below : below + 1;
  }
}

static uint64_t toInteger(long double value, const Model &to, const Model &from, char rounding) {
  if (std::isnan(value))
    return from.bits == 64 || to.bits == 64 ? 1ull << (to.bits - 1) : 0;
  const long double largest = std::ldexp(1.0L, int(to.isSigned ? to.bits - 1 : to.bits)) - 1;
  const long double smallest = to.isSigned ? -largest - 1 : 0;
  value = std::min(std::max(std::isinf(value) ? value : whole(value, rounding), smallest), largest);
  return (value < 0 ? uint64_t(int64_t(value)) : uint64_t(value)) & to.mask();
}

static uint64_t toFloat(long double value, const Model &to, char rounding) {
  if (std::isnan(value))
    return to.bits == 64 ? 0x7FF8000000000000 : to.mask() >> 1;
  const bool isNegative = std::signbit(value);
  const uint64_t sign = isNegative ? 1ull << (to.bits - 1) : 0;
  const long double size = std::fabs(value);
  if (std::isinf(size))
    return sign | to.infinity();
  // For the magnitude: towards zero or away from it.
  char way = rounding;
  if (rounding == 'm' || rounding == 'p')
    way = (rounding == 'p') == isNegative ? 'z' : 'p';
  const int smallest = 1 - to.bias();
  const int exponent = size == 0 ? smallest : std::max(std::ilogb(size), smallest);
  const long double steps = whole(std::ldexp(size, to.mantissaBits - exponent), way);
  const uint64_t pattern = uint64_t(steps) + (uint64_t(exponent - smallest) << to.mantissaBits);
  if (exponent > to.bias() || pattern >= to.infinity())
    return sign | (way == 'z' ? to.infinity() - 1 : to.infinity());
  return sign | pattern;
}

//===-- Inputs ------------------------------------------------------------------------------===//

/// All values of up to 16 bits; otherwise edge cases and random numbers.
static std::vector<uint64_t> inputsOf(const Model &model) {
  std::vector<uint64_t> values;
  if (model.bits <= 16) {
    for (uint64_t value = 0; value <= model.mask(); ++value)
      values.push_back(value);
    return values;
  }
  std::mt19937_64 random(model.bits);
  for (unsigned at = 0; at < 1500; ++at)
    values.push_back(random() & model.mask());
  for (unsigned at = 0; at < 1500; ++at) // of all magnitudes
    values.push_back((random() & model.mask()) >> random() % model.bits);
  for (unsigned bit = 0; bit < model.bits; ++bit)
    for (int add : {-1, 0, 1})
      values.push_back(((1ull << bit) + uint64_t(add)) & model.mask());
  if (!model.isFloat())
    return values;
  // Numbers near the limits of the other types, and halfway between integers.
  for (double edge :
       {127.0,  128.0,  255.0,   256.0,   32767.0, 65504.0,  65520.0,  65535.0, 0x1p31, 0x1p32,
        0x1p63, 0x1p64, 3.38e38, 0x1p-24, 0x1p-25, 0x1p-126, 0x1p-133, 0.5,     1.5,    2.5})
    for (double sign : {-1.0, 1.0}) {
      const uint64_t bits = toFloat(sign * edge, model, 'n');
      for (int add : {-1, 0, 1})
        values.push_back(bits + uint64_t(add));
    }
  return values;
}

static void check(const Model &from, const Model &to, const std::string &rounding) {
  const std::string instruction =
      "cvt" + (rounding.empty() ? "" : "." + rounding) + "." + to.name + "." + from.name;
  std::vector<uint64_t> inputs = inputsOf(from);
  if (rounding == "rm" || rounding == "rp" || rounding == "rmi" || rounding == "rpi")
    for (size_t at = 0; at < inputs.size() / 16; ++at) // a sample of them
      inputs[at] = inputs[at * 16 + at % 16];
  if (rounding == "rm" || rounding == "rp" || rounding == "rmi" || rounding == "rpi")
    inputs.resize(inputs.size() / 16);
  const std::vector<uint64_t> results = converted(instruction, from.bits, to.bits, inputs);
  const char way = rounding.size() > 1 ? rounding[1] : 'n';
  for (size_t at = 0; at < inputs.size(); ++at) {
    const long double value = decode(inputs[at], from);
    uint64_t expected = 0;
    if (!from.isFloat() && !to.isFloat())
      expected =
          uint64_t(from.isSigned ? int64_t(inputs[at] << (64 - from.bits)) >> (64 - from.bits)
                                 : int64_t(inputs[at])) &
          to.mask();
    else
      expected = to.isFloat() ? toFloat(value, to, way) : toInteger(value, to, from, way);
    ASSERT_EQ(results[at] & to.mask(), expected)
        << instruction << " of 0x" << std::hex << inputs[at] << " (" << double(value) << ")";
  }
}

TEST(ConvertAll, AllTypePairs) {
  for (const Model &from : models)
    for (const Model &to : models) {
      if (!from.isFloat() && !to.isFloat()) {
        check(from, to, "");
      } else if (!to.isFloat()) {
        for (const char *rounding : {"rni", "rzi", "rmi", "rpi"})
          check(from, to, rounding);
      } else if (!from.isFloat() || to.bits < from.bits) {
        for (const char *rounding : {"rn", "rz", "rm", "rp"})
          check(from, to, rounding);
      } else if (to.bits == from.bits && &to != &from) {
        check(from, to, "rn"); // f16 and bf16
      } else {
        check(from, to, "");
      }
    }
}

//===-- Pairs -------------------------------------------------------------------------------===//

namespace {
/// A small format: its largest number, the result for an infinity or more without .satfinite, a
/// NaN.
struct Small {
  Model model;
  uint64_t largest, nan;
  unsigned bitsOfPair;
  const char *from; ///< The pair types that it is converted from and to.
};
} // namespace

static const Small smalls[] = {
    {{"e4m3x2", 8, true, 4, 3}, 0x7E, 0x7F, 16, "f16x2"},
    {{"e5m2x2", 8, true, 5, 2}, 0x7B, 0x7F, 16, "f16x2"},
    {{"e2m3x2", 6, true, 2, 3}, 0x1F, 0x1F, 16, "f16x2"},
    {{"e3m2x2", 6, true, 3, 2}, 0x1F, 0x1F, 16, "f16x2"},
    {{"e2m1x2", 4, true, 2, 1}, 0x7, 0x7, 8, "f16x2"},
};
static const Model &half = models[8], &brain = models[9];

/// Searches all numbers of the format for the nearest; in a tie, the even pattern.
static uint64_t nearest(long double value, const Small &small, bool relu) {
  if (std::isnan(value))
    return small.nan;
  const uint64_t sign = std::signbit(value) ? 1ull << (small.model.bits - 1) : 0;
  if (relu && sign)
    return 0;
  // All patterns up to the largest number are numbers.
  Model wide = small.model;
  const auto number = [&](uint64_t pattern) {
    const int exponent = int(pattern >> wide.mantissaBits);
    const uint64_t hidden = exponent ? 1ull << wide.mantissaBits : 0;
    return std::ldexp(
        static_cast<long double>((pattern & ((1ull << wide.mantissaBits) - 1)) | hidden),
        std::max(exponent, 1) - wide.bias() - wide.mantissaBits);
  };
  if (std::fabs(value) >= number(small.largest))
    return sign | small.largest;
  uint64_t best = 0;
  for (uint64_t pattern = 1; pattern <= small.largest; ++pattern) {
    const long double error = std::fabs(std::fabs(value) - number(pattern));
    const long double least = std::fabs(std::fabs(value) - number(best));
    if (error < least || (error == least && pattern % 2 == 0))
      best = pattern;
  }
  return sign | best;
}

TEST(ConvertAll, PairsOfSmallFloats) {
  std::vector<uint64_t> inputs;
  for (uint64_t value = 0; value < 0x10000; ++value) // two at a time
    inputs.push_back(value | (value * 40503 & 0xFFFF) << 16);
  for (const Small &small : smalls)
    for (bool relu : {false, true}) {
      const unsigned shift = small.bitsOfPair / 2;
      const std::string result = small.model.name;
      const std::string name =
          "cvt.rn.satfinite" + std::string(relu ? ".relu." : ".") + result + ".f16x2";
      const std::string operands = shift == 4 ? "low, a;\nmov.b32 d, {low, low, low, low}" : "d, a";
      const auto results = converted((shift == 4 ? ".reg .b8 low;\n" : "") + name, 32,
                                     shift == 4 ? 32 : 16, inputs, operands);
      std::vector<uint64_t> expected(0x10000);
      for (uint64_t value = 0; value < 0x10000; ++value)
        expected[value] = nearest(decode(value, half), small, relu);
      for (size_t at = 0; at < inputs.size(); ++at)
        ASSERT_EQ(results[at] & ((1u << small.bitsOfPair) - 1),
                  expected[inputs[at] >> 16] << shift | expected[inputs[at] & 0xFFFF])
            << name << " of 0x" << std::hex << inputs[at];
    }
}

TEST(ConvertAll, PairsFromSmallFloats) {
  std::vector<uint64_t> inputs;
  for (uint64_t value = 0; value < 0x10000; ++value)
    inputs.push_back(value);
  for (const Small &small : smalls) {
    const unsigned shift = small.bitsOfPair / 2;
    const std::string name = "cvt.rn.f16x2." + std::string(small.model.name);
    const std::string code = shift == 4 ? ".reg .b8 low;\nmov.b16 {low, _}, a;\n" : "";
    const auto results = converted(code + name, 16, 32, inputs, shift == 4 ? "d, low" : "d, a");
    for (size_t at = 0; at < inputs.size(); ++at) {
      uint64_t expected = 0;
      for (unsigned part = 0; part < 2; ++part) {
        const uint64_t bits = inputs[at] >> (shift * part) & small.model.mask();
        const uint64_t size = bits & (small.model.mask() >> 1);
        // Without infinities, the patterns above are numbers, too.
        Model model = small.model;
        const bool hasInfinity = std::string(model.name) == "e5m2x2";
        long double value = std::ldexp(
            static_cast<long double>((size & ((1ull << model.mantissaBits) - 1)) |
                                     (size >> model.mantissaBits ? 1ull << model.mantissaBits : 0)),
            std::max(int(size >> model.mantissaBits), 1) - model.bias() - model.mantissaBits);
        if (hasInfinity)
          value = decode(size, model);
        else if (std::string(model.name) == "e4m3x2" && size == small.nan)
          value = std::nanl("");
        const bool isNegative = bits >> (model.bits - 1) & 1;
        const uint64_t encoded =
            std::isnan(value) ? 0x7FFF : toFloat(isNegative ? -value : value, half, 'n');
        expected |= encoded << (16 * part);
      }
      ASSERT_EQ(results[at], expected) << name << " of 0x" << std::hex << inputs[at];
    }
  }
}

TEST(ConvertAll, PairsOfScales) {
  std::vector<uint64_t> inputs;
  for (uint64_t value = 0; value < 0x10000; ++value)
    inputs.push_back(value);
  const auto back = converted("cvt.rn.bf16x2.ue8m0x2", 16, 32, inputs);
  for (size_t at = 0; at < inputs.size(); ++at) {
    uint64_t expected = 0;
    for (unsigned part = 0; part < 2; ++part) {
      const unsigned exponent = inputs[at] >> (8 * part) & 0xFF;
      const uint64_t bits =
          exponent == 0xFF ? 0x7FFF : toFloat(std::ldexp(1.0L, int(exponent) - 127), brain, 'n');
      expected |= bits << (16 * part);
    }
    ASSERT_EQ(back[at], expected) << std::hex << inputs[at];
  }
  // 1 and 1.5: rounds down to 2^0, up to 2^1. 3: 2^1 and 2^2. A NaN is 0xFF.
  const std::vector<uint64_t> pairs = {0x3F803FC0, 0x40407FC0};
  EXPECT_EQ(converted("cvt.rz.ue8m0x2.bf16x2", 32, 16, pairs),
            (std::vector<uint64_t>{0x7F7F, 0x80FF}));
  EXPECT_EQ(converted("cvt.rp.satfinite.ue8m0x2.bf16x2", 32, 16, pairs),
            (std::vector<uint64_t>{0x7F80, 0x81FF}));
}

TEST(ConvertAll, PairsOfSingles) {
  const std::vector<uint64_t> singles = inputsOf(models[10]);
  const auto check = [&](const std::string &name, unsigned shift, unsigned result, auto expect) {
    const std::string operands =
        shift == 4 ? "low, a, a;\nmov.b32 d, {low, low, low, low}" : "d, a, a";
    const auto results =
        converted((shift == 4 ? ".reg .b8 low;\n" : "") + name, 32, result, singles, operands);
    for (size_t at = 0; at < singles.size(); ++at) {
      const uint64_t one = expect(decode(singles[at], models[10]));
      ASSERT_EQ(results[at] & ((1ull << (2 * shift)) - 1), one << shift | one)
          << name << " of 0x" << std::hex << singles[at];
    }
  };
  for (const Small &small : smalls) {
    const unsigned shift = small.bitsOfPair / 2;
    check("cvt.rn.satfinite." + std::string(small.model.name) + ".f32", shift, shift == 4 ? 32 : 16,
          [&](long double value) { return nearest(value, small, false); });
  }
  for (const char *rounding : {"rn", "rz"}) {
    check("cvt." + std::string(rounding) + ".f16x2.f32", 16, 32,
          [&](long double value) { return toFloat(value, half, rounding[1]); });
    check("cvt." + std::string(rounding) + ".bf16x2.f32", 16, 32,
          [&](long double value) { return toFloat(value, brain, rounding[1]); });
  }
  check("cvt.rp.ue8m0x2.f32", 8, 16, [](long double value) -> uint64_t {
    const long double size = std::fabs(value);
    if (std::isnan(value) || size > 0x1p127L)
      return 0xFF;
    uint64_t exponent = 0; // the first power of two that is not smaller
    while (std::ldexp(1.0L, int(exponent) - 127) < size)
      ++exponent;
    return exponent;
  });
}

TEST(ConvertAll, Packs) {
  const auto pack = [](const std::string &rest, const std::vector<Input> &inputs) {
    return evaluate("cvt.pack.sat." + rest + ";", "b32", inputs).d;
  };
  const std::vector<Input> two = {{"b32", uint32_t(-70000)}, {"b32", 70000}};
  EXPECT_EQ(pack("s16.s32 d, a, b", two), 0x80007FFFu);
  EXPECT_EQ(pack("u16.s32 d, a, b", two), 0x0000FFFFu);
  const std::vector<Input> three = {{"b32", uint32_t(-300)}, {"b32", 5}, {"b32", 0xABCD}};
  EXPECT_EQ(pack("s8.s32.b32 d, a, b, c", three), 0xABCD8005u);
  EXPECT_EQ(pack("u8.s32.b32 d, a, b, c", three), 0xABCD0005u);
  EXPECT_EQ(pack("s4.s32.b32 d, a, b, c", three), 0xABCD85u);
  EXPECT_EQ(pack("u4.s32.b32 d, a, b, c", three), 0xABCD05u);
  EXPECT_EQ(pack("s2.s32.b32 d, a, b, c", three), 0xABCD9u);
  EXPECT_EQ(pack("u2.s32.b32 d, a, b, c", three), 0xABCD3u);
}

// .sat clamps to [0, 1], and yields +0 for NaN.
TEST(ConvertAll, SaturatesFloats) {
  const auto single = [](const char *name, uint64_t bits) {
    return evaluate(std::string(name) + " d, a;", "b32", {{"b32", bits}}).d;
  };
  EXPECT_EQ(single("cvt.sat.f32.f32", 0x7FC00000), 0u);
  EXPECT_EQ(single("cvt.sat.f32.f32", 0xFFC00000), 0u);
  EXPECT_EQ(single("cvt.rni.sat.f32.f32", 0x7FC00000), 0u);
  EXPECT_EQ(single("cvt.sat.f32.f32", 0xBF800000), 0u);          // -1
  EXPECT_EQ(single("cvt.sat.f32.f32", 0x3F000000), 0x3F000000u); // 0.5
  EXPECT_EQ(single("cvt.sat.f32.f32", 0x40E00000), 0x3F800000u); // 7
}
