// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float arithmetic, comparisons and conversions; values come from the manual or were computed by
// hand.

#include "tilewright/ptx/Testing.h"

#include <bit>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

static uint64_t f32(float value) { return std::bit_cast<uint32_t>(value); }
static uint64_t f64(double value) { return std::bit_cast<uint64_t>(value); }

TEST(Floats, RoundAndFlush) {
  const uint64_t nan = 0x7FFFFFFF, tiny = 1;
  checkRows({
      {"add.f32 d, a, b;", "f32", {{"f32", f32(1)}, {"f32", f32(0x1p-24f)}}, f32(1)},
      {"add.rp.f32 d, a, b;", "f32", {{"f32", f32(1)}, {"f32", f32(0x1p-24f)}}, f32(1 + 0x1p-23f)},
      {"add.rz.f32 d, a, b;", "f32", {{"f32", f32(1)}, {"f32", f32(-0x1p-26f)}}, f32(1 - 0x1p-24f)},
      {"add.f32 d, a, b;", "f32", {{"f32", f32(HUGE_VALF)}, {"f32", f32(-HUGE_VALF)}}, nan},
      {"add.ftz.f32 d, a, b;", "f32", {{"f32", tiny}, {"f32", tiny}}, 0},
      {"add.f32 d, a, b;", "f32", {{"f32", tiny}, {"f32", tiny}}, 2},
      {"add.sat.f32 d, a, b;", "f32", {{"f32", f32(3)}, {"f32", f32(3)}}, f32(1)},
      {"add.sat.f32 d, a, b;", "f32", {{"f32", nan}, {"f32", f32(3)}}, 0},
      {"sub.f32 d, a, b;", "f32", {{"f32", f32(3)}, {"f32", f32(5)}}, f32(-2)},
      {"mul.f32 d, a, 0f40000000;", "f32", {{"f32", f32(-3)}}, f32(-6)},
      {"mul.ftz.f32 d, a, b;",
       "f32",
       {{"f32", f32(-0x1p-100f)}, {"f32", f32(0x1p-40f)}},
       f32(-0.0f)},
      {"fma.rn.f32 d, a, b, c;",
       "f32",
       {{"f32", f32(1 + 0x1p-12f)}, {"f32", f32(1 + 0x1p-12f)}, {"f32", f32(-1)}},
       f32(0x1p-11f + 0x1p-24f)},
      {"fma.rm.f32 d, a, b, c;",
       "f32",
       {{"f32", f32(1)}, {"f32", f32(1)}, {"f32", f32(-0x1p-30f)}},
       f32(1 - 0x1p-24f)},
      {"mad.rn.f32 d, a, b, c;",
       "f32",
       {{"f32", f32(2)}, {"f32", f32(3)}, {"f32", f32(4)}},
       f32(10)},
      {"div.rn.f32 d, a, b;", "f32", {{"f32", f32(1)}, {"f32", f32(3)}}, 0x3EAAAAAB},
      {"div.rz.f32 d, a, b;", "f32", {{"f32", f32(1)}, {"f32", f32(3)}}, 0x3EAAAAAA},
      {"div.full.f32 d, a, b;", "f32", {{"f32", f32(6)}, {"f32", f32(3)}}, f32(2)},
      {"div.approx.f32 d, a, b;", "f32", {{"f32", f32(1)}, {"f32", f32(0x1p127f)}}, 0},
      {"rcp.rn.f32 d, a;", "f32", {{"f32", f32(3)}}, 0x3EAAAAAB},
      {"rcp.approx.ftz.f32 d, a;", "f32", {{"f32", tiny}}, 0x7F800000},
      {"sqrt.rn.f32 d, a;", "f32", {{"f32", f32(2)}}, 0x3FB504F3},
      {"sqrt.rp.f32 d, a;", "f32", {{"f32", f32(2)}}, 0x3FB504F4},
      {"sqrt.approx.f32 d, a;", "f32", {{"f32", f32(-1)}}, nan},
      {"rsqrt.approx.f32 d, a;", "f32", {{"f32", f32(4)}}, f32(0.5)},
      {"ex2.approx.ftz.f32 d, a;", "f32", {{"f32", f32(-3)}}, f32(0.125)},
      {"lg2.approx.f32 d, a;", "f32", {{"f32", f32(8)}}, f32(3)},
      {"sin.approx.f32 d, a;", "f32", {{"f32", f32(-0.0f)}}, f32(-0.0f)},
      {"cos.approx.f32 d, a;", "f32", {{"f32", f32(0)}}, f32(1)},
      {"tanh.approx.f32 d, a;", "f32", {{"f32", f32(100)}}, f32(1)},
      {"abs.f32 d, a;", "f32", {{"f32", f32(-2)}}, f32(2)},
      {"neg.ftz.f32 d, a;", "f32", {{"f32", tiny}}, f32(-0.0f)},
      {"min.f32 d, a, b;", "f32", {{"f32", nan}, {"f32", f32(3)}}, f32(3)},
      {"min.NaN.f32 d, a, b;", "f32", {{"f32", 0x7FC00001}, {"f32", f32(3)}}, nan},
      {"max.f32 d, a, b;", "f32", {{"f32", f32(-0.0f)}, {"f32", f32(0)}}, 0},
      {"min.f32 d, a, b;", "f32", {{"f32", f32(0)}, {"f32", f32(-0.0f)}}, 0x80000000},
      {"copysign.f32 d, a, b;", "f32", {{"f32", f32(-1)}, {"f32", f32(5)}}, f32(-5)},
      {"add.rn.f64 d, a, b;", "f64", {{"f64", f64(1)}, {"f64", f64(0x1p-53)}}, f64(1)},
      {"add.rp.f64 d, a, b;", "f64", {{"f64", f64(1)}, {"f64", f64(0x1p-53)}}, f64(1 + 0x1p-52)},
      {"mul.f64 d, a, 0d4008000000000000;", "f64", {{"f64", f64(2)}}, f64(6)},
      {"fma.rn.f64 d, a, b, c;",
       "f64",
       {{"f64", f64(1 + 0x1p-30)}, {"f64", f64(1 + 0x1p-30)}, {"f64", f64(-1)}},
       f64(0x1p-29 + 0x1p-60)},
      {"div.rn.f64 d, a, b;", "f64", {{"f64", f64(1)}, {"f64", f64(3)}}, 0x3FD5555555555555},
      {"sqrt.rn.f64 d, a;", "f64", {{"f64", f64(2)}}, 0x3FF6A09E667F3BCD},
      {"rcp.approx.ftz.f64 d, a;", "f64", {{"f64", f64(4)}}, f64(0.25)},
      {"min.f64 d, a, b;", "f64", {{"f64", f64(4)}, {"f64", f64(-4)}}, f64(-4)},
  });
}

TEST(Floats, ScalarAndPackedHalfPrecision) {
  // f16: 1 = 3C00, 2 = 4000, 3 = 4200, 0.5 = 3800, 65504 = 7BFF. bf16: 1 = 3F80, 2 = 4000, 3 =
  // 4040.
  checkRows({
      {"add.f16 d, a, b;", "b16", {{"b16", 0x3C00}, {"b16", 0x4000}}, 0x4200},
      {"add.f16 d, a, b;", "b16", {{"b16", 0x7BFF}, {"b16", 0x7BFF}}, 0x7C00},
      {"add.sat.f16 d, a, b;", "b16", {{"b16", 0x7BFF}, {"b16", 0x7BFF}}, 0x3C00},
      {"sub.f16x2 d, a, b;", "b32", {{"b32", 0x3C004200}, {"b32", 0x3C003C00}}, 0x00004000},
      {"mul.f16x2 d, a, b;", "b32", {{"b32", 0x40003800}, {"b32", 0x40004000}}, 0x44003C00},
      {"mul.ftz.f16 d, a, b;", "b16", {{"b16", 0x0001}, {"b16", 0x3C00}}, 0},
      {"fma.rn.f16 d, a, b, c;",
       "b16",
       {{"b16", 0x4000}, {"b16", 0x4200}, {"b16", 0x3C00}},
       0x4700},
      {"fma.rn.relu.f16 d, a, b, c;",
       "b16",
       {{"b16", 0x4000}, {"b16", 0xC200}, {"b16", 0x3C00}},
       0},
      {"fma.rn.f16x2 d, a, b, c;",
       "b32",
       {{"b32", 0x40003C00}, {"b32", 0x42003C00}, {"b32", 0x3C003C00}},
       0x47004000},
      {"fma.rn.bf16 d, a, b, c;",
       "b16",
       {{"b16", 0x4000}, {"b16", 0x4040}, {"b16", 0x3F80}},
       0x40E0},
      {"fma.rn.bf16x2 d, a, b, c;",
       "b32",
       {{"b32", 0x40003F80}, {"b32", 0x40403F80}, {"b32", 0x3F803F80}},
       0x40E04000},
      {"add.rn.bf16 d, a, b;", "b16", {{"b16", 0x3F80}, {"b16", 0x4000}}, 0x4040},
      // 1 + 2^-8 is a tie between 1 and 1 + 2^-7: rounds to even.
      {"add.rn.bf16 d, a, b;", "b16", {{"b16", 0x3F80}, {"b16", 0x3B80}}, 0x3F80},
      {"max.f16x2 d, a, b;", "b32", {{"b32", 0x3C007E00}, {"b32", 0x40003C00}}, 0x40003C00},
      {"max.NaN.bf16 d, a, b;", "b16", {{"b16", 0x7FC0}, {"b16", 0x3F80}}, 0x7FFF},
      {"min.xorsign.abs.f16 d, a, b;", "b16", {{"b16", 0xC200}, {"b16", 0x4000}}, 0xC000},
      {"neg.f16x2 d, a;", "b32", {{"b32", 0x3C00BC00}}, 0xBC003C00},
      {"abs.bf16x2 d, a;", "b32", {{"b32", 0xBF803F80}}, 0x3F803F80},
      {"ex2.approx.f16 d, a;", "b16", {{"b16", 0x4200}}, 0x4800},
      {"ex2.approx.f16x2 d, a;", "b32", {{"b32", 0x42003C00}}, 0x48004000},
      {"ex2.approx.ftz.bf16 d, a;", "b16", {{"b16", 0x4000}}, 0x4080},
      {"tanh.approx.f16 d, a;", "b16", {{"b16", 0}}, 0},
  });
}

TEST(Compare, OrderedAndUnordered) {
  const uint64_t nan = 0x7FC00000;
  struct Compared {
    const char *code;
    std::vector<Input> inputs;
    bool expected;
  };
  const std::vector<Compared> rows = {
      {"setp.lt.s32 p, a, b;", {{"b32", uint32_t(-1)}, {"b32", 1}}, true},
      {"setp.lt.u32 p, a, b;", {{"b32", uint32_t(-1)}, {"b32", 1}}, false},
      {"setp.lo.u32 p, a, b;", {{"b32", 1}, {"b32", uint32_t(-1)}}, true},
      {"setp.hs.u64 p, a, b;", {{"b64", 1}, {"b64", 1}}, true},
      {"setp.ne.b16 p, a, b;", {{"b16", 1}, {"b16", 2}}, true},
      {"setp.eq.f32 p, a, b;", {{"f32", nan}, {"f32", nan}}, false},
      {"setp.ne.f32 p, a, b;", {{"f32", nan}, {"f32", 0}}, false},
      {"setp.neu.f32 p, a, b;", {{"f32", nan}, {"f32", 0}}, true},
      {"setp.ltu.f32 p, a, b;", {{"f32", nan}, {"f32", 0}}, true},
      {"setp.num.f32 p, a, b;", {{"f32", 0}, {"f32", 0}}, true},
      {"setp.nan.f64 p, a, b;", {{"f64", 0}, {"f64", ~0ull}}, true},
      {"setp.eq.f32 p, a, b;", {{"f32", 0x80000000}, {"f32", 0}}, true},
      {"setp.eq.ftz.f32 p, a, b;", {{"f32", 1}, {"f32", 0}}, true},
      {"setp.gt.f16 p, a, b;", {{"b16", 0x4000}, {"b16", 0x3C00}}, true},
      {"setp.gt.bf16 p, a, b;", {{"b16", 0x3F80}, {"b16", 0x4000}}, false},
      {"setp.eq.and.s32 p, a, b, c;", {{"b32", 1}, {"b32", 1}, {"pred", 0}}, false},
      {"setp.eq.or.s32 p, a, b, !c;", {{"b32", 1}, {"b32", 2}, {"pred", 0}}, true},
      {"setp.eq.xor.s32 p, a, b, c;", {{"b32", 1}, {"b32", 1}, {"pred", 1}}, false},
      // The second predicate is the negation.
      {"setp.eq.s32 q|p, a, b;", {{"b32", 1}, {"b32", 2}}, true},
      {"setp.eq.and.s32 q|p, a, b, c;", {{"b32", 1}, {"b32", 2}, {"pred", 0}}, false},
      // Each half has its own predicate.
      {"setp.lt.f16x2 q|p, a, b;", {{"b32", 0x3C004000}, {"b32", 0x40003C00}}, true},
      {"testp.finite.f32 p, a;", {{"f32", nan}}, false},
      {"testp.subnormal.f32 p, a;", {{"f32", 1}}, true},
      {"testp.normal.f32 p, a;", {{"f32", 1}}, false},
      {"testp.normal.f32 p, a;", {{"f32", 0x80000000}}, true},
      {"testp.normal.f64 p, a;", {{"f64", f64(1)}}, true},
      {"testp.infinite.f64 p, a;", {{"f64", f64(-HUGE_VAL)}}, true},
      {"testp.number.f32 p, a;", {{"f32", nan}}, false},
      {"testp.notanumber.f64 p, a;", {{"f64", f64(1)}}, false},
      {"and.pred p, a, b;", {{"pred", 1}, {"pred", 0}}, false},
      {"not.pred p, a;", {{"pred", 0}}, true},
      {"mov.pred p, a;", {{"pred", 1}}, true},
  };
  for (const Compared &row : rows)
    EXPECT_EQ(evaluate("mov.b32 d, 0;\n" + std::string(row.code), "b32", row.inputs).p,
              row.expected)
        << row.code;
  checkRows({
      {"set.eq.u32.f32 d, a, b;", "b32", {{"f32", 0}, {"f32", 0x80000000}}, 0xFFFFFFFF},
      {"set.lt.f32.s32 d, a, b;", "f32", {{"b32", 1}, {"b32", 2}}, f32(1)},
      {"set.lt.u32.s32 d, a, b;", "b32", {{"b32", 3}, {"b32", 2}}, 0},
      {"set.gt.f16x2.f16x2 d, a, b;",
       "b32",
       {{"b32", 0x40003C00}, {"b32", 0x3C003C00}},
       0x3C000000},
      {"set.gt.f16.f16 d, a, b;", "b16", {{"b16", 0x4000}, {"b16", 0x3C00}}, 0x3C00},
      {"set.gt.bf16.bf16 d, a, b;", "b16", {{"b16", 0x4000}, {"b16", 0x3F80}}, 0x3F80},
      {"set.gt.f16.f32 d, a, b;", "b16", {{"f32", f32(2)}, {"f32", f32(1)}}, 0x3C00},
      {"set.gt.u16.f16 d, a, b;", "b16", {{"b16", 0x4000}, {"b16", 0x3C00}}, 0xFFFF},
      {"set.gt.s32.bf16 d, a, b;", "b32", {{"b16", 0x4000}, {"b16", 0x3F80}}, 0xFFFFFFFF},
      {"set.lt.u32.f16x2 d, a, b;", "b32", {{"b32", 0x40003C00}, {"b32", 0x3C004000}}, 0x0000FFFF},
      {"set.gt.and.f16x2.f16x2 d, a, b, c;",
       "b32",
       {{"b32", 0x40003C00}, {"b32", 0x3C003C00}, {"pred", 0}},
       0},
      {"set.eq.xor.bf16x2.bf16x2 d, a, b, c;",
       "b32",
       {{"b32", 0x40003C00}, {"b32", 0x3C003C00}, {"pred", 1}},
       0x3F800000},
      {"selp.b32 d, a, b, c;", "b32", {{"b32", 5}, {"b32", 6}, {"pred", 1}}, 5},
      {"selp.f64 d, a, b, c;", "f64", {{"f64", f64(1)}, {"f64", f64(2)}, {"pred", 0}}, f64(2)},
      {"slct.u32.s32 d, a, b, c;", "b32", {{"b32", 5}, {"b32", 6}, {"b32", uint32_t(-1)}}, 6},
      {"slct.f32.f32 d, a, b, c;",
       "f32",
       {{"f32", f32(5)}, {"f32", f32(6)}, {"f32", f32(-0.0f)}},
       f32(5)},
  });
}

TEST(Convert, IntegersAndFloats) {
  const uint64_t nan = 0x7FC00000, inf = 0x7F800000;
  checkRows({
      {"cvt.s64.s32 d, a;", "b64", {{"b32", uint32_t(-2)}}, uint64_t(-2)},
      {"cvt.u64.u32 d, a;", "b64", {{"b32", uint32_t(-2)}}, 0xFFFFFFFE},
      {"cvt.u32.u64 d, a;", "b32", {{"b64", 0x123456789}}, 0x23456789},
      {"cvt.s32.s8 d, a;", "b32", {{"b32", 0x1FF}}, 0xFFFFFFFF},
      {"cvt.u32.u8 d, a;", "b32", {{"b32", 0x1FF}}, 0xFF},
      {"cvt.s16.s8 d, a;", "b16", {{"b16", 0x80}}, 0xFF80},
      {"cvt.u8.u32 d, a;", "b32", {{"b32", 0x1234}}, 0x34},
      {"cvt.s8.s32 d, a;", "b32", {{"b32", 0x80}}, 0xFFFFFF80},
      {"cvt.sat.u8.s32 d, a;", "b32", {{"b32", uint32_t(-5)}}, 0},
      {"cvt.sat.u8.s32 d, a;", "b32", {{"b32", 300}}, 255},
      {"cvt.sat.s8.s32 d, a;", "b32", {{"b32", uint32_t(-300)}}, 0xFFFFFF80},
      {"cvt.rn.f32.s32 d, a;", "f32", {{"b32", uint32_t(-3)}}, f32(-3)},
      {"cvt.rn.f32.u32 d, a;", "f32", {{"b32", 0xFFFFFFFF}}, f32(0x1p32f)},
      {"cvt.rz.f32.u32 d, a;", "f32", {{"b32", 0xFFFFFFFF}}, 0x4F7FFFFF},
      {"cvt.rm.f32.s64 d, a;", "f32", {{"b64", uint64_t(-16777217)}}, f32(-16777218.0f)},
      {"cvt.rp.f64.u64 d, a;", "f64", {{"b64", (1ull << 53) + 1}}, f64(0x1p53 + 2)},
      {"cvt.rn.f64.s64 d, a;", "f64", {{"b64", 1ull << 63}}, f64(-0x1p63)},
      {"cvt.rn.f16.s32 d, a;", "b16", {{"b32", 2049}}, 0x6800},
      {"cvt.rn.f16.u64 d, a;", "b16", {{"b64", 100000}}, 0x7C00},
      {"cvt.rni.s32.f32 d, a;", "b32", {{"f32", f32(2.5f)}}, 2},
      {"cvt.rzi.s32.f32 d, a;", "b32", {{"f32", f32(-2.9f)}}, uint32_t(-2)},
      {"cvt.rmi.s32.f32 d, a;", "b32", {{"f32", f32(-2.1f)}}, uint32_t(-3)},
      {"cvt.rpi.u32.f32 d, a;", "b32", {{"f32", f32(2.1f)}}, 3},
      {"cvt.rzi.s32.f32 d, a;", "b32", {{"f32", nan}}, 0},
      // From an f64 or to 64 bits, a NaN becomes the number with only the highest bit set.
      {"cvt.rzi.s32.f64 d, a;", "b32", {{"f64", 0x7FF8000000000000}}, 0x80000000},
      {"cvt.rzi.u32.f64 d, a;", "b32", {{"f64", 0x7FF8000000000000}}, 0x80000000},
      {"cvt.rzi.s64.f32 d, a;", "b64", {{"f32", nan}}, 1ull << 63},
      {"cvt.rzi.u64.f16 d, a;", "b64", {{"b16", 0x7E00}}, 1ull << 63},
      {"cvt.rzi.u16.f16 d, a;", "b16", {{"b16", 0x7E00}}, 0},
      {"cvt.rzi.s32.f32 d, a;", "b32", {{"f32", inf}}, 0x7FFFFFFF},
      {"cvt.rzi.u32.f32 d, a;", "b32", {{"f32", f32(-1)}}, 0},
      {"cvt.rzi.u64.f64 d, a;", "b64", {{"f64", f64(0x1p64)}}, ~0ull},
      {"cvt.rzi.s64.f64 d, a;", "b64", {{"f64", f64(-0x1p63)}}, 1ull << 63},
      {"cvt.rzi.s8.f32 d, a;", "b32", {{"f32", f32(-200)}}, 0xFFFFFF80},
      {"cvt.f64.f32 d, a;", "f64", {{"f32", f32(1.5f)}}, f64(1.5)},
      {"cvt.rn.f32.f64 d, a;", "f32", {{"f64", f64(1 + 0x1p-24)}}, f32(1)},
      {"cvt.rp.f32.f64 d, a;", "f32", {{"f64", f64(1 + 0x1p-24)}}, f32(1 + 0x1p-23f)},
      {"cvt.rn.ftz.f32.f64 d, a;", "f32", {{"f64", f64(0x1p-130)}}, 0},
      {"cvt.rni.f32.f32 d, a;", "f32", {{"f32", f32(3.5f)}}, f32(4)},
      {"cvt.sat.f32.f32 d, a;", "f32", {{"f32", f32(-3)}}, 0},
      {"cvt.f32.f16 d, a;", "f32", {{"b16", 0x0001}}, f32(0x1p-24f)},
      {"cvt.rn.f16.f32 d, a;", "b16", {{"f32", f32(65520)}}, 0x7C00},
      {"cvt.rz.f16.f32 d, a;", "b16", {{"f32", f32(65520)}}, 0x7BFF},
      {"cvt.rn.satfinite.f16.f32 d, a;", "b16", {{"f32", inf}}, 0x7BFF},
      {"cvt.rn.f16.f32 d, a;", "b16", {{"f32", nan}}, 0x7FFF},
      {"cvt.rn.relu.f16.f32 d, a;", "b16", {{"f32", f32(-1)}}, 0},
      {"cvt.rn.bf16.f32 d, a;", "b16", {{"f32", 0x3F808000}}, 0x3F80},
      {"cvt.rn.bf16.f32 d, a;", "b16", {{"f32", 0x3F818000}}, 0x3F82},
      {"cvt.f32.bf16 d, a;", "f32", {{"b16", 0x4040}}, f32(3)},
      {"cvt.rn.f16x2.f32 d, a, b;", "b32", {{"f32", f32(1)}, {"f32", f32(2)}}, 0x3C004000},
      {"cvt.rn.bf16x2.f32 d, a, b;", "b32", {{"f32", f32(1)}, {"f32", f32(2)}}, 0x3F804000},
      {"cvt.rna.tf32.f32 d, a;", "b32", {{"f32", 0x3F801000}}, 0x3F802000},
      {"cvt.rna.tf32.f32 d, a;", "b32", {{"f32", 0xBF801000}}, 0xBF802000},
      {"cvt.rn.tf32.f32 d, a;", "b32", {{"f32", 0x3F801000}}, 0x3F800000},
      // e4m3: 1 = 38, 2 = 40, largest 448 = 7E. e5m2: 1 = 3C, 2 = 40, largest 57344 = 7B.
      {"cvt.rn.satfinite.e4m3x2.f32 d, a, b;",
       "b16",
       {{"f32", f32(1)}, {"f32", f32(1000)}},
       0x387E},
      {"cvt.rn.satfinite.e5m2x2.f32 d, a, b;", "b16", {{"f32", f32(-2)}, {"f32", inf}}, 0xC07B},
      {"cvt.rn.satfinite.e4m3x2.f16x2 d, a;", "b16", {{"b32", 0x3C004000}}, 0x3840},
      {"cvt.rn.f16x2.e4m3x2 d, a;", "b32", {{"b16", 0x387F}}, 0x3C007FFF},
      {"cvt.rn.f16x2.e5m2x2 d, a;", "b32", {{"b16", 0x3C40}}, 0x3C004000},
  });
}
