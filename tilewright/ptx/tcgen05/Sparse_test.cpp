// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.mma.sp and .ws.sp: which elements of A the metadata in tensor memory choose, and rules.

#include "tilewright/ptx/tcgen05/ProductTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

namespace {
struct Form {
  Types kind = halves; ///< With the number of stored elements as k.
  unsigned m = 128, n = 64, selector = 0;
  bool isStationary = false;
  Layout ofA = wide128, ofB = wide128;
  std::string a = "%rd4", before = "";
  uint32_t bits = 0; ///< Changes of the instruction descriptor.

  unsigned parts() const { return isStationary ? 128 / m : 1; }
};
} // namespace

static constexpr unsigned startOfMetadata = 40960;

//===-- Metadata ----------------------------------------------------------------------------===//

/// The index of a chunk of four elements, or of two of tf32.
static unsigned indexOf(const Form &form, unsigned row, unsigned chunk) {
  static constexpr unsigned indices[] = {4, 8, 12, 9, 13, 6, 14};
  const unsigned number = row * 5 + chunk * 3 + row / 8;
  return form.kind.k == 8 ? indices[number % 2 * 6] : indices[number % 7];
}

static unsigned positionOf(const Form &form, unsigned row, unsigned number) {
  if (form.kind.k == 8)
    return 2 * number + (indexOf(form, row, number) == 14);
  const unsigned index = indexOf(form, row, number / 2);
  return number / 2 * 4 + (number % 2 ? index >> 2 : index & 3);
}

/// Four words for each lane. Types of 16 and 32 bits have 16 numbers of 2 bits for a row: 8 in the
/// lane, 8 in that 8 below; rows 8 to 15 have the upper half of the words. Smaller types have 32
/// for a row, in two words.
static void putMetadata(std::vector<uint8_t> &image, const Form &form, unsigned firstRow) {
  const bool isSmall = form.kind.k == 32;
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned number = 0; number < (isSmall ? 32 : 16); ++number) {
      const unsigned bits = indexOf(form, firstRow + row, number / 2) >> number % 2 * 2 & 3;
      const unsigned lane = isSmall ? row : row / 16 * 16 + number / 8 * 8 + row % 8;
      const unsigned bit =
          isSmall ? 2 * number : 32 * form.selector + row / 8 % 2 * 16 + number % 8 * 2;
      image[startOfMetadata + lane * 16 + bit / 8] |= uint8_t(bits << bit % 8);
    }
}

static Words wordsOf(const std::vector<uint8_t> &image) {
  Words words(image.size() / 4);
  std::memcpy(words.data(), image.data(), image.size());
  return words;
}

static Words imageOf(const Form &form) {
  std::vector<uint8_t> image(49152);
  place(image, 0, form.kind.a, form.ofA, form.a == "%rd4" ? form.m : 128, form.kind.k, 0);
  place(image, startOfB, form.kind.b, form.ofB, form.n, 2 * form.kind.k, 3);
  putMetadata(image, form, 0);
  return wordsOf(image);
}

/// Rows of 16 bytes are adjacent.
static std::string copyMetadata(const std::string &column) {
  const uint64_t matrix =
      startOfMetadata / 16 | uint64_t(8) << 16 | uint64_t(8) << 32 | uint64_t(1) << 46;
  return "mov.u64 %rd7, " + std::to_string(matrix) +
         ";\nadd.u64 %rd7, %rd7, %rd6;\n@%p2 tcgen05.cp.cta_group::1.128x128b [%r4+" + column +
         "], %rd7;\n";
}

//===-- Products ----------------------------------------------------------------------------===//

static std::string productOf(const Form &form) {
  return std::string("@%p2 tcgen05.mma.") + (form.isStationary ? "ws." : "") +
         "sp.cta_group::1.kind::" + form.kind.name + " [%r4], " + form.a +
         ", %rd5, [%r4+256], %r10, %p4;\n";
}

static uint32_t instructionOf(const Form &form) {
  return (tilewright::ptx::testing::tensor::instructionOf(form.kind, form.m, form.n, form.ofA,
                                                          form.ofB) |
          4 | form.selector) ^
         form.bits;
}

static std::string kernelOf(const Form &form, const std::string &copies = copyMetadata("256")) {
  return init + allocation(512) + copyImage() + proxy + "bar.sync 0;\n" +
         descriptors(descriptorOf(form.kind.a, form.ofA, 0, form.m),
                     descriptorOf(form.kind.b, form.ofB, startOfB, form.n), instructionOf(form)) +
         copies + form.before + productOf(form) + commit + waiting + after +
         results(form.n / form.parts()) + release(512);
}

/// Row `ofA` of the stored A, at the places that row `ofIndices` of the metadata has.
static int exactAt(const Form &form, unsigned ofA, unsigned ofIndices, unsigned column) {
  int sum = 0;
  for (unsigned i = 0; i < form.kind.k; ++i)
    sum += valueAt(form.kind.a, codeOf(ofA, i, 0)) *
           valueAt(form.kind.b, codeOf(column, positionOf(form, ofIndices, i), 3));
  return sum;
}

static void check(const Form &form) {
  const unsigned width = form.n / form.parts();
  const Words found = tensorResult(kernelOf(form), imageOf(form), 128 * width);
  for (unsigned lane = 0; lane < 128; ++lane)
    for (unsigned column = 0; column < width; ++column) {
      const unsigned ofA = form.a == "%rd4" ? lane % form.m : lane;
      ASSERT_EQ(found[lane * width + column],
                encoded(form.kind, exactAt(form, ofA, lane, lane / form.m * width + column)))
          << form.kind.name << " " << form.m << " lane " << lane << " column " << column;
    }
}

static const Types kinds[] = {
    {"f16", 16, 1, half, half},     {"f16", 16, 1, brain, brain},
    {"tf32", 8, 1, single, single}, {"f8f6f4", 32, 1, e4m3, e2m1},
    {"f8f6f4", 32, 1, e2m3, e5m2},  {"i8", 32, 2, signedByte, unsignedByte}};

TEST(TensorSparse, MultipliesAllKinds) {
  for (const Types &kind : kinds) {
    check({.kind = kind});
    check({.kind = kind, .n = 128, .ofA = rowsOnly, .ofB = wide64});
    for (unsigned m : {32u, 64u, 128u})
      check({.kind = kind, .m = m, .n = 128, .isStationary = true, .ofA = wide32});
  }
}

TEST(TensorSparse, SelectsColumns) {
  for (const Types &kind : {kinds[0], kinds[2]})
    for (bool isStationary : {false, true})
      check({.kind = kind, .selector = 1, .isStationary = isStationary});
}

TEST(TensorSparse, ReadsTensorMemory) {
  const uint64_t matrix = descriptorOf(half, rowsOnly, 0, 128);
  const std::string copy = "mov.u64 %rd7, " + std::to_string(matrix) +
                           ";\nadd.u64 %rd7, %rd7, %rd6;\n"
                           "@%p2 tcgen05.cp.cta_group::1.128x256b [%r4+288], %rd7;\n";
  for (unsigned m : {32u, 128u})
    check({.m = m, .isStationary = m == 32, .ofA = rowsOnly, .a = "[%r4+288]", .before = copy});
}

TEST(TensorSparse, LeavesOutWhatIsNotStored) {
  // Infinities of B meet no element of A: with dense zeros, the sums would be NaN.
  const Form form;
  std::vector<uint8_t> image(49152);
  place(image, 0, half, wide128, 128, 16, 0);
  for (unsigned row = 0; row < 64; ++row)
    for (unsigned column = 0; column < 32; ++column) {
      const unsigned offset = swizzledOffset(wide128, plainOffset(half, wide128, row, column, 0));
      put(image, startOfB + offset, 0, column % 4 < 2 ? 0x3C00 : 0x7C00);
    }
  for (unsigned at = 0; at < 2048; ++at) // elements 0 and 1 of each chunk
    image[startOfMetadata + at] = 0x44;
  const Words found = tensorResult(kernelOf(form), wordsOf(image), 128 * 64);
  for (unsigned row = 0; row < 128; ++row) {
    int sum = 0;
    for (unsigned i = 0; i < 16; ++i)
      sum += valueAt(half, codeOf(row, i, 0));
    ASSERT_EQ(found[row * 64], encoded(halves, sum)) << row;
  }
}

TEST(TensorSparse, MultipliesInPairs) {
  const Form form{.m = 256};
  std::vector<uint8_t> all;
  for (unsigned rank = 0; rank < 2; ++rank) {
    std::vector<uint8_t> image(49152);
    for (unsigned column = 0; column < 32; ++column) {
      const auto putAt = [&](unsigned start, unsigned row, unsigned code) {
        const unsigned offset = swizzledOffset(wide128, plainOffset(half, wide128, row, column, 0));
        put(image, start + offset, 0, half.codes[code]);
      };
      for (unsigned row = 0; row < 128 && column < 16; ++row)
        putAt(0, row, codeOf(rank * 128 + row, column, 0));
      for (unsigned row = 0; row < 32; ++row)
        putAt(startOfB, row, codeOf(rank * 32 + row, column, 3));
    }
    putMetadata(image, form, rank * 128);
    all.insert(all.end(), image.begin(), image.end());
  }
  const std::string code =
      descriptors(descriptorOf(half, wide128, 0, 128), descriptorOf(half, wide128, startOfB, 32),
                  instructionOf(form)) +
      replaced(paired(copyMetadata("256") + productOf(form)), "@%p2", "@%p5");
  for (const Schedule &schedule : Schedules::all()) {
    Words found(256 * 64);
    ASSERT_EQ(pairRun(pairKernel(64, code, paired(allocation(512)), paired(release(512))),
                      wordsOf(all), schedule, found),
              "nothing");
    for (unsigned row = 0; row < 256; ++row)
      for (unsigned column = 0; column < 64; ++column)
        ASSERT_EQ(found[row * 64 + column], encoded(halves, exactAt(form, row, row, column)))
            << row << " " << column;
  }
}

TEST(TensorSparse, ChecksRules) {
  const auto found = [](const Form &form, const std::string &copies = copyMetadata("256")) {
    const std::string text = tensorFinding(kernelOf(form, copies), imageOf({}));
    return text.substr(0, text.find(" @ "));
  };
  const std::string notYet =
      "tensor-memory: the machine does not implement this (the kernel may be right): ";
  EXPECT_EQ(found({}), "nothing");
  EXPECT_EQ(found({.bits = 4}), "tensor-memory: the instruction descriptor is not sparse, and the "
                                "instruction is tcgen05.mma.sp");
  EXPECT_EQ(found({.selector = 2}), "tensor-memory: the instruction descriptor has sparsity "
                                    "selector 2, expected 0 or 1");
  EXPECT_EQ(found({.kind = kinds[3], .selector = 1}),
            "tensor-memory: the instruction descriptor has sparsity selector 1, expected 0");
  EXPECT_EQ(found({.m = 64}), notYet + "sparse products with 64 rows in a CTA, without .ws");
  EXPECT_EQ(found({.ofB = wide32}),
            notYet + "a B of a sparse product with rows wider than the swizzle");
  EXPECT_EQ(found({.before = "add.u32 %r4, %r4, 1;\n"}),
            notYet + "sparsity metadata from lane 0, column 257, where the sparsity selector "
                     "chooses one of two columns");
  // Column 258 has zeros.
  EXPECT_EQ(
      found({}, copyMetadata("254")),
      "tensor-memory: the sparsity metadata of row 0, chunk 0, have the index 0, expected one that "
      "the manual lists");
  // Never written.
  EXPECT_EQ(found({}, ""),
            "undefined-value: a value that is not defined is written to parameter 0");
  Form lane;
  std::string code = replaced(kernelOf(lane), "[%r4+256], %r10", "[%r4+0x100100], %r10");
  EXPECT_NE(tensorFinding(code, imageOf({}))
                .find("sparsity metadata begin at lane 0, and not at lane 16, column 256"),
            std::string::npos);
  code = replaced(kernelOf(lane), "[%r4+256], %r10", "[%r4+512], %r10");
  EXPECT_NE(tensorFinding(code, imageOf({})).find("not inside of one allocation"),
            std::string::npos);
}

TEST(TensorSparse, RefusesByName) {
  for (const char *code :
       {"tcgen05.mma.sp.cta_group::1.kind::f16.ashift [%r1], [%r4], %rd2, [%r3], %r2, %p1;",
        "tcgen05.mma.ws.sp.cta_group::2.kind::f16 [%r1], %rd1, %rd2, [%r3], %r2, %p1;"})
    EXPECT_NE(refusalOf(code).find("not supported"), std::string::npos) << refusalOf(code);
  EXPECT_NE(refusalOf("tcgen05.mma.sp.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;"), "");
}
