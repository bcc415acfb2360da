// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of CTAs (.cta_group::2): allocation by both, and products of their matrices.

#include "tilewright/ptx/tcgen05/ProductTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

static std::string kernelOf(unsigned m, unsigned n, const std::string &begin,
                            const std::string &end) {
  const std::string code = descriptors(descriptorOf(half, wide128, 0, m / 2),
                                       descriptorOf(half, wide128, startOfB, n / 2),
                                       instructionOf(halves, m, n, wide128, wide128)) +
                           "@%p5 tcgen05.mma.cta_group::2.kind::f16 [%r4], %rd4, %rd5, %r10, "
                           "%p4;\n";
  return pairKernel(m == 256 ? n : n / 2, code, begin, end);
}

/// Both images: row i of A and column i of B are those of the whole matrices.
static Words imagesOf(unsigned m, unsigned n) {
  std::vector<uint8_t> all(2 * 49152);
  for (unsigned rank = 0; rank < 2; ++rank)
    for (unsigned column = 0; column < 16; ++column) {
      const auto put = [&](unsigned start, unsigned row, unsigned code) {
        const unsigned offset = swizzledOffset(wide128, plainOffset(half, wide128, row, column, 0));
        std::memcpy(&all[rank * 49152 + start + offset], &half.codes[code], 2);
      };
      for (unsigned row = 0; row < m / 2; ++row)
        put(0, row, codeOf(rank * m / 2 + row, column, 0));
      for (unsigned row = 0; row < n / 2; ++row)
        put(startOfB, row, codeOf(rank * n / 2 + row, column, 3));
    }
  Words words(all.size() / 4);
  std::memcpy(words.data(), all.data(), all.size());
  return words;
}

TEST(TensorPair, MultipliesInBothCtas) {
  for (unsigned m : {256u, 128u})
    for (unsigned n : {32u, 64u})
      for (const Schedule &schedule : Schedules::all()) {
        const unsigned width = m == 256 ? n : n / 2;
        Words found(256 * width);
        ASSERT_EQ(pairRun(kernelOf(m, n, paired(allocation(64)), paired(release(64))),
                          imagesOf(m, n), schedule, found),
                  "nothing");
        for (unsigned row = 0; row < m; ++row)
          for (unsigned column = 0; column < n; ++column) {
            // With 64 rows in a CTA, the second half of the columns is in lanes 64 to 127.
            const unsigned rank = row / (m / 2);
            const unsigned lane = row % (m / 2) + (m == 128 && column >= n / 2 ? 64 : 0);
            ASSERT_EQ(found[(rank * 128 + lane) * width + column % width],
                      encoded(halves, exactAt(halves, row, column)))
                << m << " " << n << " row " << row << " column " << column;
          }
      }
}

TEST(TensorPair, ReadsTensorMemoryInParts) {
  // Each CTA copies 128 rows to columns 32 and up: 64 for the first half of the columns of D, and
  // 64 for the second one.
  const unsigned n = 64;
  std::vector<uint8_t> all(2 * 49152);
  for (unsigned rank = 0; rank < 2; ++rank)
    for (unsigned column = 0; column < 16; ++column) {
      const auto put = [&](unsigned at, unsigned code) {
        std::memcpy(&all[rank * 49152 + at], &half.codes[code], 2);
      };
      for (unsigned row = 0; row < 128; ++row)
        put(plainOffset(half, rowsOnly, row, column, 0), codeOf(rank * 128 + row, column, 0));
      for (unsigned row = 0; row < n / 2; ++row)
        put(startOfB + swizzledOffset(wide128, plainOffset(half, wide128, row, column, 0)),
            codeOf(rank * n / 2 + row, column, 3));
    }
  Words image(all.size() / 4);
  std::memcpy(image.data(), all.data(), all.size());
  const std::string code = descriptors(descriptorOf(half, rowsOnly, 0, 128),
                                       descriptorOf(half, wide128, startOfB, n / 2),
                                       instructionOf(halves, 128, n, wide128, wide128)) +
                           "@%p5 tcgen05.cp.cta_group::2.128x256b [%r4+32], %rd4;\n"
                           "@%p5 tcgen05.mma.cta_group::2.kind::f16 [%r4], [%r4+32], %rd5, %r10, "
                           "%p4;\n";
  for (const Schedule &schedule : Schedules::all()) {
    Words found(256 * n / 2);
    ASSERT_EQ(pairRun(pairKernel(n / 2, code, paired(allocation(64)), paired(release(64))), image,
                      schedule, found),
              "nothing");
    for (unsigned lane = 0; lane < 256; ++lane)
      for (unsigned column = 0; column < n / 2; ++column) {
        const unsigned part = lane % 128 / 64;
        ASSERT_EQ(found[lane * n / 2 + column],
                  encoded(halves, exactAt(halves, lane, part * n / 2 + column)))
            << lane << " " << column;
      }
  }
}

TEST(TensorPair, ChecksRules) {
  const auto found = [](const std::string &code, uint32_t clusterSize = 2) {
    std::string all;
    for (const Schedule &schedule : Schedules::all()) {
      Words result(256 * 64);
      const std::string now =
          withoutNumbers(pairRun(code, imagesOf(256, 64), schedule, result, clusterSize));
      EXPECT_TRUE(all.empty() || all == now) << all << "; " << now;
      all = now;
    }
    return all;
  };
  const std::string right = kernelOf(256, 64, paired(allocation(64)), paired(release(64)));
  EXPECT_EQ(found(right), "nothing");
  EXPECT_EQ(found(right, 1), "tensor-memory: .cta_group::# needs clusters of an even number of "
                             "CTAs, and not of #");
  EXPECT_EQ(found(kernelOf(256, 64, paired(allocation(64)), release(64))),
            "tensor-memory: all tcgen# instructions of a kernel have the same .cta_group");
  // Only one CTA of the pair allocates.
  const std::string alone = found("mov.u32 %r20, %cluster_ctarank;\nsetp.ne.u32 %p6, %r20, 0;\n"
                                  "@%p6 bra $end;\n" +
                                  paired(allocation(64)) + paired(release(64)) + "$end:\n");
  EXPECT_EQ(alone.substr(0, 9), "deadlock:") << alone;
  EXPECT_NE(found(replaced(right, "@%p5 tcgen05.commit", "@%p4 tcgen05.commit")).find("deadlock"),
            std::string::npos);
}
