// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every type of each instruction. Expected integers come from 128-bit arithmetic; values for
// rounding modes are chosen so that a reader sees where they round to.

#include "tilewright/ptx/Testing.h"

#include <algorithm>
#include <bit>
#include <functional>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using Wide = __int128;

/// The low 128 bits of the product.
static Wide product(Wide a, Wide b) {
  using Unsigned = unsigned __int128;
  return Wide(Unsigned(a) * Unsigned(b));
}

namespace {
struct Integer {
  const char *name;
  unsigned bits;
  bool isSigned;

  std::string reg() const { return "b" + std::to_string(bits); }
  uint64_t mask() const { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }
  Wide read(uint64_t value) const {
    value &= mask();
    const bool isNegative = isSigned && value >> (bits - 1);
    return isNegative ? Wide(value) - (Wide(1) << bits) : Wide(value);
  }
};
} // namespace

static constexpr Integer integers[] = {{"u16", 16, false}, {"u32", 32, false}, {"u64", 64, false},
                                       {"s16", 16, true},  {"s32", 32, true},  {"s64", 64, true}};

/// The ends of the range, the middle, and some values between.
static std::vector<uint64_t> samplesOf(const Integer &type) {
  const uint64_t half = uint64_t(1) << (type.bits - 1);
  return {0, 1, 7, half - 1, half, half + 5, type.mask() - 2, type.mask()};
}

using Formula = std::function<Wide(Wide a, Wide b, Wide c)>;

/// Checks `count` operands of the type; for `isWide`, the third operand and the result have twice
/// as many bits.
static void checkFormula(const Integer &type, const std::string &opcode, unsigned count,
                         const Formula &formula, bool isWide = false) {
  const unsigned bits = isWide ? 2 * type.bits : type.bits;
  const std::string reg = "b" + std::to_string(bits);
  const std::string code = opcode + "." + type.name + " d, a" + (count > 1 ? ", b" : "") +
                           (count > 2 ? ", c" : "") + ";";
  const std::vector<uint64_t> samples = samplesOf(type);
  for (size_t at = 0; at < samples.size(); ++at) {
    const uint64_t a = samples[at], b = samples[(at * 3 + 1) % samples.size()], c = 5;
    std::vector<Input> inputs = {{type.reg(), a}};
    if (count > 1)
      inputs.push_back({type.reg(), b});
    if (count > 2)
      inputs.push_back({reg, c});
    const uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    EXPECT_EQ(evaluate(code, reg, inputs).d,
              uint64_t(formula(type.read(a), type.read(b), Wide(c))) & mask)
        << code << " of " << a << " and " << b;
  }
}

//===-- Integers ----------------------------------------------------------------------------===//

TEST(IntegerForms, AddAndMultiply) {
  for (const Integer &type : integers) {
    checkFormula(type, "add", 2, [](Wide a, Wide b, Wide) { return a + b; });
    checkFormula(type, "sub", 2, [](Wide a, Wide b, Wide) { return a - b; });
    const auto high = [&](Wide a, Wide b) { return (a * b) >> type.bits; };
    checkFormula(type, "mul.lo", 2, [](Wide a, Wide b, Wide) { return product(a, b); });
    checkFormula(type, "mad.lo", 3, [](Wide a, Wide b, Wide c) { return product(a, b) + c; });
    if (type.bits == 64 && !type.isSigned)
      continue; // the product does not fit in a signed 128-bit number
    checkFormula(type, "mul.hi", 2, [&](Wide a, Wide b, Wide) { return high(a, b); });
    checkFormula(type, "mad.hi", 3, [&](Wide a, Wide b, Wide c) { return high(a, b) + c; });
    if (type.bits < 64) {
      checkFormula(type, "mul.wide", 2, [](Wide a, Wide b, Wide) { return product(a, b); }, true);
      checkFormula(
          type, "mad.wide", 3, [](Wide a, Wide b, Wide c) { return product(a, b) + c; }, true);
    }
  }
  // (2^64 - 1)^2 = 2^128 - 2^65 + 1
  checkRows({{"mad.hi.u64 d, a, a, b;", "b64", {{"b64", ~0ull}, {"b64", 5}}, 3}});
}

TEST(IntegerForms, DivisionAndComparison) {
  for (const Integer &type : integers) {
    checkFormula(type, "div", 2, [&](Wide a, Wide b, Wide) { return b ? a / b : type.mask(); });
    checkFormula(type, "rem", 2, [&](Wide a, Wide b, Wide) { return b ? a % b : type.mask(); });
    checkFormula(type, "min", 2, [](Wide a, Wide b, Wide) { return std::min(a, b); });
    checkFormula(type, "max", 2, [](Wide a, Wide b, Wide) { return std::max(a, b); });
    checkFormula(type, "sad", 3,
                 [](Wide a, Wide b, Wide c) { return (a < b ? b - a : a - b) + c; });
    if (!type.isSigned)
      continue;
    checkFormula(type, "abs", 1, [](Wide a, Wide, Wide) { return a < 0 ? -a : a; });
    checkFormula(type, "neg", 1, [](Wide a, Wide, Wide) { return -a; });
  }
}

TEST(IntegerForms, Of24Bits) {
  const Integer u32 = integers[1], s32 = integers[4];
  for (const Integer &type : {u32, s32}) {
    const auto low = [&](Wide value) {
      const Wide bits = value & 0xFFFFFF;
      return type.isSigned && bits >> 23 ? bits - (1 << 24) : bits;
    };
    checkFormula(type, "mul24.lo", 2, [&](Wide a, Wide b, Wide) { return low(a) * low(b); });
    checkFormula(type, "mul24.hi", 2,
                 [&](Wide a, Wide b, Wide) { return (low(a) * low(b)) >> 16; });
    checkFormula(type, "mad24.lo", 3, [&](Wide a, Wide b, Wide c) { return low(a) * low(b) + c; });
    checkFormula(type, "mad24.hi", 3,
                 [&](Wide a, Wide b, Wide c) { return ((low(a) * low(b)) >> 16) + c; });
  }
  checkRows({{"mad24.hi.sat.s32 d, a, a, b;",
              "b32",
              {{"b32", 0x7FFFFF}, {"b32", 0x7FFFFFFF}},
              0x7FFFFFFF}});
}

/// Sums of two registers with carry.
TEST(IntegerForms, Carries) {
  for (const Integer &type : {integers[1], integers[2], integers[4], integers[5]}) {
    const std::string t = std::string(".") + type.name, reg = type.reg();
    const uint64_t top = type.mask();
    const std::string begin = ".reg ." + reg + " t;\n";
    const auto get = [&](const std::string &code, uint64_t a, uint64_t b) {
      return evaluate(begin + code, reg, {{reg, a}, {reg, b}}).d;
    };
    EXPECT_EQ(get("add.cc" + t + " t, a, 1;\naddc" + t + " d, b, 0;", top, 3), 4u);
    EXPECT_EQ(get("add.cc" + t + " t, a, 1;\naddc.cc" + t + " t, b, 0;\naddc" + t + " d, 0, 0;",
                  top, top),
              1u);
    EXPECT_EQ(get("sub.cc" + t + " t, a, 1;\nsubc" + t + " d, b, 0;", 0, 3), 2u);
    EXPECT_EQ(
        get("sub.cc" + t + " t, a, 1;\nsubc.cc" + t + " t, b, 0;\nsubc" + t + " d, 0, 0;", 0, 0),
        top);
    // The lower halves: top * 1 + 1 has a carry, which the next sum adds.
    const std::string low = "mad.lo.cc" + t + " t, a, 1, 1;\n";
    EXPECT_EQ(get(low + "madc.lo" + t + " d, b, 2, 3;", top, 5), 14u);
    EXPECT_EQ(get(low + "madc.lo.cc" + t + " t, b, 1, 0;\naddc" + t + " d, 0, 0;", top, top), 1u);
    // The upper half of 2^(bits-2) * 4 is 1, for signed and unsigned numbers.
    const uint64_t quarter = uint64_t(1) << (type.bits - 2);
    EXPECT_EQ(get("add.cc" + t + " t, a, 1;\nmadc.hi" + t + " d, b, 4, 5;", top, quarter), 7u);
    EXPECT_EQ(get("add.cc" + t + " t, a, 1;\nmadc.hi.cc" + t + " t, b, 4, " +
                      (type.isSigned ? "-2" : std::to_string(top - 1)) + ";\naddc" + t +
                      " d, 0, 0;",
                  top, quarter),
              1u);
  }
}

TEST(IntegerForms, PackedAndBitOperations) {
  const Input pair = {"b32", 0xFFFF0005}, other = {"b32", 0x00010004}, one = {"b32", 1};
  checkRows({
      {"add.s16x2 d, a, b;", "b32", {pair, other}, 0x00000009},
      {"min.u16x2 d, a, b;", "b32", {pair, other}, 0x00010004},
      {"max.s16x2 d, a, b;", "b32", {pair, other}, 0x00010005},
      {"min.relu.s16x2 d, a, b;", "b32", {pair, other}, 0x00000004},
      {"max.relu.s16x2 d, a, b;", "b32", {{"b32", 0xFFFF0005}, {"b32", 0xFFFE0004}}, 0x00000005},
      {"min.relu.s32 d, a, b;", "b32", {{"b32", uint32_t(-3)}, one}, 0},
      {"bfind.u64 d, a;", "b32", {{"b64", 1ull << 40}}, 40},
      {"bfind.shiftamt.s32 d, a;", "b32", {{"b32", 0xFFFFFFEF}}, 27},
      {"bfind.shiftamt.u64 d, a;", "b32", {{"b64", 1ull << 40}}, 23},
      {"bfind.shiftamt.s64 d, a;", "b32", {{"b64", 0}}, 0xFFFFFFFF},
      {"bfe.u64 d, a, 8, 16;", "b64", {{"b64", 0xABCDEF0123456789}}, 0x4567},
      {"szext.clamp.u32 d, a, 4;", "b32", {{"b32", 0xFF}}, 0xF},
      {"dp4a.u32.s32 d, a, b, 0;", "b32", {{"b32", 0xFF}, {"b32", 0xFF}}, uint32_t(-255)},
      {"dp4a.s32.u32 d, a, b, 0;", "b32", {{"b32", 0xFF}, {"b32", 0xFF}}, uint32_t(-255)},
      {"dp2a.lo.u32.u32 d, a, b, 1;",
       "b32",
       {{"b32", 0xFFFF}, {"b32", 0xFFFF00FF}},
       65535 * 255 + 1},
      {"dp2a.lo.s32.s32 d, a, b, 1;", "b32", {{"b32", 0xFFFF}, {"b32", 0xFFFF00FF}}, 2},
      {"dp2a.hi.u32.u32 d, a, b, 1;",
       "b32",
       {{"b32", 0xFFFF}, {"b32", 0x00FF0000}},
       65535 * 255 + 1},
      {"dp2a.hi.s32.s32 d, a, b, 1;", "b32", {{"b32", 0xFFFF}, {"b32", 0x00FF0000}}, 2},
      {"and.b16 d, a, b;", "b16", {{"b16", 0xF0F0}, {"b16", 0xFF00}}, 0xF000},
      {"and.b64 d, a, b;", "b64", {{"b64", ~0ull}, {"b64", 0xFF00000000}}, 0xFF00000000},
      {"or.b16 d, a, b;", "b16", {{"b16", 0xF0F0}, {"b16", 0x0F00}}, 0xFFF0},
      {"or.b32 d, a, b;", "b32", {{"b32", 0xF0}, {"b32", 0x0F}}, 0xFF},
      {"xor.b64 d, a, b;", "b64", {{"b64", ~0ull}, {"b64", 0xFF}}, ~0xFFull},
      {"not.b16 d, a;", "b16", {{"b16", 0xF0F0}}, 0x0F0F},
      {"not.b64 d, a;", "b64", {{"b64", 1}}, ~1ull},
      {"cnot.b16 d, a;", "b16", {{"b16", 0}}, 1},
      {"cnot.b64 d, a;", "b64", {{"b64", 5}}, 0},
      {"shr.b16 d, a, 4;", "b16", {{"b16", 0x8000}}, 0x0800},
      {"shr.b32 d, a, 4;", "b32", {{"b32", 0x80000000}}, 0x08000000},
      {"shr.b64 d, a, 60;", "b64", {{"b64", 1ull << 63}}, 8},
      {"shr.u16 d, a, 20;", "b16", {{"b16", 0x8000}}, 0},
      {"shr.s64 d, a, 60;", "b64", {{"b64", 1ull << 63}}, ~7ull},
      {"prmt.b32.b4e d, a, b, 1;", "b32", {{"b32", 0x33221100}, {"b32", 0x77665544}}, 0x66770011},
      {"prmt.b32.rc8 d, a, b, 2;", "b32", {{"b32", 0x33221100}, {"b32", 0}}, 0x22222222},
      {"prmt.b32.ecl d, a, b, 1;", "b32", {{"b32", 0x33221100}, {"b32", 0}}, 0x33221111},
      {"prmt.b32.ecr d, a, b, 2;", "b32", {{"b32", 0x33221100}, {"b32", 0}}, 0x22221100},
      {"mov.s16 d, a;", "b16", {{"b16", 0xFFFF}}, 0xFFFF},
      {"mov.s64 d, a;", "b64", {{"b64", ~0ull}}, ~0ull},
      {"selp.b16 d, a, b, q;", "b16", {{"b16", 1}, {"b16", 2}}, 2},
      {"selp.b64 d, a, b, q;", "b64", {{"b64", 1}, {"b64", 2}}, 2},
      {"slct.b32.s32 d, a, b, c;", "b32", {{"b32", 1}, {"b32", 2}, {"b32", uint32_t(-1)}}, 2},
      {"slct.u64.s32 d, a, b, c;", "b64", {{"b64", 1}, {"b64", 2}, {"b32", 0}}, 1},
  });
}

//===-- Floats ------------------------------------------------------------------------------===//

static uint64_t f32(float value) { return std::bit_cast<uint32_t>(value); }
static uint64_t f64(double value) { return std::bit_cast<uint64_t>(value); }

namespace {
/// A result between two adjacent numbers of the format, and the modes that round it up.
struct Rounded {
  std::string opcode;
  std::vector<double> operands;
  uint64_t smaller32, smaller64;
  bool isNearestLarger32, isNearestLarger64;
};
} // namespace

static void checkRounded(const Rounded &row, bool isDouble, const std::vector<double> &operands) {
  const std::string type = isDouble ? "f64" : "f32";
  static const char *names[] = {"a", "b", "c"};
  std::vector<Input> inputs;
  std::string list = "d";
  for (size_t number = 0; number < operands.size(); ++number) {
    inputs.push_back({type, isDouble ? f64(operands[number]) : f32(float(operands[number]))});
    list += std::string(", ") + names[number];
  }
  const uint64_t smaller = isDouble ? row.smaller64 : row.smaller32;
  const bool isNearestLarger = isDouble ? row.isNearestLarger64 : row.isNearestLarger32;
  for (const std::string mode : {"rn", "rz", "rm", "rp"}) {
    const bool isLarger = mode == "rp" || (mode == "rn" && isNearestLarger);
    const std::string code = row.opcode + "." + mode + "." + type + " " + list + ";";
    EXPECT_EQ(evaluate(code, type, inputs).d, smaller + isLarger) << code;
  }
}

TEST(FloatForms, Roundings) {
  const uint64_t one32 = f32(1), one64 = f64(1);
  // 1/3 is 0.0101... in binary: the bits after the last one are 10... in f32 and 01... in f64.
  const uint64_t third32 = 0x3EAAAAAA, third64 = 0x3FD5555555555555;
  // The square root of 2 is 1.6A09E667F3BCC908B... in hexadecimal.
  const uint64_t root32 = 0x3FB504F3, root64 = 0x3FF6A09E667F3BCC;
  const Rounded third{"div", {}, third32, third64, true, false};
  const Rounded reciprocal{"rcp", {}, third32, third64, true, false};
  const Rounded root{"sqrt", {}, root32, root64, false, true};
  for (bool isDouble : {false, true}) {
    const double tiny = 0x1p-60;
    checkRounded({"add", {}, one32, one64, false, false}, isDouble, {1, tiny});
    checkRounded({"sub", {}, one32, one64, false, false}, isDouble, {1, -tiny});
    checkRounded({"fma", {}, one32, one64, false, false}, isDouble, {tiny, 1, 1});
    checkRounded(third, isDouble, {1, 3});
    checkRounded(reciprocal, isDouble, {3});
    checkRounded(root, isDouble, {2});
    // (1 + e)^2 = 1 + 2e + e^2, and e^2 is less than half a unit in the last place.
    const double e = isDouble ? 0x1p-30 : 0x1p-13;
    checkRounded({"mul", {}, f32(1 + 0x1p-12f), f64(1 + 0x1p-29), false, false}, isDouble,
                 {1 + e, 1 + e});
  }
  checkRows({{"mad.rn.f64 d, a, a, a;", "f64", {{"f64", f64(3)}}, f64(12)}});
}

TEST(FloatForms, Modifiers) {
  const uint64_t tiny = 1; // a subnormal f32
  checkRows({
      {"sub.ftz.f32 d, a, b;", "f32", {{"f32", tiny}, {"f32", f32(0)}}, 0},
      {"sub.sat.f32 d, a, b;", "f32", {{"f32", f32(3)}, {"f32", f32(1)}}, f32(1)},
      {"mul.sat.f32 d, a, b;", "f32", {{"f32", f32(3)}, {"f32", f32(-1)}}, 0},
      {"fma.rn.ftz.f32 d, a, b, c;", "f32", {{"f32", tiny}, {"f32", f32(1)}, {"f32", tiny}}, 0},
      {"fma.rn.sat.f32 d, a, b, c;",
       "f32",
       {{"f32", f32(2)}, {"f32", f32(1)}, {"f32", f32(3)}},
       f32(1)},
      {"abs.ftz.f32 d, a;", "f32", {{"f32", tiny | 1u << 31}}, 0},
      {"abs.f64 d, a;", "f64", {{"f64", f64(-2)}}, f64(2)},
      {"neg.f64 d, a;", "f64", {{"f64", f64(2)}}, f64(-2)},
      {"max.f64 d, a, b;", "f64", {{"f64", f64(-2)}, {"f64", f64(-3)}}, f64(-2)},
      {"min.xorsign.abs.f32 d, a, b;", "f32", {{"f32", f32(-2)}, {"f32", f32(3)}}, f32(-2)},
      {"max.xorsign.abs.f32 d, a, b;", "f32", {{"f32", f32(-2)}, {"f32", f32(-3)}}, f32(3)},
      {"div.approx.ftz.f32 d, a, b;", "f32", {{"f32", f32(6)}, {"f32", f32(2)}}, f32(3)},
      {"rsqrt.approx.f64 d, a;", "f64", {{"f64", f64(4)}}, f64(0.5)},
      {"rsqrt.approx.ftz.f64 d, a;", "f64", {{"f64", f64(4)}}, f64(0.5)},
      {"rsqrt.approx.ftz.f32 d, a;", "f32", {{"f32", f32(4)}}, f32(0.5)},
      {"copysign.f64 d, a, b;", "f64", {{"f64", f64(-1)}, {"f64", f64(5)}}, f64(-5)},
      {"selp.f32 d, a, b, q;", "f32", {{"f32", f32(1)}, {"f32", f32(2)}}, f32(2)},
      {"slct.f32.s32 d, a, b, c;", "f32", {{"f32", f32(1)}, {"f32", f32(2)}, {"b32", 7}}, f32(1)},
      {"slct.b32.f32 d, a, b, c;", "b32", {{"b32", 1}, {"b32", 2}, {"f32", f32(-1)}}, 2},
      {"slct.f64.f32 d, a, b, c;",
       "f64",
       {{"f64", f64(1)}, {"f64", f64(2)}, {"f32", f32(-0.0f)}},
       f64(1)},
      // 1 + 2^-11 + 2^-20 has one bit too many for tf32, which has 10 bits of mantissa.
      {"cvt.rz.tf32.f32 d, a;", "b32", {{"f32", f32(1 + 0x1p-11f + 0x1p-20f)}}, f32(1)},
  });
}

TEST(FloatForms, Of16Bits) {
  // f16: 1 is 0x3C00, 2 0x4000, 3 0x4200; bf16: 1 is 0x3F80, 2 0x4000, 3 0x4040.
  const Input h1 = {"b16", 0x3C00}, h2 = {"b16", 0x4000}, b1 = {"b16", 0x3F80},
              b2 = {"b16", 0x4000};
  const Input hh12 = {"b32", 0x3C004000}, hh2 = {"b32", 0x40004000};
  const Input bb12 = {"b32", 0x3F804000}, bb2 = {"b32", 0x40004000}, minus1 = {"b16", 0xBF80};
  const Input nan = {"b16", 0x7FFF}, nans = {"b32", 0x7FFF4000};
  checkRows({
      {"add.f16x2 d, a, b;", "b32", {hh12, hh2}, 0x42004400},
      {"add.bf16x2 d, a, b;", "b32", {bb12, bb2}, 0x40404080},
      {"sub.f16 d, a, b;", "b16", {h1, h2}, 0xBC00},
      {"sub.bf16x2 d, a, b;", "b32", {bb12, bb2}, 0xBF800000},
      {"mul.bf16 d, a, b;", "b16", {b2, b2}, 0x4080},
      {"mul.bf16x2 d, a, b;", "b32", {bb12, bb2}, 0x40004080},
      {"fma.rn.relu.f16x2 d, a, b, c;",
       "b32",
       {{"b32", 0xBC003C00}, hh2, {"b32", 0x3C003C00}},
       0x00004200},
      {"fma.rn.relu.bf16 d, a, b, c;", "b16", {minus1, b2, b1}, 0},
      {"abs.f16 d, a;", "b16", {{"b16", 0xBC00}}, 0x3C00},
      {"abs.f16x2 d, a;", "b32", {{"b32", 0xBC003C00}}, 0x3C003C00},
      {"abs.bf16 d, a;", "b16", {minus1}, 0x3F80},
      {"neg.f16 d, a;", "b16", {h1}, 0xBC00},
      {"neg.bf16 d, a;", "b16", {b1}, 0xBF80},
      {"neg.bf16x2 d, a;", "b32", {bb12}, 0xBF80C000},
      {"min.f16x2 d, a, b;", "b32", {hh12, hh2}, 0x3C004000},
      {"min.bf16 d, a, b;", "b16", {b1, b2}, 0x3F80},
      {"min.bf16x2 d, a, b;", "b32", {bb12, bb2}, 0x3F804000},
      {"max.f16 d, a, b;", "b16", {h1, h2}, 0x4000},
      {"max.bf16x2 d, a, b;", "b32", {bb12, bb2}, 0x40004000},
      {"min.NaN.f16 d, a, b;", "b16", {h1, nan}, 0x7FFF},
      {"max.NaN.f16 d, a, b;", "b16", {nan, h1}, 0x7FFF},
      {"min.NaN.bf16 d, a, b;", "b16", {b1, nan}, 0x7FFF},
      {"min.NaN.f16x2 d, a, b;", "b32", {nans, hh2}, 0x7FFF4000},
      {"max.NaN.f16x2 d, a, b;", "b32", {nans, hh12}, 0x7FFF4000},
      {"min.NaN.bf16x2 d, a, b;", "b32", {nans, bb2}, 0x7FFF4000},
      {"max.NaN.bf16x2 d, a, b;", "b32", {nans, bb2}, 0x7FFF4000},
      {"ex2.approx.ftz.bf16x2 d, a;", "b32", {bb12}, 0x40004080},
      {"tanh.approx.f16x2 d, a;", "b32", {{"b32", 0x7C00FC00}}, 0x3C00BC00},
      {"tanh.approx.bf16 d, a;", "b16", {{"b16", 0x7F80}}, 0x3F80},
      {"tanh.approx.bf16x2 d, a;", "b32", {{"b32", 0xFF800000}}, 0xBF800000},
  });
}

TEST(FloatForms, Predicates) {
  const auto isTrue = [](const std::string &code, const std::vector<Input> &inputs) {
    return evaluate(code, "b32", inputs).p;
  };
  const std::string zero = "mov.b32 d, 0;\n";
  const Input one = {"f64", f64(1)}, infinite = {"f32", 0x7F800000}, nan = {"f32", 0x7FFFFFFF};
  EXPECT_TRUE(isTrue(zero + "testp.finite.f64 p, a;", {one}));
  EXPECT_TRUE(isTrue(zero + "testp.infinite.f32 p, a;", {infinite}));
  EXPECT_TRUE(isTrue(zero + "testp.number.f64 p, a;", {one}));
  EXPECT_TRUE(isTrue(zero + "testp.notanumber.f32 p, a;", {nan}));
  EXPECT_TRUE(isTrue(zero + "testp.subnormal.f64 p, a;", {{"f64", 1}}));
  EXPECT_FALSE(isTrue(zero + "testp.subnormal.f64 p, a;", {one}));
  // 2 before 3, as integers and as floats; a NaN and a number.
  const std::vector<Input> whole = {{"b32", 2}, {"b32", 3}};
  for (const std::string name : {"ne.s32", "le.s32", "ls.u32"})
    EXPECT_TRUE(isTrue(zero + "setp." + name + " p, a, b;", whole)) << name;
  for (const std::string name : {"gt.s32", "ge.s32", "hi.u32", "hs.u32"}) {
    EXPECT_FALSE(isTrue(zero + "setp." + name + " p, a, b;", whole)) << name;
    EXPECT_TRUE(isTrue(zero + "setp." + name + " p, b, a;", whole)) << name;
  }
  const std::vector<Input> single = {{"f32", f32(2)}, {"f32", f32(3)}, nan};
  for (const std::string name : {"equ", "leu", "gtu", "geu", "nan"})
    EXPECT_TRUE(isTrue(zero + "setp." + name + ".f32 p, a, c;", single)) << name;
  EXPECT_TRUE(isTrue(zero + "setp.leu.f32 p, a, b;", single));
  for (const std::string name : {"equ", "gtu", "geu", "nan"})
    EXPECT_FALSE(isTrue(zero + "setp." + name + ".f32 p, a, b;", single)) << name;
  // bf16: (1, 2) and (2, 2) are equal only in the second element.
  EXPECT_FALSE(isTrue(zero + ".reg .pred t;\nsetp.eq.bf16x2 t|p, a, b;",
                      {{"b32", 0x3F804000}, {"b32", 0x40004000}}));
  EXPECT_TRUE(isTrue(zero + ".reg .pred t;\nsetp.eq.bf16x2 p|t, a, b;",
                     {{"b32", 0x3F804000}, {"b32", 0x40004000}}));
  EXPECT_TRUE(isTrue(zero + "setp.eq.u32 p, d, d;\nor.pred p, p, q;", {}));
  EXPECT_FALSE(isTrue(zero + "setp.eq.u32 p, d, d;\nxor.pred p, p, p;", {}));
}

TEST(FloatForms, SetsOfEachType) {
  const Input two = {"b32", 2}, three = {"b32", 3};
  const Input two64 = {"f64", f64(2)}, three64 = {"f64", f64(3)};
  const Input two32 = {"f32", f32(2)}, three32 = {"f32", f32(3)};
  checkRows({
      {"set.lt.u32.u32 d, a, b;", "b32", {two, three}, 0xFFFFFFFF},
      {"set.gt.s32.s32 d, a, b;", "b32", {two, three}, 0},
      {"set.lt.u32.f64 d, a, b;", "b32", {two64, three64}, 0xFFFFFFFF},
      {"set.lt.s32.f64 d, a, b;", "b32", {two64, three64}, 0xFFFFFFFF},
      {"set.lt.f32.f32 d, a, b;", "f32", {two32, three32}, f32(1)},
      {"set.gt.f32.f64 d, a, b;", "f32", {two64, three64}, 0},
  });
}
