// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products. The operands are small integers, so that a plain product has the exact result.
// Registers are slices of the bytes of a row-major A and a column-major B: a register of a lane is
// 4 bytes (8 for f64) of a row of 16 bytes.

#include "tilewright/ptx/Testing.h"

#include "tilewright/numerics/Convert.h"

#include <bit>

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using numerics::Format;

namespace {
struct Shape {
  unsigned m, n, k;
  const char *a, *b, *c, *d;
  unsigned bits; ///< Bits of an operand.
};
} // namespace

/// The bits of a small number in a type.
static uint64_t encode(int value, const std::string &type) {
  const auto rounded = [&](Format format) { return numerics::roundToFormat(value, format).bits; };
  if (type == "f16")
    return rounded(Format::F16);
  if (type == "bf16")
    return rounded(Format::BF16);
  if (type == "tf32" || type == "f32")
    return std::bit_cast<uint32_t>(float(value));
  if (type == "f64")
    return std::bit_cast<uint64_t>(double(value));
  if (type == "e4m3")
    return rounded(Format::F8E4M3FN);
  if (type == "e5m2")
    return rounded(Format::F8E5M2);
  return uint32_t(value);
}

static void put(std::vector<uint8_t> &bytes, size_t bit, unsigned bits, uint64_t value) {
  for (unsigned at = 0; at < bits; ++at)
    if (value >> at & 1)
      bytes[(bit + at) / 8] |= uint8_t(1 << ((bit + at) % 8));
}

static uint64_t get(const std::vector<uint8_t> &bytes, size_t at, unsigned count) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, count);
  return value;
}

static int valueAt(unsigned row, unsigned column, bool isSigned, int seed) {
  const int value = int((row * 7 + column * 3 + unsigned(seed)) % 4);
  return isSigned && (row + column) % 3 == 0 ? -value : value;
}

static bool isSignedType(const std::string &type) { return type[0] != 'u' && type != "b1"; }

/// With `logic`, the product is a bitwise operation.
static int joined(int a, int b, const std::string &logic) {
  return logic.empty() ? a * b : logic == "xor" ? (a ^ b) & 1 : a & b & 1;
}

static void checkShape(const Shape &shape, const std::string &logic = "") {
  const std::string name = "mma.sync.aligned.m" + std::to_string(shape.m) + "n" +
                           std::to_string(shape.n) + "k" + std::to_string(shape.k) + ".row.col." +
                           shape.d + "." + shape.a + "." + shape.b + "." + shape.c +
                           (logic.empty() ? "" : "." + logic + ".popc");
  const unsigned word = shape.bits == 64 ? 8 : 4; // bytes of a register of A and B
  std::vector<uint8_t> a(shape.m * shape.k * shape.bits / 8), b(shape.n * shape.k * shape.bits / 8);
  for (unsigned row = 0; row < shape.m; ++row)
    for (unsigned k = 0; k < shape.k; ++k)
      put(a, size_t(row * shape.k + k) * shape.bits, shape.bits,
          encode(valueAt(row, k, isSignedType(shape.a), 1), shape.a) &
              (shape.bits == 64 ? ~0ull : (1ull << shape.bits) - 1));
  for (unsigned column = 0; column < shape.n; ++column)
    for (unsigned k = 0; k < shape.k; ++k)
      put(b, size_t(column * shape.k + k) * shape.bits, shape.bits,
          encode(valueAt(k, column, isSignedType(shape.b), 2), shape.b) &
              (shape.bits == 64 ? ~0ull : (1ull << shape.bits) - 1));
  // Each lane gets its registers of A, then of B, as 64-bit words.
  const unsigned rowBytes = shape.k * shape.bits / 8;
  const unsigned chunk = 4 * word, chunks = std::max(rowBytes / chunk, 1u);
  const unsigned countA = chunks * shape.m / 8, countB = chunks;
  std::vector<uint64_t> lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned part = 0; part < chunks; ++part)
      for (unsigned half = 0; half < shape.m / 8; ++half)
        lanes.push_back(
            get(a, (lane / 4 + 8 * half) * rowBytes + part * chunk + lane % 4 * word, word));
    for (unsigned part = 0; part < chunks; ++part)
      lanes.push_back(get(b, (lane / 4) * rowBytes + part * chunk + lane % 4 * word, word));
  }
  // C is 3 everywhere.
  const std::string c = shape.c, typeA = word == 8 ? "f64" : "b32";
  const std::string typeC = c == "f32" ? "f32" : c == "f64" ? "f64" : "b32";
  const unsigned countC = shape.m * shape.n / 32 / (c == "f16" ? 2 : 1);
  uint64_t three = encode(3, c);
  if (c == "f16")
    three |= three << 16;
  std::string text = header() + ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n.reg ." +
                     typeA + " %a<20>;\n.reg ." + typeC + " %c<9>;\n.reg .b32 %r<4>;\n" +
                     ".reg .b64 %rd<9>;\nld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [in];\n" +
                     "mov.u32 %r1, %laneid;\nmad.wide.u32 %rd2, %r1, " +
                     std::to_string(8 * (countA + countB)) + ", %rd2;\nmad.wide.u32 %rd1, %r1, " +
                     std::to_string(8 * countC) + ", %rd1;\n";
  const auto list = [](const std::string &prefix, unsigned first, unsigned count) {
    std::string all = "{";
    for (unsigned at = 0; at < count; ++at)
      all += (at ? ", " : "") + prefix + std::to_string(first + at);
    return all + "}";
  };
  for (unsigned at = 0; at < countA + countB; ++at)
    text += "ld.global." + typeA + " %a" + std::to_string(at) + ", [%rd2+" +
            std::to_string(8 * at) + "];\n";
  char hex[24];
  for (unsigned at = 0; at < countC; ++at) {
    std::snprintf(hex, sizeof hex,
                  typeC == "f32"   ? "0f%08llX"
                  : typeC == "f64" ? "0d%016llX"
                                   : "0x%llX",
                  static_cast<unsigned long long>(three));
    text += "mov." + typeC + " %c" + std::to_string(at) + ", " + hex + ";\n";
  }
  text += name + " " + list("%c", 0, countC) + ", " + list("%a", 0, countA) + ", " +
          list("%a", countA, countB) + ", " + list("%c", 0, countC) + ";\n";
  for (unsigned at = 0; at < countC; ++at)
    text += "st.global." + typeC + " [%rd1+" + std::to_string(8 * at) + "], %c" +
            std::to_string(at) + ";\n";
  Kernel kernel(text + "ret;\n}\n");
  Region &out = kernel.array(std::vector<uint64_t>(32 * countC));
  kernel.array(lanes);
  kernel.launch.block = {32, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << name;
  const std::vector<uint64_t> results = Kernel::values<uint64_t>(out);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < shape.m * shape.n / 32; ++i) {
      const unsigned row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
      int sum = 3;
      for (unsigned k = 0; k < shape.k; ++k)
        sum += joined(valueAt(row, k, isSignedType(shape.a), 1),
                      valueAt(k, column, isSignedType(shape.b), 2), logic);
      uint64_t got = results[lane * countC + (c == "f16" ? i / 2 : i)];
      if (c == "f16")
        got = got >> (16 * (i % 2)) & 0xFFFF;
      ASSERT_EQ(got, encode(sum, shape.d)) << name << " row " << row << " column " << column;
    }
}

TEST(Matrix, MmaInAllShapes) {
  const Shape shapes[] = {
      {16, 8, 8, "f16", "f16", "f16", "f16", 16},   {16, 8, 8, "f16", "f16", "f32", "f32", 16},
      {16, 8, 16, "f16", "f16", "f16", "f16", 16},  {16, 8, 16, "f16", "f16", "f32", "f32", 16},
      {16, 8, 8, "bf16", "bf16", "f32", "f32", 16}, {16, 8, 16, "bf16", "bf16", "f32", "f32", 16},
      {16, 8, 4, "tf32", "tf32", "f32", "f32", 32}, {16, 8, 8, "tf32", "tf32", "f32", "f32", 32},
      {16, 8, 32, "e4m3", "e4m3", "f32", "f32", 8}, {16, 8, 32, "e4m3", "e5m2", "f32", "f32", 8},
      {16, 8, 32, "e5m2", "e4m3", "f32", "f32", 8}, {16, 8, 32, "e5m2", "e5m2", "f32", "f32", 8},
      {16, 8, 16, "e4m3", "e5m2", "f32", "f32", 8}, {16, 8, 16, "e5m2", "e5m2", "f16", "f16", 8},
      {16, 8, 16, "e4m3", "e4m3", "f32", "f32", 8}, {16, 8, 16, "e5m2", "e4m3", "f32", "f32", 8},
      {16, 8, 16, "e5m2", "e5m2", "f32", "f32", 8}, {16, 8, 16, "e4m3", "e4m3", "f16", "f16", 8},
      {16, 8, 16, "e4m3", "e5m2", "f16", "f16", 8}, {16, 8, 16, "e5m2", "e4m3", "f16", "f16", 8},
      {16, 8, 32, "e4m3", "e4m3", "f16", "f16", 8}, {16, 8, 32, "e4m3", "e5m2", "f16", "f16", 8},
      {16, 8, 32, "e5m2", "e4m3", "f16", "f16", 8}, {16, 8, 32, "e5m2", "e5m2", "f16", "f16", 8},
      {8, 8, 4, "f64", "f64", "f64", "f64", 64},    {16, 8, 4, "f64", "f64", "f64", "f64", 64},
      {16, 8, 8, "f64", "f64", "f64", "f64", 64},   {16, 8, 16, "f64", "f64", "f64", "f64", 64},
  };
  for (const Shape &shape : shapes)
    checkShape(shape);
  const Shape integers[] = {
      {8, 8, 16, "8", "", "s32", "s32", 8},  {16, 8, 16, "8", "", "s32", "s32", 8},
      {16, 8, 32, "8", "", "s32", "s32", 8}, {8, 8, 32, "4", "", "s32", "s32", 4},
      {16, 8, 32, "4", "", "s32", "s32", 4}, {16, 8, 64, "4", "", "s32", "s32", 4},
  };
  for (const char *logic : {"xor", "and"})
    for (const Shape &shape : {Shape{8, 8, 128, "b1", "b1", "s32", "s32", 1},
                               Shape{16, 8, 128, "b1", "b1", "s32", "s32", 1},
                               Shape{16, 8, 256, "b1", "b1", "s32", "s32", 1}})
      checkShape(shape, logic);
  for (const Shape &shape : integers)
    for (const char *a : {"s", "u"})
      for (const char *b : {"s", "u"}) {
        const std::string typeA = a + std::string(shape.a), typeB = b + std::string(shape.a);
        checkShape(
            {shape.m, shape.n, shape.k, typeA.c_str(), typeB.c_str(), "s32", "s32", shape.bits});
      }
}

/// One warp: 256 bytes of rows in shared memory are moved by `move`, and the registers written out.
static std::vector<uint32_t> movedBy(const std::string &move, unsigned registers) {
  std::string text = header() + R"(
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<3>;
  .shared .align 16 .b8 tile[512];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %laneid;
  // Element e of the 8 by 8 matrices has the value e: lane l writes 16 bytes, elements 8l to 8l + 7.
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 4;
  add.s32 %r2, %r2, %r3;
  mul.lo.u32 %r3, %r1, 0x00080008;
  add.u32 %r4, %r3, 0x00010000;
  add.u32 %r5, %r3, 0x00030002;
  add.u32 %r6, %r3, 0x00050004;
  add.u32 %r7, %r3, 0x00070006;
  st.shared.v4.b32 [%r2], {%r4, %r5, %r6, %r7};
  bar.warp.sync 0xFFFFFFFF;
  )" + move + "\nmad.wide.u32 %rd1, %r1, 16, %rd1;\n";
  for (unsigned at = 0; at < registers; ++at)
    text +=
        "st.global.b32 [%rd1+" + std::to_string(4 * at) + "], %r" + std::to_string(4 + at) + ";\n";
  Kernel kernel(text + "ret;\n}\n");
  Region &out = kernel.array(std::vector<uint32_t>(128));
  kernel.launch.block = {32, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << kernel.findings.front().message;
  return Kernel::values<uint32_t>(out);
}

TEST(Matrix, LoadAndStoreMatrix) {
  const auto plain =
      movedBy("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r2];", 4);
  const auto turned =
      movedBy("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r4, %r5}, [%r2];", 2);
  const auto stored =
      movedBy("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r2];\n"
              "bar.warp.sync 0xFFFFFFFF;\n"
              "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r2], {%r4, %r5, %r6, %r7};\n"
              "bar.warp.sync 0xFFFFFFFF;\n"
              "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r2];",
              4);
  // The first destination is the address of the other matrices' rows.
  EXPECT_EQ(movedBy("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2, %r5, %r6, %r7}, [%r2];\n"
                    "mov.b32 %r4, %r2;",
                    4),
            plain);
  const auto allTurned =
      movedBy("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r4, %r5, %r6, %r7}, [%r2];", 4);
  // One matrix, then two; the rows of the others are unchanged.
  const auto storedOne = movedBy("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r4}, [%r2];\n"
                                 "bar.warp.sync 0xFFFFFFFF;\n"
                                 "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r4};\n"
                                 "bar.warp.sync 0xFFFFFFFF;\n"
                                 "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4, %r5}, [%r2];",
                                 2);
  const auto storedTwo =
      movedBy("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r4, %r5}, [%r2];\n"
              "bar.warp.sync 0xFFFFFFFF;\n"
              "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r2], {%r4, %r5};\n"
              "bar.warp.sync 0xFFFFFFFF;\n"
              "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4, %r5}, [%r2];",
              2);
  const auto flipped = movedBy("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r2];\n"
                               "movmatrix.sync.aligned.m8n8.trans.b16 %r4, %r4;",
                               1);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
      const unsigned row = lane / 4, column = lane % 4 * 2, base = 64 * matrix;
      const uint32_t first = base + row * 8 + column;
      const uint32_t down = base + column * 8 + row; // of the transposed matrix
      EXPECT_EQ(plain[lane * 4 + matrix], first | (first + 1) << 16);
      EXPECT_EQ(stored[lane * 4 + matrix], down | (down + 8) << 16);
      EXPECT_EQ(allTurned[lane * 4 + matrix], down | (down + 8) << 16);
      if (matrix < 2) {
        EXPECT_EQ(storedTwo[lane * 4 + matrix], down | (down + 8) << 16);
        EXPECT_EQ(storedOne[lane * 4 + matrix],
                  matrix == 0 ? down | (down + 8) << 16 : first | (first + 1) << 16);
      }
      if (matrix < 2)
        EXPECT_EQ(turned[lane * 4 + matrix], down | (down + 8) << 16);
      if (matrix < 1)
        EXPECT_EQ(flipped[lane * 4], down | (down + 8) << 16);
    }
}

TEST(Matrix, RejectsUnknownShapesAndPartialWarps) {
  EXPECT_NE(refusalOf("mma.sync.aligned.m16n8k24.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, "
                      "{%r1,%r2}, {%r1,%r2}, {%f1,%f2,%f3,%f4};")
                .find("is not supported"),
            std::string::npos);
  Kernel kernel(header() + ".visible .entry k()\n{\n.reg .b32 %r<3>;\nmov.b32 %r1, 0;\n"
                           "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;\nret;\n}\n");
  kernel.launch.block = {16, 1, 1};
  ASSERT_EQ(kernel.run().size(), 1u);
  EXPECT_EQ(kernel.findings[0].check, Check::Collective);
}

//===-- wmma --------------------------------------------------------------------------------===//

namespace {
/// A, B and C in memory, in the given layouts, and the product that wmma stores.
struct WmmaCase {
  unsigned m, n, k;
  const char *a, *c, *d, *layoutA, *layoutB;
  unsigned bits, countA, countB, countC, countD; ///< Bits of an element of A; numbers of registers.
  const char *logic = "";
};
} // namespace

static unsigned bytesOfType(const std::string &type) {
  return type == "f64" ? 8 : type == "f16" ? 2 : 4;
}

static void checkWmma(const WmmaCase &c) {
  const std::string logic = c.logic, a = c.a;
  const std::string shape = ".sync.aligned", size = "m" + std::to_string(c.m) + "n" +
                                                    std::to_string(c.n) + "k" + std::to_string(c.k);
  const std::string reg = a == "f64" ? "f64" : "b32";
  const auto sumType = [](const std::string &type) {
    return type == "f32" || type == "f64" ? type : "b32";
  };
  // The stride of C is wider than its rows.
  const unsigned wide = c.n + 8;
  std::string types = std::string(".") + c.d + (a == "f16" ? "" : "." + a + "." + a) + "." + c.c;
  std::string text =
      header() +
      ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)\n"
      "{\n.reg ." +
      reg + " %a<9>, %b<9>;\n.reg ." + sumType(c.c) + " %c<9>;\n.reg ." + sumType(c.d) +
      " %d<9>;\n.reg .b64 %p<5>;\n.reg .b32 %s;\nld.param.u64 %p1, [pa];\n"
      "ld.param.u64 %p2, [pb];\nld.param.u64 %p3, [pc];\nld.param.u64 %p4, [pd];\n"
      "mov.u32 %s, " +
      std::to_string(wide) + ";\n";
  text += "wmma.load.a.sync.aligned." + std::string(c.layoutA) + "." + size + ".global." + a + " " +
          registerList("%a", c.countA) + ", [%p1];\n";
  text += "wmma.load.b.sync.aligned." + std::string(c.layoutB) + "." + size + ".global." + a + " " +
          registerList("%b", c.countB) + ", [%p2];\n";
  text += "wmma.load.c.sync.aligned.row." + size + "." + c.c + " " + registerList("%c", c.countC) +
          ", [%p3], %s;\n";
  text += "wmma.mma" + (logic.empty() ? "" : "." + logic + ".popc") + ".sync.aligned." + c.layoutA +
          "." + c.layoutB + "." + size + (a == "f64" ? ".rn" : "") + types + " " +
          registerList("%d", c.countD) + ", " + registerList("%a", c.countA) + ", " +
          registerList("%b", c.countB) + ", " + registerList("%c", c.countC) + ";\n";
  text += "wmma.store.d.sync.aligned.col." + size + ".global." + c.d + " [%p4], " +
          registerList("%d", c.countD) + ";\nret;\n}\n";
  // Matrices as bits, in the given layouts.
  const auto fill = [&](unsigned rows, unsigned columns, unsigned stride, bool isRow, unsigned bits,
                        const std::string &type, auto value) {
    std::vector<uint8_t> bytes((isRow ? rows : columns) * stride * bits / 8);
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned column = 0; column < columns; ++column)
        put(bytes, size_t(isRow ? row * stride + column : column * stride + row) * bits, bits,
            encode(value(row, column), type) & (bits == 64 ? ~0ull : (1ull << bits) - 1));
    return bytes;
  };
  const bool isRowA = std::string(c.layoutA) == "row", isRowB = std::string(c.layoutB) == "row";
  const auto valueA = [&](unsigned i, unsigned j) { return valueAt(i, j, isSignedType(a), 1); };
  const auto valueB = [&](unsigned i, unsigned j) { return valueAt(i, j, isSignedType(a), 2); };
  const auto valueC = [](unsigned i, unsigned j) { return int(i + j) % 5; };
  Kernel kernel(text);
  kernel.array(fill(c.m, c.k, isRowA ? c.k : c.m, isRowA, c.bits, a, valueA));
  kernel.array(fill(c.k, c.n, isRowB ? c.n : c.k, isRowB, c.bits, a, valueB));
  kernel.array(fill(c.m, c.n, wide, true, 8 * bytesOfType(c.c), c.c, valueC));
  Region &out = kernel.array(std::vector<uint8_t>(c.m * c.n * bytesOfType(c.d)));
  kernel.launch.block = {32, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << text << kernel.findings.front().message;
  const std::vector<uint8_t> got = Kernel::values<uint8_t>(out);
  for (unsigned row = 0; row < c.m; ++row)
    for (unsigned column = 0; column < c.n; ++column) {
      int sum = valueC(row, column);
      for (unsigned k = 0; k < c.k; ++k)
        sum += joined(valueA(row, k), valueB(k, column), logic);
      ASSERT_EQ(get(got, (column * c.m + row) * bytesOfType(c.d), bytesOfType(c.d)),
                encode(sum, c.d))
          << size << types << " row " << row << " column " << column;
    }
}

TEST(Matrix, Wmma) {
  for (const auto &[m, n] : {std::pair(16u, 16u), {8u, 32u}, {32u, 8u}})
    for (const char *layoutA : {"row", "col"})
      for (const char *layoutB : {"row", "col"}) {
        for (const char *c : {"f16", "f32"})
          for (const char *d : {"f16", "f32"})
            checkWmma({m, n, 16, "f16", c, d, layoutA, layoutB, 16, 8, 8,
                       std::string(c) == "f16" ? 4u : 8u, std::string(d) == "f16" ? 4u : 8u});
        checkWmma({m, n, 16, "bf16", "f32", "f32", layoutA, layoutB, 16, m / 4, n / 4, 8, 8});
        for (const char *type : {"s8", "u8"})
          checkWmma({m, n, 16, type, "s32", "s32", layoutA, layoutB, 8, m / 8, n / 8, 8, 8});
      }
  checkWmma({16, 16, 8, "tf32", "f32", "f32", "row", "col", 32, 4, 4, 8, 8});
  checkWmma({8, 8, 4, "f64", "f64", "f64", "col", "row", 64, 1, 1, 2, 2});
  for (const char *type : {"s4", "u4"})
    checkWmma({8, 8, 32, type, "s32", "s32", "row", "col", 4, 1, 1, 2, 2});
  for (const char *logic : {"xor", "and"})
    checkWmma({8, 8, 128, "b1", "s32", "s32", "row", "col", 1, 1, 1, 2, 2, logic});
}
