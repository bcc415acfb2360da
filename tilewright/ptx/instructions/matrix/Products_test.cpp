// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special matrix products: sparse, with small formats, scaled, and of quad pairs. Operands are
// small numbers, so that a plain product of whole matrices has the exact result. The fragment
// layouts are written a second time here, from the figures of the manual.

#include "tilewright/ptx/Testing.h"

#include "tilewright/numerics/Convert.h"

#include <bit>

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using numerics::Format;

//===-- A kernel around one instruction -----------------------------------------------------===//

namespace {
/// Registers of each lane, in the order of the operands A, B, C and further ones.
struct Lanes {
  unsigned countA, countB, countC, countMore;
  std::vector<uint32_t> words;

  Lanes(unsigned a, unsigned b, unsigned c, unsigned more)
      : countA(a), countB(b), countC(c), countMore(more), words(32 * perLane()) {}
  unsigned perLane() const { return countA + countB + countC + countMore; }
  uint32_t &a(unsigned lane, unsigned i) { return words[lane * perLane() + i]; }
  uint32_t &b(unsigned lane, unsigned i) { return words[lane * perLane() + countA + i]; }
  uint32_t &c(unsigned lane, unsigned i) { return words[lane * perLane() + countA + countB + i]; }
  uint32_t &more(unsigned lane, unsigned i) {
    return words[lane * perLane() + countA + countB + countC + i];
  }
};
} // namespace

/// The registers of D of each lane. `tail` follows C and may use the registers %m0, %m1 ...
static std::vector<uint32_t> multiply(const std::string &name, const Lanes &lanes, unsigned countD,
                                      bool isSingleC, bool isSingleD, const std::string &tail) {
  const std::string typeC = isSingleC ? "f32" : "b32", typeD = isSingleD ? "f32" : "b32";
  std::string text =
      header() +
      ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
      ".reg .b32 %a<9>, %b<9>, %m<9>, %r<3>;\n.reg ." +
      typeC + " %c<9>;\n.reg ." + typeD + " %d<9>;\n.reg .b64 %rd<3>;\n" +
      "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [in];\nmov.u32 %r1, %laneid;\n" +
      "mad.wide.u32 %rd2, %r1, " + std::to_string(4 * lanes.perLane()) +
      ", %rd2;\nmad.wide.u32 %rd1, %r1, " + std::to_string(4 * countD) + ", %rd1;\n";
  unsigned offset = 0;
  const auto load = [&](const std::string &prefix, const std::string &type, unsigned count) {
    for (unsigned at = 0; at < count; ++at, offset += 4)
      text += "ld.global." + type + " " + prefix + std::to_string(at) + ", [%rd2+" +
              std::to_string(offset) + "];\n";
  };
  load("%a", "b32", lanes.countA);
  load("%b", "b32", lanes.countB);
  load("%c", typeC, lanes.countC);
  load("%m", "b32", lanes.countMore);
  text += name + " " + registerList("%d", countD) + ", " + registerList("%a", lanes.countA) + ", " +
          registerList("%b", lanes.countB) + ", " + registerList("%c", lanes.countC) + tail + ";\n";
  for (unsigned at = 0; at < countD; ++at)
    text += "st.global." + typeD + " [%rd1+" + std::to_string(4 * at) + "], %d" +
            std::to_string(at) + ";\n";
  Kernel kernel(text + "ret;\n}\n");
  Region &out = kernel.array(std::vector<uint32_t>(32 * countD));
  kernel.array(lanes.words);
  kernel.launch.block = {32, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << name;
  return Kernel::values<uint32_t>(out);
}

//===-- Numbers -----------------------------------------------------------------------------===//

/// The bits of an integer from -3 to 3.
static uint32_t encode(int value, const std::string &type) {
  const auto rounded = [&](Format format) {
    return uint32_t(numerics::roundToFormat(value, format).bits);
  };
  const unsigned size = unsigned(std::abs(value));
  // 0, 1, 2 and 3 by hand: exponent, then mantissa.
  static constexpr uint32_t e2m3[] = {0, 0b001000, 0b010000, 0b010100};
  static constexpr uint32_t e3m2[] = {0, 0b001100, 0b010000, 0b010010};
  static constexpr uint32_t e2m1[] = {0, 0b0010, 0b0100, 0b0101};
  if (type == "f16")
    return rounded(Format::F16);
  if (type == "bf16")
    return rounded(Format::BF16);
  if (type == "tf32" || type == "f32")
    return std::bit_cast<uint32_t>(float(value));
  if (type == "e4m3")
    return rounded(Format::F8E4M3FN);
  if (type == "e5m2")
    return rounded(Format::F8E5M2);
  if (type == "e2m3")
    return e2m3[size] | (value < 0 ? 32 : 0);
  if (type == "e3m2")
    return e3m2[size] | (value < 0 ? 32 : 0);
  if (type == "e2m1")
    return e2m1[size] | (value < 0 ? 8 : 0);
  return uint32_t(value) & (type == "s4" || type == "u4" ? 0xF : 0xFF);
}

static int numberAt(unsigned row, unsigned column, bool isSigned, unsigned seed) {
  const int value = int((row * 7 + column * 3 + seed) % 4);
  return isSigned && (row + column) % 3 == 0 ? -value : value;
}

namespace {
struct Case {
  unsigned k;
  std::string a, b, d;
  unsigned bits; ///< Bits that an operand takes in its register.
  std::string kind = "";
  /// Elements of e2m1 are in the middle of a byte.
  uint32_t inRegister(int value, const std::string &type) const {
    return encode(value, type) << (type == "e2m1" && bits == 8 ? 2 : 0);
  }
};
} // namespace

static void place(uint32_t &word, unsigned bits, unsigned index, uint32_t value) {
  word |= value << (bits * index);
}

/// Fills A from 16 row-major rows: registers go down 8 rows first, then along the row.
static void fillA(Lanes &lanes, const Case &c, unsigned columns, auto valueAt) {
  const unsigned packed = 32 / c.bits;
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < columns; ++column) {
      const unsigned word = column / packed, lane = row % 8 * 4 + word % 4;
      place(lanes.a(lane, word / 4 * 2 + row / 8), c.bits, column % packed,
            c.inRegister(valueAt(row, column), c.a));
    }
}

static void fillB(Lanes &lanes, const Case &c, auto valueAt) {
  const unsigned packed = 32 / c.bits;
  for (unsigned k = 0; k < c.k; ++k)
    for (unsigned column = 0; column < 8; ++column) {
      const unsigned word = k / packed;
      place(lanes.b(column * 4 + word % 4, word / 4), c.bits, k % packed,
            c.inRegister(valueAt(k, column), c.b));
    }
}

static void expectProduct(const std::string &name, const Case &c, const std::vector<uint32_t> &got,
                          auto sumAt) {
  const bool isHalf = c.d == "f16";
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      const unsigned lane = row % 8 * 4 + column / 2, i = row / 8 * 2 + column % 2;
      const float sum = float(sumAt(row, column));
      if (isHalf)
        ASSERT_EQ(got[lane * 2 + i / 2] >> (16 * (i % 2)) & 0xFFFF,
                  numerics::roundToFormat(sum, Format::F16).bits)
            << name;
      else
        ASSERT_EQ(got[lane * 4 + i],
                  c.d == "f32" ? std::bit_cast<uint32_t>(sum) : uint32_t(int(sum)))
            << name << " row " << row << " column " << column;
    }
}

//===-- Sparse ------------------------------------------------------------------------------===//

/// The position of a stored element in its run: one of a pair in runs of 4, or the only one of 2.
static unsigned chosen(unsigned row, unsigned group, unsigned which, bool isTf32) {
  static constexpr unsigned pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  return isTf32 ? (row + group) % 2 : pairs[(row * 5 + group) % 6][which];
}

/// The column of the element stored at `stored`.
static unsigned columnOf(const Case &c, unsigned row, unsigned stored) {
  if (c.bits == 32)
    return stored * 2 + chosen(row, stored, 0, true);
  const unsigned unit = c.bits == 4 ? 2 : 1, index = stored / unit;
  return (index / 2 * 4 + chosen(row, index / 2, index % 2, false)) * unit + stored % unit;
}

/// All metadata of a row, from bit 0 on.
static std::vector<bool> metadataOf(const Case &c, unsigned row) {
  std::vector<bool> bits;
  const unsigned unit = c.bits == 4 ? 2 : 1;
  for (unsigned index = 0; index < c.k / 2 / unit; ++index) {
    const unsigned value = c.bits == 32 ? (chosen(row, index, 0, true) ? 0b1110 : 0b0100)
                                        : chosen(row, index / 2, index % 2, false);
    for (unsigned bit = 0; bit < (c.bits == 32 ? 4u : 2u); ++bit)
      bits.push_back(value >> bit & 1);
  }
  return bits;
}

/// Rows r and r + 8 share lanes: 16 bits of each in one lane, or 32 bits of one in each of two
/// lanes.
static void fillMetadata(Lanes &lanes, const Case &c, unsigned selector, unsigned number = 0) {
  for (unsigned row = 0; row < 16; ++row) {
    const std::vector<bool> bits = metadataOf(c, row);
    const bool isNarrow = c.bits <= 8;
    const unsigned count = isNarrow ? unsigned(bits.size()) / 32 * 2 : unsigned(bits.size()) / 16;
    for (unsigned at = 0; at < bits.size(); ++at) {
      const unsigned lane =
          row % 8 * 4 + selector * count + (isNarrow ? at / 32 * 2 + row / 8 : at / 16);
      const unsigned bit = isNarrow ? at % 32 : at % 16 + 16 * (row / 8);
      lanes.more(lane, number) |= uint32_t(bits[at]) << bit;
    }
  }
}

static void checkSparse(const Case &c, unsigned selector, const std::string &sparse = "sp") {
  const bool isHalf = c.d == "f16";
  const unsigned countA = 16 * c.k / 2 * c.bits / 32 / 32, countB = 8 * c.k * c.bits / 32 / 32;
  Lanes lanes(countA, countB, isHalf ? 2 : 4, 1);
  const bool isSignedA = c.a[0] != 'u', isSignedB = c.b[0] != 'u';
  fillA(lanes, c, c.k / 2, [&](unsigned row, unsigned stored) {
    return numberAt(row, columnOf(c, row, stored), isSignedA, 1);
  });
  fillB(lanes, c, [&](unsigned k, unsigned column) { return numberAt(k, column, isSignedB, 2); });
  fillMetadata(lanes, c, selector);
  const std::string name = "mma." + sparse + ".sync.aligned.m16n8k" + std::to_string(c.k) +
                           ".row.col" + (c.kind.empty() ? "" : ".kind::" + c.kind) + "." + c.d +
                           "." + c.a + "." + c.b + "." + c.d;
  const auto got = multiply(name, lanes, isHalf ? 2 : 4, c.d == "f32", c.d == "f32",
                            ", %m0, " + std::to_string(selector));
  expectProduct(name, c, got, [&](unsigned row, unsigned column) {
    int sum = 0;
    for (unsigned stored = 0; stored < c.k / 2; ++stored) {
      const unsigned k = columnOf(c, row, stored);
      sum += numberAt(row, k, isSignedA, 1) * numberAt(k, column, isSignedB, 2);
    }
    return sum;
  });
}

TEST(SparseProducts, Of16And32Bits) {
  for (const std::string type : {"f16", "bf16"})
    for (unsigned selector = 0; selector < 4; ++selector) {
      checkSparse({16, type, type, "f32", 16}, selector);
      checkSparse({32, type, type, "f32", 16}, selector % 2);
    }
  checkSparse({16, "f16", "f16", "f16", 16}, 3);
  checkSparse({32, "f16", "f16", "f16", 16}, 1, "sp::ordered_metadata");
  for (unsigned selector = 0; selector < 4; ++selector) {
    checkSparse({8, "tf32", "tf32", "f32", 32}, selector);
    checkSparse({16, "tf32", "tf32", "f32", 32}, selector % 2);
  }
}

TEST(SparseProducts, Of4And8Bits) {
  for (const std::string a : {"u8", "s8"})
    for (const std::string b : {"u8", "s8"}) {
      checkSparse({32, a, b, "s32", 8}, 0);
      checkSparse({32, a, b, "s32", 8}, 1);
      checkSparse({64, a, b, "s32", 8}, 0);
    }
  for (const std::string type : {"u4", "s4"}) {
    checkSparse({64, type, type, "s32", 4}, 1);
    checkSparse({128, type, type, "s32", 4}, 0);
  }
  for (const std::string a : {"e4m3", "e5m2"})
    for (const std::string b : {"e4m3", "e5m2"})
      checkSparse({64, a, b, "f32", 8}, 0, "sp::ordered_metadata");
  checkSparse({64, "e3m2", "e2m1", "f32", 8, "f8f6f4"}, 0, "sp::ordered_metadata");
  checkSparse({64, "e2m1", "e2m3", "f16", 8, "f8f6f4"}, 0, "sp::ordered_metadata");
}

TEST(SparseProducts, SelectorIsChecked) {
  const std::string code = "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4},"
                           "{%r1,%r2,%r3,%r4},{%r1,%r2,%r3,%r4},{%f1,%f2,%f3,%f4},%r5,";
  EXPECT_EQ(refusalOf(code + "1;"), "");
  EXPECT_NE(refusalOf(code + "2;").find("sparsity selector"), std::string::npos);
}

//===-- Small formats and scales ------------------------------------------------------------===//

TEST(SmallProducts, AllFormatPairs) {
  const std::vector<std::string> types = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"};
  for (const std::string &a : types)
    for (const std::string &b : types)
      for (const std::string d : {"f32", "f16"}) {
        const Case c{32, a, b, d, 8};
        Lanes lanes(4, 2, d == "f16" ? 2 : 4, 0);
        fillA(lanes, c, 32, [](unsigned row, unsigned k) { return numberAt(row, k, true, 1); });
        fillB(lanes, c, [](unsigned k, unsigned column) { return numberAt(k, column, true, 2); });
        const std::string name =
            "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4." + d + "." + a + "." + b + "." + d;
        expectProduct(name, c,
                      multiply(name, lanes, d == "f16" ? 2 : 4, d == "f32", d == "f32", ""),
                      [](unsigned row, unsigned column) {
                        int sum = 0;
                        for (unsigned k = 0; k < 32; ++k)
                          sum += numberAt(row, k, true, 1) * numberAt(k, column, true, 2);
                        return sum;
                      });
      }
}

/// The exponent of a scale from 1 to 4, for a row of A or a column of B and a run along k.
static unsigned exponentAt(unsigned line, unsigned run, unsigned seed) {
  return (line * 3 + run + seed) % 3;
}

/// A scale is 2^e: in ue8m0 127 + e, in ue4m3 an exponent of 7 + e above 3 bits of mantissa.
static uint32_t encodeScale(unsigned exponent, const std::string &type) {
  return type == "ue8m0" ? 127 + exponent : (7 + exponent) << 3;
}

/// Scales of A in %m0, of B in %m1, from byte `byte` on.
static void fillScales(Lanes &lanes, unsigned runs, const std::string &scale, unsigned byte,
                       unsigned threadA, unsigned threadB) {
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned run = 0; run < runs; ++run)
      lanes.more(row % 8 * 4 + 2 * threadA + row / 8, 0) |=
          encodeScale(exponentAt(row, run, 0), scale) << (8 * (byte + run));
  for (unsigned column = 0; column < 8; ++column)
    for (unsigned run = 0; run < runs; ++run)
      lanes.more(column * 4 + threadB, 1) |= encodeScale(exponentAt(column, run, 1), scale)
                                             << (8 * (byte + run));
}

static void checkScaled(const Case &c, unsigned runs, const std::string &scale, unsigned byte,
                        unsigned threadA, unsigned threadB, const std::string &vector,
                        bool isSparse = false) {
  const unsigned columns = isSparse ? c.k / 2 : c.k;
  const auto columnAt = [&](unsigned row, unsigned stored) {
    return isSparse ? columnOf(c, row, stored) : stored;
  };
  Lanes lanes(4, isSparse ? 4 : 2, 4, isSparse ? 3 : 2);
  fillA(lanes, c, columns, [&](unsigned row, unsigned stored) {
    return numberAt(row, columnAt(row, stored), true, 1);
  });
  fillB(lanes, c, [](unsigned k, unsigned column) { return numberAt(k, column, true, 2); });
  fillScales(lanes, runs, scale, byte, threadA, threadB);
  if (isSparse)
    fillMetadata(lanes, c, 0, 2);
  const std::string name = std::string("mma.") + (isSparse ? "sp::ordered_metadata." : "") +
                           "sync.aligned.m16n8k" + std::to_string(c.k) +
                           ".row.col.kind::" + c.kind + ".block_scale" + vector + ".f32." + c.a +
                           "." + c.b + ".f32." + scale;
  const auto choice = [&](unsigned thread) {
    return "{" + std::to_string(byte) + ", " + std::to_string(thread) + "}";
  };
  const auto got = multiply(name, lanes, 4, true, true,
                            (isSparse ? ", %m2, 0, %m0, " : ", %m0, ") + choice(threadA) +
                                ", %m1, " + choice(threadB));
  expectProduct(name, c, got, [&](unsigned row, unsigned column) {
    int sum = 0;
    for (unsigned stored = 0; stored < columns; ++stored) {
      const unsigned k = columnAt(row, stored), run = k * runs / c.k;
      sum += (numberAt(row, k, true, 1) * numberAt(k, column, true, 2)) *
             (1 << exponentAt(row, run, 0) << exponentAt(column, run, 1));
    }
    return sum;
  });
}

TEST(ScaledProducts, OneScale) {
  for (const std::string a : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"})
    checkScaled({32, a, "e2m1", "f32", 8, "mxf8f6f4"}, 1, "ue8m0", 0, 0, 0, "");
  checkScaled({32, "e4m3", "e5m2", "f32", 8, "mxf8f6f4"}, 1, "ue8m0", 3, 1, 3, ".scale_vec::1X");
}

TEST(ScaledProducts, TwoAndFourScales) {
  checkScaled({64, "e2m1", "e2m1", "f32", 4, "mxf4"}, 2, "ue8m0", 0, 0, 1, "");
  checkScaled({64, "e2m1", "e2m1", "f32", 4, "mxf4"}, 2, "ue8m0", 2, 1, 2, ".scale_vec::2X");
  checkScaled({64, "e2m1", "e2m1", "f32", 4, "mxf4nvf4"}, 2, "ue8m0", 2, 0, 3, ".scale_vec::2X");
  checkScaled({64, "e2m1", "e2m1", "f32", 4, "mxf4nvf4"}, 4, "ue4m3", 0, 1, 0, ".scale_vec::4X");
}

TEST(ScaledProducts, OfSparseMatrices) {
  for (const std::string a : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"}) {
    checkScaled({64, a, "e2m1", "f32", 8, "mxf8f6f4"}, 1, "ue8m0", 0, 0, 0, "", true);
    checkScaled({64, "e3m2", a, "f32", 8, "mxf8f6f4"}, 1, "ue8m0", 3, 1, 3, ".scale_vec::1X", true);
  }
  checkScaled({128, "e2m1", "e2m1", "f32", 4, "mxf4"}, 2, "ue8m0", 2, 1, 2, "", true);
  checkScaled({128, "e2m1", "e2m1", "f32", 4, "mxf4nvf4"}, 2, "ue8m0", 0, 0, 3, ".scale_vec::2X",
              true);
  checkScaled({128, "e2m1", "e2m1", "f32", 4, "mxf4nvf4"}, 4, "ue4m3", 0, 1, 0, ".scale_vec::4X",
              true);
  const std::string rest = ".sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1."
                           "f32.ue8m0 {%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r1,%r2,%r3,%r4},"
                           "{%f1,%f2,%f3,%f4},%r5,";
  EXPECT_EQ(refusalOf("mma.sp::ordered_metadata" + rest + "0,%r6,{0,0},%r7,{0,0};"), "");
  EXPECT_NE(refusalOf("mma.sp::ordered_metadata" + rest + "1,%r6,{0,0},%r7,{0,0};")
                .find("sparsity selector"),
            std::string::npos);
  const std::string open = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.f32.e2m1."
                           "e2m1.f32.ue8m0 {%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r1,%r2},"
                           "{%f1,%f2,%f3,%f4},%r6,{0,0},%r7,{0,0};";
  EXPECT_NE(refusalOf(open).find("has no .scale_vec"), std::string::npos) << refusalOf(open);
  EXPECT_NE(refusalOf("mma.sp" + rest + "0,%r6,{0,0},%r7,{0,0};").find("ordered_metadata"),
            std::string::npos);
}

TEST(ScaledProducts, RejectsInvalidSelectors) {
  const std::string code =
      "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0 "
      "{%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r1,%r2},{%f1,%f2,%f3,%f4},%r5,";
  EXPECT_EQ(refusalOf(code + "{2,1},%r6,{0,3};"), "");
  EXPECT_NE(refusalOf(code + "{1,0},%r6,{0,0};").find("no byte 1"), std::string::npos);
  EXPECT_NE(refusalOf(code + "{0,2},%r6,{0,0};").find("no thread 2"), std::string::npos);
  EXPECT_NE(refusalOf(code + "%r6,%r6,{0,0};").find("{byte, thread}"), std::string::npos);
}

//===-- Quad pairs --------------------------------------------------------------------------===//

/// Lanes 4 * pair + i and 16 + 4 * pair + i hold the matrices of this pair.
static int pairValue(unsigned pair, unsigned row, unsigned column, unsigned seed) {
  return numberAt(row + pair, column, true, seed);
}

static void checkQuadPairs(bool isColumnA, bool isColumnB, bool isSingleC, bool isSingleD) {
  Lanes lanes(2, 2, isSingleC ? 8 : 4, 0);
  const auto laneOf = [](unsigned pair, unsigned line) {
    return 4 * pair + line % 4 + (line < 4 ? 0 : 16);
  };
  for (unsigned pair = 0; pair < 4; ++pair)
    for (unsigned line = 0; line < 8; ++line)
      for (unsigned k = 0; k < 4; ++k) {
        // In a row-major A, a lane has a row; in a column-major one, four rows of a column.
        const unsigned laneA = isColumnA ? laneOf(pair, line / 4 * 4 + k) : laneOf(pair, line);
        const unsigned iA = isColumnA ? line % 4 : k;
        place(lanes.a(laneA, iA / 2), 16, iA % 2, encode(pairValue(pair, line, k, 1), "f16"));
        const unsigned laneB = isColumnB ? laneOf(pair, line) : laneOf(pair, line / 4 * 4 + k);
        const unsigned iB = isColumnB ? k : line % 4;
        place(lanes.b(laneB, iB / 2), 16, iB % 2, encode(pairValue(pair, k, line, 2), "f16"));
      }
  const auto visitSum = [&](bool isSingle, auto visit) {
    for (unsigned pair = 0; pair < 4; ++pair)
      for (unsigned row = 0; row < 8; ++row)
        for (unsigned column = 0; column < 8; ++column) {
          // For f32, a lane has squares of 2 x 2 of rows r and r + 2: bit 0 of its number selects
          // the row, bit 1 the column.
          const unsigned inQuad = isSingle ? row % 2 + column / 2 % 2 * 2 : row % 4;
          const unsigned i = isSingle ? row / 2 % 2 * 2 + column / 4 * 4 + column % 2 : column;
          visit(pair, row, column, 4 * pair + inQuad + (row < 4 ? 0 : 16), i);
        }
  };
  visitSum(isSingleC, [&](unsigned pair, unsigned row, unsigned column, unsigned lane, unsigned i) {
    const int value = pairValue(pair, row, column, 3);
    if (isSingleC)
      lanes.c(lane, i) = encode(value, "f32");
    else
      place(lanes.c(lane, i / 2), 16, i % 2, encode(value, "f16"));
  });
  const std::string name = std::string("mma.sync.aligned.m8n8k4.") + (isColumnA ? "col." : "row.") +
                           (isColumnB ? "col." : "row.") + (isSingleD ? "f32" : "f16") +
                           ".f16.f16." + (isSingleC ? "f32" : "f16");
  const unsigned countD = isSingleD ? 8 : 4;
  const auto got = multiply(name, lanes, countD, isSingleC, isSingleD, "");
  visitSum(isSingleD, [&](unsigned pair, unsigned row, unsigned column, unsigned lane, unsigned i) {
    int sum = pairValue(pair, row, column, 3);
    for (unsigned k = 0; k < 4; ++k)
      sum += pairValue(pair, row, k, 1) * pairValue(pair, k, column, 2);
    const uint32_t word = got[lane * countD + (isSingleD ? i : i / 2)];
    if (isSingleD)
      ASSERT_EQ(word, std::bit_cast<uint32_t>(float(sum))) << name;
    else
      ASSERT_EQ(word >> (16 * (i % 2)) & 0xFFFF, numerics::roundToFormat(sum, Format::F16).bits)
          << name;
  });
}

TEST(QuadPairs, FourProductsAtOnce) {
  for (unsigned form = 0; form < 16; ++form) {
    const bool isSingleC = form & 4, isSingleD = form & 8;
    checkQuadPairs(form & 1, form & 2, isSingleC, isSingleD);
  }
}
