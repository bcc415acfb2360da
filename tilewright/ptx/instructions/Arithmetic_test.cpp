// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions without memory: each row is an instruction, its operands, and a result worked out
// by hand from the manual.

#include "tilewright/ptx/Testing.h"

#include <bit>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

static uint64_t f32(float value) { return std::bit_cast<uint32_t>(value); }
static uint64_t f64(double value) { return std::bit_cast<uint64_t>(value); }

TEST(Integers, WrapAndSaturate) {
  checkRows({
      {"add.s32 d, a, b;", "b32", {{"b32", 0x7FFFFFFF}, {"b32", 1}}, 0x80000000},
      {"add.sat.s32 d, a, b;", "b32", {{"b32", 0x7FFFFFFF}, {"b32", 1}}, 0x7FFFFFFF},
      {"add.u16 d, a, b;", "b16", {{"b16", 0xFFFF}, {"b16", 2}}, 1},
      {"add.u64 d, a, b;", "b64", {{"b64", ~0ull}, {"b64", 3}}, 2},
      {"add.u16x2 d, a, b;", "b32", {{"b32", 0xFFFF0001}, {"b32", 0x00020003}}, 0x00010004},
      {"sub.u32 d, a, 7;", "b32", {{"b32", 5}}, 0xFFFFFFFE},
      {"sub.sat.s32 d, a, b;", "b32", {{"b32", 0x80000000}, {"b32", 1}}, 0x80000000},
      {"mul.lo.s32 d, a, b;", "b32", {{"b32", 0x10001}, {"b32", 0x10001}}, 0x20001},
      {"mul.hi.s32 d, a, b;", "b32", {{"b32", 0xFFFFFFFF}, {"b32", 2}}, 0xFFFFFFFF},
      {"mul.hi.u32 d, a, b;", "b32", {{"b32", 0xFFFFFFFF}, {"b32", 2}}, 1},
      {"mul.hi.s64 d, a, b;", "b64", {{"b64", 1ull << 63}, {"b64", 2}}, ~0ull},
      {"mul.hi.u64 d, a, b;", "b64", {{"b64", 1ull << 63}, {"b64", 6}}, 3},
      {"mul.wide.s16 d, a, b;", "b32", {{"b16", 0xFFFF}, {"b16", 5}}, 0xFFFFFFFB},
      {"mul.wide.u32 d, a, b;",
       "b64",
       {{"b32", 0xFFFFFFFF}, {"b32", 0xFFFFFFFF}},
       0xFFFFFFFE00000001},
      {"mad.lo.s32 d, a, b, c;", "b32", {{"b32", 3}, {"b32", 5}, {"b32", 0xFFFFFFFF}}, 14},
      {"mad.hi.u32 d, a, b, c;", "b32", {{"b32", 1u << 31}, {"b32", 4}, {"b32", 5}}, 7},
      {"mad.hi.sat.s32 d, a, b, c;",
       "b32",
       {{"b32", 1u << 30}, {"b32", 4}, {"b32", 0x7FFFFFFF}},
       0x7FFFFFFF},
      {"mad.wide.s32 d, a, b, c;",
       "b64",
       {{"b32", 0xFFFFFFFF}, {"b32", 3}, {"b64", 1}},
       0xFFFFFFFFFFFFFFFE},
      {"mul24.lo.s32 d, a, b;", "b32", {{"b32", 0x00FFFFFF}, {"b32", 3}}, 0xFFFFFFFD},
      {"mul24.hi.u32 d, a, b;", "b32", {{"b32", 0x00FFFFFF}, {"b32", 0x00FFFFFF}}, 0xFFFFFE00},
      {"mad24.lo.u32 d, a, b, c;", "b32", {{"b32", 0xFF000002}, {"b32", 3}, {"b32", 4}}, 10},
      {"sad.s32 d, a, b, c;", "b32", {{"b32", 0x80000000}, {"b32", 0x7FFFFFFF}, {"b32", 1}}, 0},
      {"sad.u16 d, a, b, c;", "b16", {{"b16", 3}, {"b16", 10}, {"b16", 100}}, 107},
      {"div.s32 d, a, b;", "b32", {{"b32", uint32_t(-7)}, {"b32", 2}}, uint32_t(-3)},
      {"div.s32 d, a, b;", "b32", {{"b32", 0x80000000}, {"b32", uint32_t(-1)}}, 0x80000000},
      {"div.u64 d, a, b;", "b64", {{"b64", ~0ull}, {"b64", 16}}, 0x0FFFFFFFFFFFFFFF},
      {"rem.s32 d, a, b;", "b32", {{"b32", uint32_t(-7)}, {"b32", 2}}, uint32_t(-1)},
      {"rem.u32 d, a, b;", "b32", {{"b32", 17}, {"b32", 5}}, 2},
      {"abs.s32 d, a;", "b32", {{"b32", uint32_t(-9)}}, 9},
      {"neg.s16 d, a;", "b16", {{"b16", 1}}, 0xFFFF},
      {"min.s32 d, a, b;", "b32", {{"b32", uint32_t(-1)}, {"b32", 1}}, uint32_t(-1)},
      {"min.u32 d, a, b;", "b32", {{"b32", uint32_t(-1)}, {"b32", 1}}, 1},
      {"max.s64 d, a, b;", "b64", {{"b64", ~0ull}, {"b64", 1}}, 1},
      {"max.relu.s32 d, a, b;", "b32", {{"b32", uint32_t(-5)}, {"b32", uint32_t(-7)}}, 0},
      {"min.s16x2 d, a, b;", "b32", {{"b32", 0xFFFF0005}, {"b32", 0x00010004}}, 0xFFFF0004},
      {"max.u16x2 d, a, b;", "b32", {{"b32", 0xFFFF0005}, {"b32", 0x00010004}}, 0xFFFF0005},
      {"dp4a.s32.s32 d, a, b, c;",
       "b32",
       {{"b32", 0x01FF0302}, {"b32", 0x02030405}, {"b32", 10}},
       31},
      {"dp4a.u32.u32 d, a, b, c;",
       "b32",
       {{"b32", 0x00FF0000}, {"b32", 0x00FF0000}, {"b32", 0}},
       65025},
      {"dp2a.lo.s32.u32 d, a, b, c;",
       "b32",
       {{"b32", 0xFFFF0002}, {"b32", 0x0000FF03}, {"b32", 0}},
       uint32_t(6 - 255)},
      {"dp2a.hi.s32.u32 d, a, b, c;",
       "b32",
       {{"b32", 0x00010002}, {"b32", 0x04030000}, {"b32", 1}},
       11},
  });
}

TEST(Integers, CarriesOverRegisters) {
  // 0xFFFFFFFF_FFFFFFFF + 1 in two registers: the upper half is 0, and there is a carry.
  EXPECT_EQ(evaluate(".reg .b32 t;\nadd.cc.u32 t, a, 1;\naddc.cc.u32 t, b, 0;\naddc.u32 d, 0, 0;",
                     "b32", {{"b32", 0xFFFFFFFF}, {"b32", 0xFFFFFFFF}})
                .d,
            1u);
  // 0x1_00000000 - 1
  EXPECT_EQ(evaluate(".reg .b32 t;\nsub.cc.u32 t, a, 1;\nsubc.u32 d, b, 0;", "b32",
                     {{"b32", 0}, {"b32", 1}})
                .d,
            0u);
  // The upper half of 0xFFFFFFFF * 0xFFFFFFFF + 0xFFFFFFFF.
  EXPECT_EQ(evaluate(".reg .b32 t;\nmad.lo.cc.u32 t, a, a, a;\nmadc.hi.u32 d, a, a, 0;", "b32",
                     {{"b32", 0xFFFFFFFF}})
                .d,
            0xFFFFFFFFu);
}

TEST(Integers, CarriesOfSignedProducts) {
  // -1 * 1 = -1: the upper half is all ones. 0xFFFFFFFF + 1 has a carry.
  EXPECT_EQ(evaluate(".reg .b32 t;\nmad.hi.cc.s32 t, a, b, b;\naddc.u32 d, t, 0;", "b32",
                     {{"b32", 0xFFFFFFFF}, {"b32", 1}})
                .d,
            1u);
  EXPECT_EQ(evaluate("mad.hi.cc.s64 d, a, b, b;", "b64", {{"b64", ~0ull}, {"b64", 2}}).d, 1u);
}

TEST(Bits, WidthsAndPlaces) {
  checkRows({
      {"szext.wrap.s32 d, a, b;", "b32", {{"b32", 0x18}, {"b32", 37}}, 0xFFFFFFF8},
      {"szext.wrap.u32 d, a, b;", "b32", {{"b32", 0xFF}, {"b32", 4}}, 0xF},
      {"szext.wrap.s32 d, a, b;", "b32", {{"b32", 0xFF}, {"b32", 32}}, 0},
      {"szext.clamp.s32 d, a, b;", "b32", {{"b32", 0xFF}, {"b32", 32}}, 0xFF},
      {"szext.clamp.s32 d, a, b;", "b32", {{"b32", 0xFF}, {"b32", 0}}, 0},
      // From bit 0 on, the third bit that is set is bit 5.
      {"fns.b32 d, a, 0, 3;", "b32", {{"b32", 0xAAAAAAAA}}, 5},
      {"fns.b32 d, a, 31, -1;", "b32", {{"b32", 0x7FFFFFFF}}, 30},
      {"fns.b32 d, a, 3, 0;", "b32", {{"b32", 8}}, 3},
      {"fns.b32 d, a, 2, 0;", "b32", {{"b32", 8}}, 0xFFFFFFFF},
      {"fns.b32 d, a, 4, 1;", "b32", {{"b32", 8}}, 0xFFFFFFFF},
      {"lop3.or.b32 d|p, a, b, c, 0xC0, q;", "b32", {{"b32", 3}, {"b32", 6}, {"b32", 0}}, 2},
      {"lop3.and.b32 d|p, a, b, c, 0xC0, !q;", "b32", {{"b32", 3}, {"b32", 6}, {"b32", 0}}, 2},
  });
  // q is false: any bit or q, any bit and not q, any bit and q.
  const std::vector<Input> inputs = {{"b32", 3}, {"b32", 6}, {"b32", 0}};
  EXPECT_TRUE(evaluate("lop3.or.b32 d|p, a, b, c, 0xC0, q;", "b32", inputs).p);
  EXPECT_TRUE(evaluate("lop3.and.b32 d|p, a, b, c, 0xC0, !q;", "b32", inputs).p);
  EXPECT_FALSE(evaluate("lop3.and.b32 d|p, a, b, c, 0xC0, q;", "b32", inputs).p);
  EXPECT_FALSE(evaluate("lop3.or.b32 d|p, a, b, c, 0x80, q;", "b32", inputs).p);
}

TEST(Bits, LogicAndFields) {
  checkRows({
      {"and.b32 d, a, b;", "b32", {{"b32", 0xFF00FF00}, {"b32", 0x0FF00FF0}}, 0x0F000F00},
      {"or.b64 d, a, b;", "b64", {{"b64", 1}, {"b64", 1ull << 63}}, 0x8000000000000001},
      {"xor.b16 d, a, b;", "b16", {{"b16", 0xFFFF}, {"b16", 0x0F0F}}, 0xF0F0},
      {"not.b32 d, a;", "b32", {{"b32", 0xF0F0F0F0}}, 0x0F0F0F0F},
      {"cnot.b32 d, a;", "b32", {{"b32", 0}}, 1},
      {"cnot.b32 d, a;", "b32", {{"b32", 9}}, 0},
      {"shl.b32 d, a, 32;", "b32", {{"b32", 1}}, 0},
      {"shl.b32 d, a, 31;", "b32", {{"b32", 3}}, 0x80000000},
      {"shl.b64 d, a, b;", "b64", {{"b64", 1}, {"b32", 40}}, 1ull << 40},
      {"shl.b16 d, a, b;", "b16", {{"b16", 0xFFFF}, {"b32", 8}}, 0xFF00},
      {"shr.u32 d, a, b;", "b32", {{"b32", 0x80000000}, {"b32", 99}}, 0},
      {"shr.s32 d, a, b;", "b32", {{"b32", 0x80000000}, {"b32", 99}}, 0xFFFFFFFF},
      {"shr.s32 d, a, 4;", "b32", {{"b32", 0x80000000}}, 0xF8000000},
      {"shr.u64 d, a, 63;", "b64", {{"b64", 1ull << 63}}, 1},
      {"shr.s16 d, a, 15;", "b16", {{"b16", 0x8000}}, 0xFFFF},
      {"shf.l.wrap.b32 d, a, b, c;",
       "b32",
       {{"b32", 0x80000001}, {"b32", 0x00000010}, {"b32", 36}},
       0x108},
      {"shf.r.clamp.b32 d, a, b, c;",
       "b32",
       {{"b32", 0xAAAAAAAA}, {"b32", 0x55555555}, {"b32", 36}},
       0x55555555},
      {"shf.r.wrap.b32 d, a, b, c;",
       "b32",
       {{"b32", 0x12345678}, {"b32", 0x9ABCDEF0}, {"b32", 8}},
       0xF0123456},
      {"shf.l.clamp.b32 d, a, b, c;",
       "b32",
       {{"b32", 0x12345678}, {"b32", 0x9ABCDEF0}, {"b32", 32}},
       0x12345678},
      {"popc.b32 d, a;", "b32", {{"b32", 0xF0F0}}, 8},
      {"popc.b64 d, a;", "b32", {{"b64", ~0ull}}, 64},
      {"clz.b32 d, a;", "b32", {{"b32", 0}}, 32},
      {"clz.b64 d, a;", "b32", {{"b64", 1}}, 63},
      {"brev.b32 d, a;", "b32", {{"b32", 0x80000001}}, 0x80000001},
      {"brev.b64 d, a;", "b64", {{"b64", 1}}, 1ull << 63},
      {"bfind.u32 d, a;", "b32", {{"b32", 0x10000}}, 16},
      {"bfind.s32 d, a;", "b32", {{"b32", 0xFFFFFFFE}}, 0},
      {"bfind.u32 d, a;", "b32", {{"b32", 0}}, 0xFFFFFFFF},
      {"bfind.s64 d, a;", "b32", {{"b64", ~0ull}}, 0xFFFFFFFF},
      {"bfind.shiftamt.u32 d, a;", "b32", {{"b32", 0x10000}}, 15},
      {"bfe.u32 d, a, 8, 8;", "b32", {{"b32", 0x12345678}}, 0x56},
      {"bfe.s32 d, a, 4, 4;", "b32", {{"b32", 0x80}}, 0xFFFFFFF8},
      {"bfe.s32 d, a, 28, 9;", "b32", {{"b32", 0x80000000}}, 0xFFFFFFF8},
      {"bfe.u32 d, a, 40, 4;", "b32", {{"b32", 0xFFFFFFFF}}, 0},
      {"bfe.s32 d, a, 40, 4;", "b32", {{"b32", 0x80000000}}, 0xFFFFFFFF},
      {"bfe.u32 d, a, 0, 0;", "b32", {{"b32", 0xFFFFFFFF}}, 0},
      {"bfe.s64 d, a, 60, 4;", "b64", {{"b64", 1ull << 63}}, 0xFFFFFFFFFFFFFFF8},
      {"bfi.b32 d, a, b, 8, 4;", "b32", {{"b32", 0xFF}, {"b32", 0}}, 0xF00},
      {"bfi.b32 d, a, b, 28, 8;", "b32", {{"b32", 0xFF}, {"b32", 1}}, 0xF0000001},
      {"bfi.b64 d, a, b, 32, 32;", "b64", {{"b64", 5}, {"b64", 7}}, 0x500000007},
      {"bmsk.clamp.b32 d, a, b;", "b32", {{"b32", 4}, {"b32", 8}}, 0xFF0},
      {"bmsk.wrap.b32 d, a, b;", "b32", {{"b32", 33}, {"b32", 2}}, 6},
      {"lop3.b32 d, a, b, c, 0x96;", "b32", {{"b32", 0xF0}, {"b32", 0xCC}, {"b32", 0xAA}}, 0x96},
      {"lop3.b32 d, a, b, c, 0xE8;", "b32", {{"b32", 0xF0}, {"b32", 0xCC}, {"b32", 0xAA}}, 0xE8},
      {"prmt.b32 d, a, b, 0x5410;", "b32", {{"b32", 0x33221100}, {"b32", 0x77665544}}, 0x55441100},
      {"prmt.b32 d, a, b, 0x8;", "b32", {{"b32", 0x80}, {"b32", 0}}, 0x808080FF},
      {"prmt.b32.f4e d, a, b, 1;", "b32", {{"b32", 0x33221100}, {"b32", 0x77665544}}, 0x44332211},
      {"prmt.b32.rc16 d, a, b, 1;", "b32", {{"b32", 0x33221100}, {"b32", 0}}, 0x33223322},
  });
}

TEST(Video, PartsOfRegisters) {
  checkRows({
      // -1 of byte 3 and 1 of the upper half.
      {"vadd.s32.s32.u32 d, a.b3, b.h1;", "b32", {{"b32", 0xFF000000}, {"b32", 0x00010000}}, 0},
      {"vsub.s32.u32.u32.sat d, a, b;", "b32", {{"b32", 1}, {"b32", 0xFFFFFFFF}}, 0x80000000},
      {"vadd.u32.u32.u32.sat d.b1, a, b, c;",
       "b32",
       {{"b32", 200}, {"b32", 100}, {"b32", 0x11223344}},
       0x1122FF44},
      {"vadd.u32.u32.u32 d.h0, a, b, c;",
       "b32",
       {{"b32", 0xFFFF}, {"b32", 3}, {"b32", 0x11223344}},
       0x11220002},
      {"vabsdiff.u32.s32.s32.add d, a.b0, b.b0, c;",
       "b32",
       {{"b32", 0x80}, {"b32", 0x7F}, {"b32", 1}},
       256},
      {"vmin.s32.s32.s32.max d, a, b, c;",
       "b32",
       {{"b32", uint32_t(-5)}, {"b32", 3}, {"b32", uint32_t(-2)}},
       uint32_t(-2)},
      {"vmax.u32.u32.u32.min d, a, b, c;", "b32", {{"b32", 5}, {"b32", 9}, {"b32", 7}}, 7},
      {"vset.s32.u32.lt d, a.b0, b.b0;", "b32", {{"b32", 0xFF}, {"b32", 0xFF}}, 1},
      {"vset.u32.u32.ge.add d, a, b, c;", "b32", {{"b32", 3}, {"b32", 3}, {"b32", 10}}, 11},
      {"vshl.u32.u32.u32.wrap d, a, b;", "b32", {{"b32", 1}, {"b32", 33}}, 2},
      {"vshl.u32.u32.u32.clamp d, a, b;", "b32", {{"b32", 1}, {"b32", 33}}, 0},
      {"vshr.s32.s32.u32.clamp d, a, b;", "b32", {{"b32", 0x80000000}, {"b32", 40}}, 0xFFFFFFFF},
      {"vshr.u32.u32.u32.wrap.add d, a, b.b1, c;",
       "b32",
       {{"b32", 0x100}, {"b32", 0x0400}, {"b32", 1}},
       0x11},
  });
}

TEST(Video, AllPartsAtOnce) {
  const uint64_t none = 0;
  checkRows({
      {"vadd2.u32.u32.u32 d, a, b, c;",
       "b32",
       {{"b32", 0xFFFF0001}, {"b32", 0x00020003}, {"b32", none}},
       0x00010004},
      {"vadd2.s32.s32.s32.sat d, a, b, c;",
       "b32",
       {{"b32", 0x7FFF8000}, {"b32", 0x0001FFFF}, {"b32", none}},
       0x7FFF8000},
      {"vsub2.u32.u32.u32.sat d, a, b, c;",
       "b32",
       {{"b32", 0x00010005}, {"b32", 0x00020003}, {"b32", none}},
       0x00000002},
      // The lower half alone; the upper one is that of c.
      {"vsub2.s32.s32.s32 d.h0, a, b, c;",
       "b32",
       {{"b32", 0x00010005}, {"b32", 0x00020006}, {"b32", 0xABCD1234}},
       0xABCDFFFF},
      // Halves 1 and 0 of a the other way round; both are half 0 of b.
      {"vadd2.u32.u32.u32 d, a.h01, b.h22, c;",
       "b32",
       {{"b32", 0x00010002}, {"b32", 0x99990010}, {"b32", none}},
       0x00120011},
      {"vavrg2.s32.s32.s32 d, a, b, c;",
       "b32",
       {{"b32", 0x0001FFFF}, {"b32", 0x0002FFFE}, {"b32", none}},
       0x0002FFFE},
      {"vabsdiff2.u32.s32.s32.add d, a, b, c;",
       "b32",
       {{"b32", 0x0001FFFF}, {"b32", 0x00030001}, {"b32", 100}},
       104},
      {"vmin2.s32.s32.s32 d, a, b, c;",
       "b32",
       {{"b32", 0xFFFF0005}, {"b32", 0x00010004}, {"b32", none}},
       0xFFFF0004},
      {"vmax2.u32.u32.u32 d, a, b, c;",
       "b32",
       {{"b32", 0xFFFF0005}, {"b32", 0x00010004}, {"b32", none}},
       0xFFFF0005},
      {"vset2.u32.u32.gt d, a, b, c;",
       "b32",
       {{"b32", 0xFFFF0003}, {"b32", 0x00010004}, {"b32", none}},
       0x00010000},
      {"vadd4.u32.u32.u32 d, a, b, c;",
       "b32",
       {{"b32", 0xFF010203}, {"b32", 0x01010101}, {"b32", none}},
       0x00020304},
      {"vsub4.s32.s32.s32.sat d, a, b, c;",
       "b32",
       {{"b32", 0x80050003}, {"b32", 0x01060001}, {"b32", none}},
       0x80FF0002},
      {"vabsdiff4.u32.u32.u32.add d, a, b, c;",
       "b32",
       {{"b32", 0xFF000203}, {"b32", 0x00010101}, {"b32", 1000}},
       1000 + 255 + 1 + 1 + 2},
      {"vmin4.u32.u32.u32 d.b20, a, b, c;",
       "b32",
       {{"b32", 0x01020304}, {"b32", 0x04030201}, {"b32", 0xAABBCCDD}},
       0xAA02CC01},
      {"vmax4.s32.s32.s32 d, a, b.b7654, c;",
       "b32",
       {{"b32", 0xFF020304}, {"b32", 0x04030201}, {"b32", none}},
       0x04030304},
      {"vavrg4.u32.u32.u32 d, a, b, c;",
       "b32",
       {{"b32", 0x01020304}, {"b32", 0x02020202}, {"b32", none}},
       0x02020303},
      {"vset4.s32.s32.lt.add d, a, b, c;",
       "b32",
       {{"b32", 0xFF010203}, {"b32", 0x00020202}, {"b32", 5}},
       7},
  });
}

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

TEST(Floats, SixteenBitsAloneAndInPairs) {
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
      // 1 + 2^-8 is a tie between 1 and 1 + 2^-7: even.
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
      // The second predicate has the opposite outcome.
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
      // A NaN from an f64, or to 64 bits, is the number with the highest bit alone.
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

TEST(Moves, PackAndUnpack) {
  checkRows({
      {"mov.b64 d, {a, b};", "b64", {{"b32", 1}, {"b32", 2}}, 0x200000001},
      {".reg .b32 x;\nmov.b64 {x, d}, a;", "b32", {{"b64", 0x200000001}}, 2},
      {"mov.b64 {_, d}, a;", "b32", {{"b64", 0x200000001}}, 2},
      {"mov.b32 d, {a, b};", "b32", {{"b16", 1}, {"b16", 2}}, 0x20001},
      {"mov.b64 d, {a, b, c, e};",
       "b64",
       {{"b16", 1}, {"b16", 2}, {"b16", 3}, {"b16", 4}},
       0x4000300020001},
      {"mov.f32 d, 0f3F800000;", "f32", {}, f32(1)},
      {"mov.f32 d, 1.5;", "f32", {}, f32(1.5f)},
      {"mov.u32 d, WARP_SZ;", "b32", {}, 32},
      {"mov.u32 d, 0b101;", "b32", {}, 5},
      {"mov.u32 d, 017;", "b32", {}, 15},
      {"mov.s32 d, -(2+3)*4;", "b32", {}, uint32_t(-20)},
      {"mov.u64 d, 0xFFFFFFFFFFFFFFFFU;", "b64", {}, ~0ull},
      {".shared .b32 s;\nmov.u32 d, s;", "b32", {}, 1024},
  });
}

TEST(Refusals, NameWhatIsMissing) {
  const auto has = [](const std::string &code, const std::string &text) {
    EXPECT_NE(refusalOf(code).find(text), std::string::npos) << code << ": " << refusalOf(code);
  };
  has("tcgen05.wait::ld.sync.aligned;",
      "11:1: instruction 'tcgen05.wait::ld.sync.aligned' is not supported");
  has("add.s32.foo %r1, %r2, %r3;", "'add.s32.foo' is not supported: modifier '.foo'");
  has("add.s32 %r1, %rd2, %r3;", "register %rd2 has type .b64, which does not fit .s32");
  has("add.s32 %r1, %r2;", "needs 3 operands, but has 2");
  has("add.b32 %r1, %r2, %r3;", "there is no 'add' of type .b32");
  has("mov.u32 %r1, %pm9;", "'%pm9' is not supported");
  has("fma.rn.f32 %f1, %f2, %f3, 1;", "expected a float, found an integer");
  has("bra nowhere;", "'nowhere' is not declared");
  has("shfl.up.b32 %r1, %r2, 1, 0;", "it has no .sync");
  has("mov.u32 %r9, 1;", "'mov.u32': expected a register to write to, found '%r9'");
  has("atom.global.add.s64 %rd1, [%rd2], %rd3;", "'atom.global.add.s64' is not supported");
  has("red.global.exch.b32 [%rd2], %r3;", "'red.global.exch.b32' is not supported");
  has("add.relu.s16x2 %r1, %r2, %r3;", "modifier '.relu'");
  has("max.relu.u16x2 %r1, %r2, %r3;", "modifier '.relu'");
  has("ld.relaxed.global.u32 %r1, [%rd1];", "has no scope");
  has("cvt.f32.s32 %f1, %r1;", "its rounding does not fit");
}
