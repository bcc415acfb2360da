// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of sm_100 and later: .f32x2, mixed precision, three operands, fma.oob, redux of f32;
// and vmad. Values computed by hand from the manual.

#include "tilewright/ptx/Testing.h"

#include <bit>
#include <cmath>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

static uint64_t f32(float value) { return std::bit_cast<uint32_t>(value); }
static uint64_t both(float lower, float upper) { return f32(lower) | f32(upper) << 32; }

static constexpr uint64_t nan32 = 0x7FFFFFFF;

TEST(MixedFloats, TwoInARegister) {
  const std::vector<Input> two = {{"b64", both(1, 2)}, {"b64", both(0.5f, -2)}};
  const std::vector<Input> three = {two[0], two[1], {"b64", both(1, 2)}};
  // 1 + 1.5 * 2^-24 is between 1 and the next f32, and closer to the latter.
  const std::vector<Input> inexact = {{"b64", both(1, -1)}, {"b64", both(0x1.8p-24f, -0x1.8p-24f)}};
  const float next = std::nextafter(1.0f, 2.0f);
  checkRows({
      {"add.f32x2 d, a, b;", "b64", two, both(1.5f, 0)},
      {"sub.rn.f32x2 d, a, b;", "b64", two, both(0.5f, 4)},
      {"mul.f32x2 d, a, b;", "b64", two, both(0.5f, -4)},
      {"fma.rn.f32x2 d, a, b, c;", "b64", three, both(1.5f, -2)},
      {"add.rn.f32x2 d, a, b;", "b64", inexact, both(next, -next)},
      {"add.rz.f32x2 d, a, b;", "b64", inexact, both(1, -1)},
      {"add.rm.f32x2 d, a, b;", "b64", inexact, both(1, -next)},
      {"add.rp.f32x2 d, a, b;", "b64", inexact, both(next, -1)},
      {"add.ftz.f32x2 d, a, b;", "b64", {{"b64", 1ull << 32 | 1}, {"b64", both(0, 1)}}, both(0, 1)},
      {"mul.rn.ftz.f32x2 d, a, b;",
       "b64",
       {{"b64", both(0x1p-100f, 3)}, {"b64", both(0x1p-40f, 2)}},
       both(0, 6)},
  });
}

TEST(MixedFloats, OperandsOf16Bits) {
  // 1.5 and 2 in f16 are 0x3E00 and 0x4000, in bf16 0x3FC0 and 0x4000.
  checkRows({
      {"add.f32.f16 d, a, b;", "f32", {{"b16", 0x3E00}, {"f32", f32(2.25f)}}, f32(3.75f)},
      {"add.rz.sat.f32.f16 d, a, b;", "f32", {{"b16", 0x3E00}, {"f32", f32(2.25f)}}, f32(1)},
      {"add.f32.bf16 d, a, b;", "f32", {{"b16", 0x3FC0}, {"f32", f32(2.25f)}}, f32(3.75f)},
      {"sub.f32.f16 d, a, b;", "f32", {{"b16", 0x3E00}, {"f32", f32(2.25f)}}, f32(-0.75f)},
      {"sub.f32.bf16 d, a, b;", "f32", {{"b16", 0x3FC0}, {"f32", f32(2.25f)}}, f32(-0.75f)},
      {"fma.rn.f32.f16 d, a, b, c;",
       "f32",
       {{"b16", 0x3E00}, {"b16", 0x4000}, {"f32", f32(0.25f)}},
       f32(3.25f)},
      {"fma.rp.f32.bf16 d, a, b, c;",
       "f32",
       {{"b16", 0x3FC0}, {"b16", 0x4000}, {"f32", f32(0x1p-40f)}},
       f32(std::nextafter(3.0f, 4.0f))},
      {"add.f32.f16 d, a, b;", "f32", {{"b16", 0x7E00}, {"f32", f32(1)}}, nan32},
  });
  EXPECT_NE(refusalOf("mul.f32.f16 %f1, %h1, %f2;").find("not supported"), std::string::npos);
}

TEST(MixedFloats, OutOfBoundsNanIsZero) {
  // 0x3C00 is 1 and 0x4000 is 2 in f16; 0x3F80 is 1 in bf16.
  const Input one = {"b16", 0x3C00}, outside = {"b16", 0x7FF7}, pair = {"b32", 0x3C003C00};
  checkRows({
      {"fma.rn.oob.f16 d, a, b, c;", "b16", {one, one, one}, 0x4000},
      {"fma.rn.oob.f16 d, a, b, c;", "b16", {outside, one, one}, 0},
      {"fma.rn.oob.f16 d, a, b, c;", "b16", {one, outside, one}, 0},
      {"fma.rn.oob.f16 d, a, b, c;", "b16", {one, {"b16", 0xFFF7}, one}, 0},
      {"fma.rn.oob.f16 d, a, b, c;", "b16", {one, one, outside}, 0x7FFF},
      {"fma.rn.oob.f16 d, a, b, c;", "b16", {one, {"b16", 0x7FFF}, one}, 0x7FFF},
      {"fma.rn.oob.f16 d, a, b, c;", "b16", {{"b16", 0x7E00}, one, one}, 0x7FFF},
      {"fma.rn.oob.relu.f16 d, a, b, c;", "b16", {{"b16", 0xC000}, one, one}, 0},
      {"fma.rn.oob.f16x2 d, a, b, c;", "b32", {{"b32", 0x7FF73C00}, pair, pair}, 0x00004000},
      {"fma.rn.oob.bf16 d, a, b, c;", "b16", {outside, {"b16", 0x3F80}, {"b16", 0x3F80}}, 0},
      {"fma.rn.oob.relu.bf16x2 d, a, b, c;",
       "b32",
       {{"b32", 0x3F807FF7}, {"b32", 0x3F803F80}, {"b32", 0x3F803F80}},
       0x40000000},
  });
}

TEST(MixedFloats, SmallestAndLargestOfThree) {
  const std::vector<Input> some = {{"f32", f32(1)}, {"f32", f32(-3)}, {"f32", f32(2)}};
  const std::vector<Input> withNan = {{"f32", nan32}, {"f32", f32(-3)}, {"f32", f32(2)}};
  const std::vector<Input> small = {{"f32", 1}, {"f32", f32(-0.0f)}, {"f32", 2}};
  checkRows({
      {"max.f32 d, a, b, c;", "f32", some, f32(2)},
      {"min.f32 d, a, b, c;", "f32", some, f32(-3)},
      {"max.abs.f32 d, a, b, c;", "f32", some, f32(3)},
      {"min.abs.f32 d, a, b, c;", "f32", some, f32(1)},
      {"max.f32 d, a, b, c;", "f32", withNan, f32(2)},
      {"min.NaN.f32 d, a, b, c;", "f32", withNan, nan32},
      {"max.NaN.abs.f32 d, b, c, a;", "f32", withNan, nan32},
      {"max.ftz.f32 d, a, b, c;", "f32", small, 0},
      {"min.ftz.NaN.abs.f32 d, a, b, c;", "f32", small, 0},
  });
}

/// The redux result in all lanes, whose values are -10 to 21; lane 3 has the bits of `third`.
static uint64_t reduced(const std::string &form, uint64_t third) {
  Kernel kernel(header() +
                ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
                ".reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n.reg .f32 %f<3>;\n"
                "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [in];\n"
                "mov.u32 %r1, %laneid;\nmad.wide.u32 %rd2, %r1, 4, %rd2;\n"
                "mad.wide.u32 %rd1, %r1, 4, %rd1;\nld.global.f32 %f1, [%rd2];\n" +
                "redux.sync." + form + ".f32 %f2, %f1, -1;\nst.global.f32 [%rd1], %f2;\nret;\n}\n");
  Region &out = kernel.array(std::vector<uint32_t>(32));
  std::vector<uint32_t> values;
  for (int lane = 0; lane < 32; ++lane)
    values.push_back(lane == 3 ? uint32_t(third) : std::bit_cast<uint32_t>(float(lane - 10)));
  kernel.array(values);
  kernel.launch.block = {32, 1, 1};
  EXPECT_TRUE(kernel.run().empty());
  const auto results = Kernel::values<uint32_t>(out);
  for (uint32_t result : results)
    EXPECT_EQ(result, results[0]);
  return results[0];
}

TEST(MixedFloats, ReductionsOfAWarp) {
  EXPECT_EQ(reduced("min", f32(-7)), f32(-10));
  EXPECT_EQ(reduced("max", f32(-7)), f32(21));
  EXPECT_EQ(reduced("min.abs", f32(-7)), f32(0));
  EXPECT_EQ(reduced("max.abs", f32(-50)), f32(50));
  EXPECT_EQ(reduced("max", nan32), f32(21));
  EXPECT_EQ(reduced("max.NaN", nan32), nan32);
  EXPECT_EQ(reduced("min.abs.NaN", nan32), nan32);
  EXPECT_EQ(reduced("max.abs.NaN", f32(-50)), f32(50));
}

TEST(Video, MultiplyAdd) {
  const std::vector<Input> small = {{"b32", 3}, {"b32", 4}, {"b32", 5}};
  const std::vector<Input> large = {{"b32", UINT32_MAX}, {"b32", 2}, {"b32", 0}};
  const std::vector<Input> parts = {{"b32", 0x0000FF00}, {"b32", 0x00050000}, {"b32", 1}};
  checkRows({
      {"vmad.s32.s32.s32 d, a, b, c;", "b32", small, 17},
      {"vmad.s32.s32.s32 d, a, b, -c;", "b32", small, 7},
      {"vmad.s32.s32.s32 d, -a, b, c;", "b32", small, uint32_t(-7)},
      {"vmad.s32.s32.s32 d, -a, -b, c;", "b32", small, 17},
      {"vmad.u32.u32.u32.po d, a, b, c;", "b32", small, 18},
      {"vmad.u32.u32.u32 d, a, b, c;", "b32", large, 0xFFFFFFFE},
      {"vmad.u32.u32.u32.sat d, a, b, c;", "b32", large, 0xFFFFFFFF},
      {"vmad.s32.u32.u32.shr7 d, a, b, c;", "b32", {{"b32", 100}, {"b32", 3}, {"b32", 84}}, 3},
      {"vmad.s32.s32.s32.sat.shr15 d, a, b, c;",
       "b32",
       {{"b32", 0x80000000}, {"b32", 0x7FFFFFFF}, {"b32", 0}},
       0x80000000},
      {"vmad.s32.s32.s32 d, a.b1, b.h1, c;", "b32", parts, uint32_t(-4)},
      {"vmad.u32.u32.u32 d, a.b1, b.h1, c;", "b32", parts, 1276},
  });
  EXPECT_NE(refusalOf("vmad.u32.u32.u32.po %r1, -%r2, %r3, %r4;").find(".po"), std::string::npos);
  EXPECT_NE(refusalOf("add.u32 %r1, -%r2, %r3;").find("negated"), std::string::npos);
}
