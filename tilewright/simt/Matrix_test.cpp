// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks matrix instructions against plain matrix products. Operands are read from row-major
// matrices at the places that the manual gives for single registers.

#include "test/support/simt/SimtTest.h"

using namespace tilewright::simt;

using Values = std::vector<double>;

namespace {
struct Shape {
  int64_t m, n, k;
  /// Element types of A and B, and of C.
  std::string operand, sum;
  /// Elements per 32-bit register.
  int64_t word;
};

class MmaSync : public testing::TestWithParam<Shape> {};

/// An operand as a table in memory with the registers of each lane.
Numbers table(int64_t registers) { return zeros({32, registers}); }
double left(int64_t row, int64_t k) { return double((row * 3 + k * 5) % 7 - 3); }
double right(int64_t k, int64_t column) { return double((k * 2 + column * 3) % 5 - 2); }
double start(int64_t row, int64_t column) { return double(row - column); }
} // namespace

/// Registers are packed: a vector<RxW> has R registers with W elements each. The places below are
/// those of the manual's tables, by halves: the upper 8 rows come before the next words along k.
TEST_P(MmaSync, IsAProductOfMatrices) {
  const Shape s = GetParam();
  const int64_t a = s.m * s.k / 32, b = s.k * s.n / 32, c = s.m * s.n / 32;
  Numbers as = table(a), bs = table(b), cs = table(c);
  for (int64_t lane = 0; lane < 32; ++lane) {
    const int64_t group = lane / 4, thread = lane % 4;
    int64_t i = 0;
    for (int64_t k = 0; k < s.k; k += 4 * s.word)
      for (int64_t row = 0; row < s.m; row += 8)
        for (int64_t part = 0; part < s.word; ++part)
          as.values[lane * a + i++] = left(group + row, k + thread * s.word + part);
    i = 0;
    for (int64_t k = 0; k < s.k; k += 4 * s.word)
      for (int64_t part = 0; part < s.word; ++part)
        bs.values[lane * b + i++] = right(k + thread * s.word + part, group);
    i = 0;
    for (int64_t row = 0; row < s.m; row += 8)
      for (int64_t part = 0; part < 2; ++part)
        cs.values[lane * c + i++] = start(group + row, 2 * thread + part);
  }
  const auto vector = [](int64_t count, int64_t word, const std::string &type) {
    return std::to_string(count / word) + "x" + std::to_string(word) + "x" + type;
  };
  const auto load = [](const std::string &name, int64_t count, const std::string &packed,
                       const std::string &type) {
    const std::string flat = std::to_string(count) + "x" + type, memory = "memref<32x" + flat + ">";
    return "%f" + name + " = vector.load %" + name + "[%l, %z] : " + memory + ", vector<" + flat +
           ">\n%v" + name + " = vector.shape_cast %f" + name + " : vector<" + flat +
           "> to vector<" + packed + ">\n";
  };
  const auto memref = [](int64_t count, const std::string &type) {
    return "memref<32x" + std::to_string(count) + "x" + type + ">";
  };
  const std::string va = vector(a, s.word, s.operand), vb = vector(b, s.word, s.operand),
                    vc = vector(c, 2, s.sum), flat = std::to_string(c) + "x" + s.sum;
  const std::string shape =
      std::to_string(s.m) + ", " + std::to_string(s.n) + ", " + std::to_string(s.k);
  Ran ran = runText(
      "func.func @f(%a: " + memref(a, s.operand) + ", %b: " + memref(b, s.operand) +
          ", %c: " + memref(c, s.sum) + ") {\n%l = gpu.lane_id\n%z = arith.constant 0 : index\n" +
          load("a", a, va, s.operand) + load("b", b, vb, s.operand) + load("c", c, vc, s.sum) +
          "%d = nvgpu.mma.sync(%va, %vb, %vc) {mmaShape = [" + shape + "]" +
          (s.operand == "f32" ? ", tf32Enabled" : "") + "} : (vector<" + va + ">, vector<" + vb +
          ">, vector<" + vc + ">) -> vector<" + vc + ">\n%r = vector.shape_cast %d : vector<" + vc +
          "> to vector<" + flat + ">\nvector.store %r, %c[%l, %z] : " + memref(c, s.sum) +
          ", vector<" + flat + ">\nreturn }",
      {{32, 1, 1}}, {as, bs, cs});
  ASSERT_EQ(ran.refusal, "");
  EXPECT_EQ(ran.ruleIds(), RuleIds{});
  const Values found = ran.values(2);
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t i = 0; i < c; ++i) {
      const int64_t row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
      double expected = start(row, column);
      for (int64_t k = 0; k < s.k; ++k)
        expected += left(row, k) * right(k, column);
      ASSERT_EQ(found[lane * c + i], expected) << "lane " << lane << " register " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, MmaSync,
    testing::Values(Shape{16, 8, 16, "f16", "f32", 2}, Shape{16, 8, 16, "f16", "f16", 2},
                    Shape{16, 8, 8, "f16", "f32", 2}, Shape{16, 8, 16, "bf16", "f32", 2},
                    Shape{16, 8, 8, "f32", "f32", 1}, Shape{16, 8, 4, "f32", "f32", 1},
                    Shape{16, 8, 32, "i8", "i32", 4}, Shape{16, 8, 16, "i8", "i32", 4},
                    Shape{16, 8, 64, "i4", "i32", 8}, Shape{8, 8, 4, "f64", "f64", 1}));

//===-- ldmatrix -------------------------------------------------------------------------===//

/// The 16 x 16 tile holds 0 to 255; lane l addresses row l mod 16 and column 8 (l / 16), as for A
/// of m16n8k16 (layouts, 4.6). Lane 5 is in group 1, thread 1.
static Values loadA(const std::string &transpose) {
  Ran ran = runText(R"(#shared = #gpu.address_space<workgroup>
    func.func @f(%in: memref<16x16xf16>, %out: memref<32x8xf16>) {
      %tile = memref.alloc() : memref<16x16xf16, #shared>
      %t = gpu.thread_id x
      %z = arith.constant 0 : index
      %i:2 = affine.delinearize_index %t into (2, 16) : index, index
      %c = affine.apply affine_map<(d) -> (8 * d)>(%i#0)
      %v = vector.load %in[%i#1, %c] : memref<16x16xf16>, vector<8xf16>
      vector.store %v, %tile[%i#1, %c] : memref<16x16xf16, #shared>, vector<8xf16>
      gpu.barrier
      %m = nvgpu.ldmatrix %tile[%i#1, %c] {numTiles = 4 : i32, transpose = )" +
                        transpose + R"(}
        : memref<16x16xf16, #shared> -> vector<4x2xf16>
      %r = vector.shape_cast %m : vector<4x2xf16> to vector<8xf16>
      vector.store %r, %out[%t, %z] : memref<32x8xf16>, vector<8xf16>
      return })",
                    {{32, 1, 1}}, {iota({16, 16}), zeros({32, 8})});
  EXPECT_EQ(ran.refusal, "");
  EXPECT_EQ(ran.ruleIds(), RuleIds{});
  const Values all = ran.values(1);
  return Values(all.begin() + 5 * 8, all.begin() + 6 * 8);
}

TEST(LdMatrix, GivesTheFragmentOfA) {
  // (1,2)(1,3) (9,2)(9,3) (1,10)(1,11) (9,10)(9,11)
  EXPECT_EQ(loadA("false"), (Values{18, 19, 146, 147, 26, 27, 154, 155}));
}

TEST(LdMatrix, Transposed) {
  // (2,1)(3,1) (10,1)(11,1) (2,9)(3,9) (10,9)(11,9)
  EXPECT_EQ(loadA("true"), (Values{33, 49, 161, 177, 41, 57, 169, 185}));
}

TEST(MatrixInstructions, NeedWholeWarps) {
  Ran ran = runText(R"(func.func @f() {
      %a = arith.constant dense<1.> : vector<4x2xf16>
      %b = arith.constant dense<1.> : vector<2x2xf16>
      %c = arith.constant dense<1.> : vector<2x2xf32>
      %t = gpu.thread_id x
      %n = arith.constant 16 : index
      %h = arith.cmpi ult, %t, %n : index
      scf.if %h {
        %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      }
      return })",
                    {{32, 1, 1}}, {});
  EXPECT_EQ(ran.ruleIds(), RuleIds{"divergent-barrier"});
}
