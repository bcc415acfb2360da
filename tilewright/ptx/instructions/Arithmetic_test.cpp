// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions without memory: each row has an instruction, its operands, and a result computed by
// hand from the manual.

#include "tilewright/ptx/Testing.h"

#include <bit>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

static uint64_t f32(float value) { return std::bit_cast<uint32_t>(value); }

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
      // As on a GPU; the manual leaves it open.
      {"rem.u32 d, a, b;", "b32", {{"b32", 17}, {"b32", 0}}, UINT32_MAX},
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

TEST(Integers, CarryChains) {
  // 0xFFFFFFFF_FFFFFFFF + 1 in two registers: the upper half is 0, with a carry.
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

TEST(Integers, CarryOfSignedMultiplyAdd) {
  // -1 * 1 = -1: the upper half is all ones. 0xFFFFFFFF + 1 has a carry.
  EXPECT_EQ(evaluate(".reg .b32 t;\nmad.hi.cc.s32 t, a, b, b;\naddc.u32 d, t, 0;", "b32",
                     {{"b32", 0xFFFFFFFF}, {"b32", 1}})
                .d,
            1u);
  EXPECT_EQ(evaluate("mad.hi.cc.s64 d, a, b, b;", "b64", {{"b64", ~0ull}, {"b64", 2}}).d, 1u);
}

TEST(Bits, WidthsAndPositions) {
  checkRows({
      {"szext.wrap.s32 d, a, b;", "b32", {{"b32", 0x18}, {"b32", 37}}, 0xFFFFFFF8},
      {"szext.wrap.u32 d, a, b;", "b32", {{"b32", 0xFF}, {"b32", 4}}, 0xF},
      {"szext.wrap.s32 d, a, b;", "b32", {{"b32", 0xFF}, {"b32", 32}}, 0},
      {"szext.clamp.s32 d, a, b;", "b32", {{"b32", 0xFF}, {"b32", 32}}, 0xFF},
      {"szext.clamp.s32 d, a, b;", "b32", {{"b32", 0xFF}, {"b32", 0}}, 0},
      // From bit 0 on, the third set bit is bit 5.
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
      // -1 from byte 3 plus 1 from the upper half.
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
      // Saturates a value of 34 bits whose highest bit is the sign; the result is from a GPU.
      {"vshl.u32.u32.u32.sat.wrap d, a.h0, b.b0;",
       "b32",
       {{"b32", 0xB611A329}, {"b32", 0x3FFEB595}},
       0x65200000},
      {"vshl.u32.u32.u32.sat.clamp d, a.h0, b.b0;", "b32", {{"b32", 0xA01B}, {"b32", 0xC1}}, 0},
      {"vshl.s32.u32.u32.sat.wrap d, a.h0, b.b0;",
       "b32",
       {{"b32", 0x4B749FBF}, {"b32", 0x2B501DBC}},
       0xF0000000},
      // A sum is compared after truncation; a distance is compared before.
      {"vadd.s32.s32.u32.min d, a, b.b3, c;",
       "b32",
       {{"b32", 0x7FFFFFFF}, {"b32", 0xB29BFFDB}, {"b32", 0xB92FA5AF}},
       0x800000B1},
      {"vsub.s32.s32.u32.max d, a, b.b3, c;",
       "b32",
       {{"b32", 0x80000000}, {"b32", 0xE60AA261}, {"b32", 0x400F5BD7}},
       0x7FFFFF1A},
      {"vabsdiff.s32.s32.u32.min d, a, b.b0, c;",
       "b32",
       {{"b32", 0x80000000}, {"b32", 1}, {"b32", 5}},
       5},
      {"vshl.u32.u32.u32.clamp d, a, b;", "b32", {{"b32", 1}, {"b32", 33}}, 0},
      // All bits of a shifted number are compared, but the result is truncated.
      {"vshl.s32.u32.u32.clamp.max d, a, b, c;", "b32", {{"b32", 4}, {"b32", 32}, {"b32", 7}}, 0},
      {"vshl.s32.s32.u32.clamp.min d, a, b, c;",
       "b32",
       {{"b32", uint32_t(-4)}, {"b32", 32}, {"b32", uint32_t(-7)}},
       0},
      // c has the type of a.
      {"vset.s32.u32.lt.min d, a, b, c;",
       "b32",
       {{"b32", 1}, {"b32", 2}, {"b32", uint32_t(-3)}},
       uint32_t(-3)},
      {"vset.u32.u32.lt.min d, a, b, c;",
       "b32",
       {{"b32", 1}, {"b32", 2}, {"b32", uint32_t(-3)}},
       1},
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
      // Only the lower half; the upper half is that of c.
      {"vsub2.s32.s32.s32 d.h0, a, b, c;",
       "b32",
       {{"b32", 0x00010005}, {"b32", 0x00020006}, {"b32", 0xABCD1234}},
       0xABCDFFFF},
      // Halves 1 and 0 of a, exchanged; twice half 0 of b.
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

TEST(Refusals, NameUnsupportedFeature) {
  const auto has = [](const std::string &code, const std::string &text) {
    EXPECT_NE(refusalOf(code).find(text), std::string::npos) << code << ": " << refusalOf(code);
  };
  has("suq.width.b32 %r1, [%rd1];", "11:1: instruction 'suq.width.b32' is not supported");
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
