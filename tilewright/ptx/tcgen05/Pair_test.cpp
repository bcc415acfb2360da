// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of CTAs (.cta_group::2): allocation by both, and products of their matrices.

#include "tilewright/ptx/tcgen05/ProductTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

static std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

static const std::string cluster =
    "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";

/// Each CTA has its rows of A and half of the columns of B; the first one begins the product, and
/// commits it to the mbarriers of both.
static std::string kernelOf(unsigned m, unsigned n, const std::string &begin,
                            const std::string &end) {
  const uint32_t instruction = instructionOf(halves, m, n, wide128, wide128);
  const std::string code =
      init +
      "fence.mbarrier_init.release.cluster;\nmov.u32 %r20, %cluster_ctarank;\n"
      "mul.wide.u32 %rd8, %r20, 49152;\nadd.u64 %rd2, %rd2, %rd8;\n"
      "mul.wide.u32 %rd8, %r20, " +
      std::to_string(512 * (m == 256 ? n : n / 2)) +
      ";\nadd.u64 %rd1, %rd1, %rd8;\nsetp.eq.and.u32 %p5, %r20, 0, %p2;\nmov.b16 %h1, 3;\n" +
      begin + copyImage() + proxy + cluster +
      descriptors(descriptorOf(half, wide128, 0, m / 2),
                  descriptorOf(half, wide128, startOfB, n / 2), instruction) +
      "@%p5 tcgen05.mma.cta_group::2.kind::f16 [%r4], %rd4, %rd5, %r10, %p4;\n"
      "@%p5 tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster."
      "b64 [bar], %h1;\n" +
      waiting + after + results(m == 256 ? n : n / 2) + end + cluster;
  return code;
}

static std::string paired(const std::string &code) {
  return replaced(code, "cta_group::1", "cta_group::2");
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

static std::string run(const std::string &code, const Words &image, const Schedule &schedule,
                       Words &result, uint32_t clusterSize = 2) {
  Kernel kernel(tensorText(code));
  if (!kernel.refused.empty())
    return kernel.refused;
  Region &out = kernel.array(result);
  kernel.array(image);
  kernel.launch.block = {128, 1, 1};
  kernel.launch.grid = {clusterSize, 1, 1};
  kernel.launch.cluster = {clusterSize, 1, 1};
  kernel.schedule = schedule;
  kernel.run();
  result = Kernel::values<uint32_t>(out);
  return kernel.firstFinding();
}

TEST(TensorPair, MultipliesInBothCtas) {
  for (unsigned m : {256u, 128u})
    for (unsigned n : {32u, 64u})
      for (const Schedule &schedule : Schedules::all()) {
        const unsigned width = m == 256 ? n : n / 2;
        Words found(256 * width);
        ASSERT_EQ(run(kernelOf(m, n, paired(allocation(64)), paired(release(64))), imagesOf(m, n),
                      schedule, found),
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

TEST(TensorPair, ChecksRules) {
  const auto found = [](const std::string &code, uint32_t clusterSize = 2) {
    std::string all;
    for (const Schedule &schedule : Schedules::all()) {
      Words result(256 * 64);
      const std::string now =
          withoutNumbers(run(code, imagesOf(256, 64), schedule, result, clusterSize));
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
