// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.mma.ws: where D and A are in tensor memory, masks of columns of B, and its rules.

#include "tilewright/ptx/tcgen05/ProductTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

namespace {
struct Form {
  Types kind = halves;
  unsigned m = 64, n = 64;
  Layout ofA = wide128, ofB = wide128;
  std::string a = "%rd4", tail = "%p4", modifiers = "", before = "";
  uint32_t bits = 0; ///< More bits of the instruction descriptor.
};
} // namespace

/// A product; the first product may be added to a second one by `tail`.
static std::string productOf(const Form &form) {
  return "@%p2 tcgen05.mma.ws.cta_group::1.kind::" + std::string(form.kind.name) + form.modifiers +
         " [%r4], " + form.a + ", %rd5, %r10, " + form.tail + ";\n";
}

static unsigned partsOf(const Form &form) { return 128 / form.m; }

static std::string kernelOf(const Form &form, const std::string &products) {
  return init + allocation(512) + copyImage() + proxy + "bar.sync 0;\n" +
         descriptors(descriptorOf(form.kind.a, form.ofA, 0, form.m),
                     descriptorOf(form.kind.b, form.ofB, startOfB, form.n),
                     instructionOf(form.kind, form.m, form.n, form.ofA, form.ofB) | form.bits) +
         form.before + products + commit + waiting + after + results(form.n / partsOf(form)) +
         release(512);
}

/// All lanes have results: each part of the columns is in the next `m` lanes.
static void check(const Form &form, const std::string &products, const Words &image,
                  const std::function<int(unsigned row, unsigned column)> &expected) {
  const unsigned width = form.n / partsOf(form);
  const Words found = tensorResult(kernelOf(form, products), image, 128 * width);
  for (unsigned row = 0; row < form.m; ++row)
    for (unsigned column = 0; column < form.n; ++column) {
      const unsigned lane = column / width * form.m + row;
      ASSERT_EQ(found[lane * width + column % width], encoded(form.kind, expected(row, column)))
          << form.kind.name << " " << form.m << "x" << form.n << " row " << row << " column "
          << column;
    }
}

static Words imageOf(const Form &form) {
  return tilewright::ptx::testing::tensor::imageOf(form.kind, form.m, form.n, form.ofA, form.ofB);
}

TEST(TensorStationary, MultipliesAllShapes) {
  for (unsigned m : {32u, 64u, 128u})
    for (unsigned n : {64u, 128u, 256u}) {
      Form form{.m = m, .n = n};
      Form added = form;
      added.tail = "%p2, 0";
      check(form, productOf(form) + productOf(added), imageOf(form),
            [&](unsigned row, unsigned column) { return 2 * exactAt(form.kind, row, column); });
    }
}

TEST(TensorStationary, MultipliesAllKinds) {
  for (const Types &kind :
       {Types{"f16", 16, 1, brain, brain}, Types{"f16", 16, 0, half, half},
        Types{"tf32", 8, 1, single, single}, Types{"f8f6f4", 32, 1, e4m3, e2m1},
        Types{"f8f6f4", 32, 0, e3m2, e5m2}, Types{"i8", 32, 2, signedByte, unsignedByte}})
    for (unsigned m : {32u, 64u, 128u}) {
      const Form form{.kind = kind, .m = m, .n = 128, .ofA = wide32, .ofB = wide64};
      check(form, productOf(form), imageOf(form),
            [&](unsigned row, unsigned column) { return exactAt(kind, row, column); });
    }
  for (const Layout &layout : {rowsOnly, tall, tall64, tall128}) {
    const Form form{.m = 32, .n = 128, .ofA = layout, .ofB = layout};
    check(form, productOf(form), imageOf(form),
          [&](unsigned row, unsigned column) { return exactAt(halves, row, column); });
  }
}

TEST(TensorStationary, IgnoresCollectors) {
  for (const char *buffer : {"b0", "b1", "b2", "b3"})
    for (const char *operation : {"fill", "use", "lastuse", "discard"}) {
      const Form form{.modifiers = std::string(".collector::") + buffer + "::" + operation};
      check(form, productOf(form), imageOf(form),
            [&](unsigned row, unsigned column) { return exactAt(halves, row, column); });
    }
}

TEST(TensorStationary, ReadsTensorMemory) {
  // Each part of the columns has its own A, here with other values: row r of part p is row
  // p * m + r of a matrix of 128 rows, which is copied to columns 256 and up.
  for (unsigned m : {32u, 64u, 128u}) {
    const uint64_t matrix = descriptorOf(half, rowsOnly, 0, 128);
    const Form form{.m = m,
                    .n = 128,
                    .a = "[%r4+256]",
                    .before = "mov.u64 %rd7, " + std::to_string(matrix) +
                              ";\nadd.u64 %rd7, %rd7, %rd6;\n"
                              "@%p2 tcgen05.cp.cta_group::1.128x256b [%r4+256], %rd7;\n"};
    const Words image =
        tilewright::ptx::testing::tensor::imageOf(halves, 128, form.n, rowsOnly, form.ofB);
    check(form, productOf(form), image, [&](unsigned row, unsigned column) {
      return exactAt(halves, column / (128 / (128 / m)) * m + row, column);
    });
  }
}

//===-- Columns of zeros --------------------------------------------------------------------===//

namespace {
/// Fields of a descriptor, the one of part 0 first.
struct Mask {
  std::array<unsigned, 4> start = {}, beginsWithZeros = {};
  unsigned skip = 2, use = 3, shift = 0;
  bool isUsed = true;

  uint64_t bits() const {
    uint64_t all =
        uint64_t(isUsed) << 39 | uint64_t(skip) << 40 | uint64_t(use) << 48 | uint64_t(shift) << 56;
    for (unsigned part = 0; part < 4; ++part)
      all |= uint64_t(start[part]) << 8 * part | uint64_t(beginsWithZeros[part]) << (32 + part);
    return all;
  }
};
} // namespace

static Form masked(unsigned m, unsigned n, const Mask &mask, uint32_t bits = 0) {
  return {.m = m,
          .n = n,
          .tail = "%p4, %rd8",
          .before = "mov.u64 %rd8, " + std::to_string(mask.bits()) + ";\n",
          .bits = bits};
}

/// The examples of PTX ISA, 9.7.16.4.3: column c of a part is zero if the pattern has a 1 for it.
TEST(TensorStationary, SkipsColumns) {
  const auto checkMask = [](const Form &form, unsigned shift,
                            const std::vector<std::string> &patterns) {
    std::vector<uint8_t> image(49152);
    place(image, 0, half, form.ofA, form.m, 16, 0);
    place(image, startOfB, half, form.ofB, form.n + shift, 16, 3);
    Words words(image.size() / 4);
    std::memcpy(words.data(), image.data(), image.size());
    const unsigned width = form.n / unsigned(patterns.size());
    check(form, productOf(form), words, [&](unsigned row, unsigned column) {
      const std::string &pattern = patterns[column / width];
      return pattern[column % width % pattern.size()] == '1' ? 0
                                                             : exactAt(halves, row, column + shift);
    });
  };
  checkMask(masked(128, 128, {.skip = 4, .isUsed = false}), 0, {"0"});
  checkMask(masked(128, 128, {}), 0, {"0000111"});
  checkMask(masked(64, 128, {.beginsWithZeros = {1, 0}}), 0, {"1110000", "0000111"});
  checkMask(masked(32, 128, {.start = {0, 1, 2, 1}, .beginsWithZeros = {1, 1, 0, 0}, .shift = 2},
                   1u << 30),
            2, {"1110000", "1100001", "0011100", "0001110"});
  checkMask(masked(64, 64, {.skip = 0, .use = 255, .shift = 32}, 3u << 30), 32, {"0", "0"});
}

TEST(TensorStationary, SkipsUndefinedColumns) {
  // Only the columns of B that are used must be defined: the first 8 of 64 are.
  const auto found = [](unsigned use) {
    const Form form = masked(128, 64, {.skip = 255, .use = use});
    std::string code = kernelOf(form, productOf(form));
    // Thread t writes row t of A, which has 128 bytes, and the first 8 rows of B.
    const std::string store = "mov.u32 %r7, tile;\nshl.b32 %r6, %r1, 7;\nadd.u32 %r7, %r7, %r6;\n"
                              "mov.u32 %v0, 0;\nsetp.lt.u32 %p3, %r1, 64;\n";
    std::string stores = store;
    for (unsigned at = 0; at < 8; ++at)
      stores += "st.shared.v4.b32 [%r7+" + std::to_string(16 * at) + "], {%v0, %v0, %v0, %v0};\n";
    stores += "setp.lt.u32 %p3, %r1, 8;\n";
    for (unsigned at = 0; at < 8; ++at)
      stores += "@%p3 st.shared.v4.b32 [%r7+" + std::to_string(startOfB + 16 * at) +
                "], {%v0, %v0, %v0, %v0};\n";
    return tensorFinding(replaced(code, copyImage(), stores)).substr(0, 15);
  };
  EXPECT_EQ(found(7), "nothing");
  EXPECT_EQ(found(8), "undefined-value");
}

TEST(TensorStationary, ChecksRules) {
  const auto found = [](Form form) {
    const std::string text = tensorFinding(kernelOf(form, productOf(form)), imageOf({}));
    return text.substr(0, text.find(" @ "));
  };
  const auto with = [](unsigned m, unsigned n, const Mask &mask = {.isUsed = false},
                       uint32_t bits = 0) { return masked(m, n, mask, bits); };
  EXPECT_EQ(found(with(64, 64)), "nothing");
  EXPECT_EQ(found(with(64, 96)), "tensor-memory: the instruction descriptor has N 96, expected 64, "
                                 "128 or 256");
  EXPECT_EQ(found(with(16, 64)), "tensor-memory: the instruction descriptor has M 16, expected 32, "
                                 "64 or 128");
  EXPECT_EQ(found(with(64, 64, {.shift = 33}, 3u << 30)),
            "tensor-memory: the zero-column mask descriptor shifts columns by 33, expected at most "
            "32");
  EXPECT_EQ(found(with(32, 64, {.shift = 17}, 3u << 30)),
            "tensor-memory: the zero-column mask descriptor shifts columns by 17, expected at most "
            "16");
  EXPECT_EQ(
      found(with(64, 64, {.shift = 9}, 1u << 30)),
      "tensor-memory: the machine does not implement this (the kernel may be right): a "
      "zero-column mask descriptor that shifts columns by 9, where the instruction descriptor "
      "has a maximum shift of 8");
  Form reserved = with(64, 64);
  reserved.before = "mov.u64 %rd8, " + std::to_string(uint64_t(1) << 36) + ";\n";
  EXPECT_EQ(found(reserved), "tensor-memory: the zero-column mask descriptor has reserved bits");
  Form lane = with(64, 64);
  lane.before += "add.u32 %r4, %r4, 0x100000;\n";
  EXPECT_EQ(found(lane), "tensor-memory: D begins at lane 0 of tensor memory, and not at lane 16, "
                         "column 0");
  Form undefined = with(64, 64);
  undefined.tail = "%p4, %rd9";
  EXPECT_EQ(found(undefined),
            "undefined-value: an operand of a tcgen05 instruction is not defined");
}

TEST(TensorStationary, RefusesByName) {
  for (const char *code :
       {"tcgen05.mma.ws.cta_group::2.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;",
        "tcgen05.mma.ws.cta_group::1.kind::mxf4.block_scale [%r1], %rd1, %rd2, %r2, [%r3], [%r4], "
        "%p1;",
        "tcgen05.mma.ws.cta_group::1.kind::f16.collector::a::fill [%r1], %rd1, %rd2, %r2, %p1;",
        "tcgen05.mma.cta_group::1.kind::f16.collector::b0::fill [%r1], %rd1, %rd2, %r2, %p1;"})
    EXPECT_NE(refusalOf(code).find("not supported"), std::string::npos) << refusalOf(code);
  EXPECT_NE(refusalOf("tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, {%r4, %r5, "
                      "%r6, %r7}, %p1;"),
            "");
}
