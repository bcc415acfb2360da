// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.mma and tcgen05.mma.sp with block scaling.

#include "tilewright/ptx/tcgen05/ProductTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

namespace {
/// A kind with its number of scales in a row, and the modifiers that say so. Scales are 2 to the
/// power of -1, 0, 1 or 2.
struct Scaled {
  Types types;
  unsigned scales;
  const char *modifiers;
  bool isUe8m0;
};
} // namespace

static constexpr Element packed = {"packed e2m1", 4, 1, {0, 2, 4, 10}};

static constexpr unsigned startOfScales = 32768;

static unsigned powerOf(unsigned row, unsigned number, unsigned salt) {
  return (row * 3 + number * 5 + row * number + salt) >> 1 & 3;
}

/// Rows of 16 bytes: row r has the scales of rows r, r + 32, r + 64 and r + 96, 4 bytes each.
static void putScales(std::vector<uint8_t> &image, unsigned start, const Scaled &form,
                      unsigned rows, unsigned first, unsigned salt) {
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned number = 0; number < form.scales; ++number) {
      const unsigned power = powerOf(row, number, salt);
      const unsigned part = row / 128 * 512 + row % 32 * 16 + row / 32 % 4 * 4;
      // ue4m3 has the bias 7 and 3 bits of mantissa.
      image[start + part + first + number] = uint8_t(form.isUe8m0 ? 126 + power : (6 + power) << 3);
    }
}

static Words imageOf(const Scaled &form, unsigned n, const Layout &layout, unsigned firstOfA,
                     unsigned firstOfB) {
  Words words = tilewright::ptx::testing::tensor::imageOf(form.types, 128, n, layout, layout);
  std::vector<uint8_t> image(words.size() * 4);
  std::memcpy(image.data(), words.data(), image.size());
  putScales(image, startOfScales, form, 128, firstOfA, 0);
  putScales(image, startOfScales + 1024, form, n, firstOfB, 1);
  std::memcpy(words.data(), image.data(), image.size());
  return words;
}

/// Copies 128 rows of scales at `offset` in shared memory to four columns.
static std::string copyScales(unsigned offset, unsigned column) {
  // Blocks of 8 rows of 16 bytes are adjacent.
  const uint64_t matrix = offset / 16 | uint64_t(8) << 16 | uint64_t(8) << 32 | uint64_t(1) << 46;
  return "mov.u64 %rd7, " + std::to_string(matrix) +
         ";\nadd.u64 %rd7, %rd7, %rd6;\n@%p2 tcgen05.cp.cta_group::1.32x128b.warpx4 [%r4+" +
         std::to_string(column) + "], %rd7;\n";
}

static uint32_t instructionOf(const Scaled &form, unsigned n, unsigned firstOfA,
                              unsigned firstOfB) {
  return firstOfB << 4 | form.types.a.number << 7 | form.types.b.number << 10 | n / 8 << 17 |
         uint32_t(form.isUe8m0) << 23 | 1u << 27 | firstOfA << 29;
}

static std::string kernelOf(const Scaled &form, unsigned n, const Layout &layout, unsigned firstOfA,
                            unsigned firstOfB, const std::string &copies) {
  return init + allocation(512) + copyImage() + proxy + "bar.sync 0;\n" +
         descriptors(descriptorOf(form.types.a, layout, 0, 128),
                     descriptorOf(form.types.b, layout, startOfB, n),
                     instructionOf(form, n, firstOfA, firstOfB)) +
         copies + "@%p2 tcgen05.mma.cta_group::1." + form.modifiers +
         " [%r4], %rd4, %rd5, %r10, [%r4+256], [%r4+260], %p4;\n" + commit + waiting + after +
         results(n) + release(512);
}

static const std::string copies = copyScales(startOfScales, 256) +
                                  copyScales(startOfScales + 1024, 260) +
                                  copyScales(startOfScales + 1536, 264);

static void check(const Scaled &form, unsigned n, const Layout &layout, unsigned firstOfA = 0,
                  unsigned firstOfB = 0) {
  const Words found = tensorResult(kernelOf(form, n, layout, firstOfA, firstOfB, copies),
                                   imageOf(form, n, layout, firstOfA, firstOfB), 128 * n);
  const unsigned k = form.types.k, length = k / form.scales;
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned column = 0; column < n; ++column) {
      double sum = 0;
      for (unsigned i = 0; i < k; ++i)
        sum +=
            valueAt(form.types.a, codeOf(row, i, 0)) * valueAt(form.types.b, codeOf(column, i, 3)) *
            std::ldexp(1.0,
                       int(powerOf(row, i / length, 0)) + int(powerOf(column, i / length, 1)) - 2);
      ASSERT_EQ(std::bit_cast<float>(found[row * n + column]), float(sum))
          << form.modifiers << " " << form.types.a.name << " row " << row << " column " << column;
    }
}

static const Scaled mixed = {{"", 32, 1, e4m3, e2m1}, 1, "kind::mxf8f6f4.block_scale", true};

TEST(TensorScales, MultipliesAllKinds) {
  for (unsigned first : {0, 1, 2, 3})
    check(mixed, 64, wide128, first, 3 - first);
  check({{"", 32, 1, e3m2, e5m2}, 1, "kind::mxf8f6f4.block_scale.scale_vec::1X", true}, 256,
        wide32);
  const Types fours = {"", 64, 1, packed, packed};
  check({fours, 2, "kind::mxf4.block_scale.block32", true}, 128, wide128, 2, 0);
  check({fours, 2, "kind::mxf4.block_scale.scale_vec::2X", true}, 32, rowsOnly, 0, 2);
  check({fours, 2, "kind::mxf4nvf4.block_scale.scale_vec::2X", true}, 64, wide64);
  check({fours, 4, "kind::mxf4nvf4.block_scale.scale_vec::4X", false}, 192, wide32);
  check({fours, 4, "kind::mxf4nvf4.block_scale.block16", true}, 8, wide128);
}

/// Each CTA has 128 rows of A and their scales, half of the columns of B, and the scales of all.
static Words pairImage(unsigned n) {
  std::vector<uint8_t> image(2 * 49152);
  for (unsigned rank = 0; rank < 2; ++rank) {
    std::vector<uint8_t> own(49152);
    for (unsigned column = 0; column < mixed.types.k; ++column) {
      const auto put = [&](unsigned start, const Element &type, unsigned row, unsigned code) {
        const unsigned offset = swizzledOffset(wide128, plainOffset(type, wide128, row, column, 0));
        own[start + offset] = uint8_t(type.codes[code]);
      };
      for (unsigned row = 0; row < 128; ++row)
        put(0, mixed.types.a, row, codeOf(rank * 128 + row, column, 0));
      for (unsigned row = 0; row < n / 2; ++row)
        put(startOfB, mixed.types.a, row, codeOf(rank * n / 2 + row, column, 3));
    }
    putScales(own, startOfScales, mixed, 128, 0, rank * 2);
    putScales(own, startOfScales + 1024, mixed, n, 0, 1);
    std::copy(own.begin(), own.end(), image.begin() + long(rank) * 49152);
  }
  Words words(image.size() / 4);
  std::memcpy(words.data(), image.data(), image.size());
  return words;
}

TEST(TensorScales, MultipliesInPairs) {
  const unsigned n = 64;
  const uint32_t instruction = instructionOf({{"", 32, 1, e4m3, e4m3}, 1, "", true}, n, 0, 0);
  const std::string code =
      descriptors(descriptorOf(e4m3, wide128, 0, 128), descriptorOf(e4m3, wide128, startOfB, n / 2),
                  instruction + (1U << 27)) +
      replaced(paired(copies), "@%p2", "@%p5") +
      "@%p5 tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale [%r4], %rd4, %rd5, %r10, "
      "[%r4+256], "
      "[%r4+260], %p4;\n";
  const std::string kernel = pairKernel(n, code, paired(allocation(512)), paired(release(512)));
  for (const Schedule &schedule : Schedules::all()) {
    Words found(256 * n);
    ASSERT_EQ(pairRun(kernel, pairImage(n), schedule, found), "nothing");
    for (unsigned row = 0; row < 256; ++row)
      for (unsigned column = 0; column < n; ++column) {
        double sum = 0;
        for (unsigned i = 0; i < 32; ++i)
          sum += valueAt(e4m3, codeOf(row, i, 0)) * valueAt(e4m3, codeOf(column, i, 3));
        const int power =
            int(powerOf(row % 128, 0, row / 128 * 2)) + int(powerOf(column, 0, 1)) - 2;
        ASSERT_EQ(std::bit_cast<float>(found[row * n + column]), float(std::ldexp(sum, power)))
            << "row " << row << " column " << column;
      }
  }
  // The scales of B are copied to other columns.
  Words image = pairImage(n), found(256 * n);
  const std::string alone = replaced(kernel, "[%r4+260], %rd7", "[%r4+268], %rd7");
  EXPECT_EQ(pairRun(alone, image, {}, found).substr(0, 15), "undefined-value");
}

TEST(TensorScales, ChecksScales) {
  const auto found = [](const Scaled &form, const std::string &copied, unsigned firstOfA = 0) {
    return tensorFinding(kernelOf(form, 64, wide128, firstOfA, 0, copied),
                         imageOf(form, 64, wide128, 0, 0));
  };
  EXPECT_EQ(found(mixed, copies), "nothing");
  EXPECT_EQ(found(mixed, copyScales(startOfScales, 256)).substr(0, 15), "undefined-value");
  EXPECT_NE(found(mixed, copyScales(49152 - 256, 256)).find("out-of-bounds"), std::string::npos);
  EXPECT_NE(found(mixed, copyScales(startOfScales, 510)).find("not inside of one allocation"),
            std::string::npos);
  // Other scales in the first quarter of the lanes.
  const std::string stored =
      "mov.u32 %v0, 0x7F7F7F7F;\n@%p1 mov.u32 %v0, 0x80808080;\n"
      "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r5+256], {%v0, %v0, %v0, %v0, %v0, %v0, %v0, %v0};\n"
      "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\n" +
      after;
  EXPECT_NE(found(mixed, stored).find("the scale of row 0 differs between lanes 0 and 32"),
            std::string::npos);
  // The upper bits of the address may have the scale factor ID, and nothing else.
  const auto withId = [](unsigned firstOfA) {
    const std::string kernel = kernelOf(mixed, 64, wide128, firstOfA, 0, copies);
    return tensorFinding(replaced(kernel, "[%r4+256], [", "[%r4+1073742080], ["),
                         imageOf(mixed, 64, wide128, firstOfA, 0));
  };
  EXPECT_EQ(withId(1), "nothing");
  EXPECT_NE(withId(0).find("scales begin at lane 0"), std::string::npos);
  const Scaled fours = {{"", 64, 1, packed, packed}, 2, "kind::mxf4.block_scale", true};
  EXPECT_NE(found(fours, copies, 1).find("has the scale factor IDs 1 and 0"), std::string::npos);
  EXPECT_EQ(found(fours, copies), "nothing");
}

//===-- Sparse products ---------------------------------------------------------------------===//

static constexpr unsigned startOfMetadata = 40960;

/// The index of a chunk of four elements, or of four pairs of packed ones.
static unsigned indexOf(unsigned row, unsigned chunk) {
  static constexpr unsigned indices[] = {4, 8, 12, 9, 13, 6, 14};
  return indices[(row * 5 + chunk * 3) % 7];
}

static unsigned positionOf(const Scaled &form, unsigned row, unsigned number) {
  const unsigned unit = form.types.a.name == packed.name ? 2 : 1;
  const unsigned index = indexOf(row, number / (2 * unit));
  const unsigned chosen = number / unit % 2 ? index >> 2 : index & 3;
  return (number / (2 * unit) * 4 + chosen) * unit + number % unit;
}

static void checkSparse(const Scaled &form, unsigned n) {
  std::vector<uint8_t> image(49152);
  const unsigned stored = form.types.k, length = stored / form.scales;
  place(image, 0, form.types.a, wide128, 128, stored, 0);
  place(image, startOfB, form.types.b, wide128, n, 2 * stored, 3);
  putScales(image, startOfScales, form, 128, 0, 0);
  putScales(image, startOfScales + 1024, form, n, 0, 1);
  for (unsigned row = 0; row < 128; ++row) // a lane has 16 chunks of its row
    for (unsigned chunk = 0; chunk < 16; ++chunk)
      image[startOfMetadata + row * 16 + chunk / 2] |=
          uint8_t(indexOf(row, chunk) << chunk % 2 * 4);
  Words words(image.size() / 4);
  std::memcpy(words.data(), image.data(), image.size());
  const std::string metadata =
      replaced(copyScales(startOfMetadata, 272), "32x128b.warpx4", "128x128b");
  const std::string kernel = replaced(kernelOf(form, n, wide128, 0, 0, copies + metadata),
                                      "%rd5, %r10, [%r4+256]", "%rd5, [%r4+272], %r10, [%r4+256]");
  const std::string sparse = replaced(replaced(kernel, "tcgen05.mma.cta", "tcgen05.mma.sp.cta"),
                                      std::to_string(instructionOf(form, n, 0, 0)),
                                      std::to_string(instructionOf(form, n, 0, 0) | 4));
  const Words found = tensorResult(sparse, words, 128 * n);
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned column = 0; column < n; ++column) {
      double sum = 0;
      for (unsigned i = 0; i < stored; ++i)
        sum += valueAt(form.types.a, codeOf(row, i, 0)) *
               valueAt(form.types.b, codeOf(column, positionOf(form, row, i), 3)) *
               std::ldexp(1.0, int(powerOf(row, i / length, 0)) +
                                   int(powerOf(column, i / length, 1)) - 2);
      ASSERT_EQ(std::bit_cast<float>(found[row * n + column]), float(sum))
          << form.modifiers << " row " << row << " column " << column;
    }
}

TEST(TensorScales, MultipliesSparseMatrices) {
  checkSparse(mixed, 64);
  checkSparse({{"", 32, 1, e3m2, e4m3}, 1, "kind::mxf8f6f4.block_scale.block32", true}, 128);
  checkSparse({{"", 32, 1, e2m1, e2m1}, 1, "kind::mxf8f6f4.block_scale", true}, 64);
  const Types fours = {"", 64, 1, packed, packed};
  checkSparse({fours, 2, "kind::mxf4.block_scale", true}, 64);
  checkSparse({fours, 4, "kind::mxf4nvf4.block_scale.block16", false}, 128);
}
