// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parallel runs of CTAs compute, report and count the same as a run on one core; and which programs
// can run in parallel.

#include "tilewright/ptx/Testing.h"
#include "tilewright/ptx/machine/ParallelCtas.h"

#include <algorithm>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// In `body`, `%g` is the number of the thread in the grid, and `%a` the address of element `%g` of
/// `data`, whose elements have `bytes` bytes.
static std::string kernelOf(const std::string &body, unsigned bytes = 4) {
  return header() + R"(
.visible .entry k(.param .u64 data)
{
  .reg .pred %p;
  .reg .b16 %h;
  .reg .b32 %t, %c, %n, %g, %x, %y, %s;
  .reg .b64 %a, %b, %q;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %b, [data];
  mov.u32 %t, %tid.x;
  mov.u32 %c, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mov.u32 %s, tile;
  mad.lo.u32 %g, %c, %n, %t;
  mad.wide.u32 %a, %g, )" +
         std::to_string(bytes) + ", %b;\n" + body + "\n  ret;\n}\n";
}

namespace {
/// A launch on `cores` cores.
struct Launched : Kernel {
  Launched(const std::string &text, uint32_t ctas, uint32_t block, uint32_t cores) : Kernel(text) {
    launch.grid = {ctas, 1, 1};
    launch.block = {block, 1, 1};
    threads = cores;
  }
};
} // namespace

static constexpr uint32_t coreCounts[] = {1, 2, 5, 0};

// x[g] = 3 g + x[g], through shared memory.
TEST(PtxParallelCtas, ComputesSameResults) {
  const std::string text = kernelOf("  ld.global.u32 %x, [%a];\n  mad.lo.u32 %x, %g, 3, %x;\n"
                                    "  mad.lo.u32 %y, %t, 4, %s;\n  st.shared.u32 [%y], %x;\n"
                                    "  bar.sync 0;\n  ld.shared.u32 %x, [%y];\n"
                                    "  st.global.u32 [%a], %x;");
  for (const uint32_t threads : coreCounts)
    for (const Order order : {Order::Up, Order::Down, Order::Random}) {
      Launched kernel(text, 40, 32, threads);
      kernel.schedule.order = order;
      kernel.isCounting = true;
      Region &data = kernel.array(std::vector<uint32_t>(1280, 5));
      EXPECT_TRUE(kernel.run().empty());
      const auto values = Kernel::values<uint32_t>(data);
      for (uint32_t at = 0; at < 1280; ++at)
        ASSERT_EQ(values[at], 3 * at + 5);
      EXPECT_EQ(kernel.steps, 1280u * 15);
      EXPECT_EQ(kernel.counters->total().executions, 1280u * 15);
      EXPECT_EQ(kernel.counters->total().barriers, 40u);
      EXPECT_EQ(kernel.counters->total().global.units, 40u * 2 * 4);
    }
}

// Lanes take numbers from a counter in shared memory. Which lane gets which number depends on the
// seed only.
TEST(PtxParallelCtas, RandomOrdersDependOnTheSeedOnly) {
  const std::string text =
      kernelOf("  setp.ne.u32 %p, %t, 0;\n  @!%p st.shared.u32 [%s], 0;\n  bar.sync 0;\n"
               "  atom.shared.add.u32 %x, [%s], 1;\n  st.global.u32 [%a], %x;");
  std::vector<std::vector<uint32_t>> results;
  for (const uint32_t threads : coreCounts)
    for (const uint64_t seed : {1, 2}) {
      Launched kernel(text, 16, 64, threads);
      kernel.schedule = {Order::Random, seed, 3};
      Region &data = kernel.array(std::vector<uint32_t>(1024));
      EXPECT_TRUE(kernel.run().empty());
      results.push_back(Kernel::values<uint32_t>(data));
    }
  for (size_t at = 2; at < results.size(); ++at)
    EXPECT_EQ(results[at], results[at % 2]);
  EXPECT_NE(results[0], results[1]);
}

// Each thread also reads the element of the next one, which is a race between two CTAs.
TEST(PtxParallelCtas, FindsRacesBetweenCtas) {
  const std::string text = kernelOf("  ld.global.u32 %x, [%a+4];\n  st.global.u32 [%a], %x;");
  std::vector<std::string> messages;
  for (const uint32_t threads : coreCounts) {
    Launched kernel(text, 8, 1, threads);
    kernel.array(std::vector<uint32_t>(16));
    ASSERT_EQ(kernel.run().size(), 1u);
    EXPECT_EQ(kernel.findings.front().check, Check::Race);
    messages.push_back(kernel.findings.front().message +
                       std::to_string(kernel.findings.front().count));
  }
  for (const std::string &message : messages)
    EXPECT_EQ(message, messages.front());
}

// Values that CTAs communicate are the same without checks, too: in the order `up`, each CTA sees
// the initial values of the next one.
TEST(PtxParallelCtas, RacesWithoutChecks) {
  const std::string text = kernelOf("  ld.global.u32 %x, [%a+4];\n  add.u32 %x, %x, 1;\n"
                                    "  st.global.u32 [%a], %x;");
  for (const uint32_t threads : coreCounts) {
    Launched kernel(text, 64, 1, threads);
    std::string unknown;
    kernel.checks = *Checks::parse("none", unknown);
    Region &data = kernel.array(std::vector<uint32_t>(65));
    EXPECT_TRUE(kernel.run().empty());
    EXPECT_EQ(Kernel::values<uint32_t>(data)[10], 1u);
    EXPECT_EQ(Kernel::values<uint32_t>(data)[63], 1u);
  }
}

// Each CTA writes three bytes, so that neighbours share a word.
TEST(PtxParallelCtas, BytesOfOneWord) {
  const std::string text = kernelOf("  cvt.u16.u32 %h, %g;\n  st.global.u8 [%a], %h;", /*bytes=*/1);
  for (const uint32_t threads : coreCounts) {
    Launched kernel(text, 50, 3, threads);
    Region &data = kernel.array(std::vector<uint8_t>(150));
    EXPECT_TRUE(kernel.run().empty());
    for (uint32_t at = 0; at < 150; ++at)
      ASSERT_EQ(data.bytes[at], at);
  }
}

// Two CTAs define bytes that share a byte of `definedBits`: no bit is lost.
TEST(PtxParallelCtas, DefinesAllBytes) {
  const std::string text = kernelOf("  st.global.u32 [%a], %g;");
  for (const uint32_t threads : coreCounts) {
    Launched kernel(text, 2000, 1, threads);
    Region &data = kernel.array(std::vector<uint32_t>(2000), /*isDefined=*/false);
    EXPECT_TRUE(kernel.run().empty());
    for (uint64_t byte = 0; byte < data.size(); ++byte)
      ASSERT_TRUE(data.definedAt(byte) & 1) << byte;
  }
}

TEST(PtxParallelCtas, FindingsOfOneCta) {
  const std::string text = kernelOf("  setp.eq.u32 %p, %c, 7;\n  @%p trap;\n"
                                    "  st.global.u32 [%a], %g;");
  for (const uint32_t threads : coreCounts) {
    Launched kernel(text, 16, 32, threads);
    kernel.array(std::vector<uint32_t>(512));
    ASSERT_EQ(kernel.run().size(), 1u);
    EXPECT_EQ(kernel.findings.front().check, Check::Trap);
    EXPECT_EQ(kernel.findings.front().cta[0], 7u);
  }
}

// All threads read one element, then one thread writes it. Both warps of its CTA and those of
// another CTA read; the barrier orders only the first two before the write.
TEST(PtxParallelCtas, DetectsReadsOfAnotherCta) {
  const std::string text = kernelOf("  ld.global.u32 %x, [%b];\n  bar.sync 0;\n"
                                    "  or.b32 %y, %c, %t;\n  setp.ne.u32 %p, %y, 0;\n"
                                    "  @!%p st.global.u32 [%b], %x;");
  for (const uint32_t ctas : {2, 3, 8})
    for (const Order order : {Order::Up, Order::Down, Order::Random}) {
      Launched kernel(text, ctas, 64, 2);
      kernel.schedule.order = order;
      kernel.array(std::vector<uint32_t>(1));
      ASSERT_FALSE(kernel.run().empty()) << ctas;
      EXPECT_EQ(kernel.findings.front().check, Check::Race);
    }
}

// Thread 17 traps if it is the first of its CTA. A second kernel shows for which seeds this must be
// found.
TEST(PtxParallelCtas, ReportsFindingsOfParallelRun) {
  const std::string first = "  setp.ne.u32 %p, %t, 0;\n  @!%p st.shared.u32 [%s], 0;\n"
                            "  bar.sync 0;\n  atom.shared.add.u32 %x, [%s], 1;\n"
                            "  mad.lo.u32 %y, %x, 32, %t;\n  setp.eq.u32 %p, %y, 17;\n  @%p ";
  unsigned traps = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Launched marks(kernelOf(first + "st.global.u32 [%a], 1;"), 8, 32, 2);
    marks.schedule = {Order::Random, seed, 3};
    Region &data = marks.array(std::vector<uint32_t>(256));
    EXPECT_TRUE(marks.run().empty());
    const auto values = Kernel::values<uint32_t>(data);
    const bool isFirst = std::count(values.begin(), values.end(), 1u) > 0;
    Launched kernel(kernelOf(first + "trap;"), 8, 32, 2);
    kernel.schedule = {Order::Random, seed, 3};
    kernel.array(std::vector<uint32_t>(256));
    EXPECT_EQ(kernel.run().empty(), !isFirst) << seed;
    traps += isFirst;
  }
  EXPECT_GT(traps, 0u);
  EXPECT_LT(traps, 40u);
}

TEST(PtxParallelCtas, StepLimit) {
  const std::string text = kernelOf("loop:\n  add.u32 %x, %t, 1;\n  bra loop;");
  for (const uint32_t threads : coreCounts) {
    Launched kernel(text, 4, 32, threads);
    kernel.schedule.stepLimit = 100000;
    kernel.array(std::vector<uint32_t>(1));
    ASSERT_EQ(kernel.run().size(), 1u);
    EXPECT_EQ(kernel.findings.front().check, Check::StepLimit);
  }
}

// Which instructions let CTAs communicate?
TEST(PtxParallelCtas, Programs) {
  const auto may = [](const std::string &instruction) {
    const Kernel kernel(kernelOf("  " + instruction + ";"));
    EXPECT_EQ(kernel.refused, "") << instruction;
    return canRunInParallel(kernel.program);
  };
  for (const char *parallel :
       {"ld.global.u32 %x, [%a]", "st.global.u32 [%a], %x", "ld.volatile.shared.u32 %x, [%s]",
        "atom.shared.add.u32 %x, [%s], 1", "red.shared.add.u32 [%s], 1", "membar.gl",
        "ld.global.nc.u32 %x, [%a]", "bar.sync 0"})
    EXPECT_TRUE(may(parallel)) << parallel;
  for (const char *together :
       {"atom.global.add.u32 %x, [%a], 1", "atom.add.u32 %x, [%a], 1", "red.global.add.u32 [%a], 1",
        "ld.volatile.global.u32 %x, [%a]", "ld.acquire.gpu.global.u32 %x, [%a]",
        "st.relaxed.gpu.global.u32 [%a], %x", "st.release.sys.u32 [%a], %x", "mov.u32 %x, %clock",
        "mov.u64 %q, %globaltimer"})
    EXPECT_FALSE(may(together)) << together;
}

// Bytes 4092 to 4099 span two pages; 10000 to 10002 are on the last page, which is not full.
// Undefined bytes are restored as undefined.
TEST(PtxParallelCtas, RestoresWrittenPages) {
  Region region("data", Space::Global, 0, 10003);
  for (uint64_t at = 0; at < region.size(); ++at)
    region.store(at, 1, at % 251);
  region.define(4096, 4, 0xF);
  Claims claims(region);
  EXPECT_TRUE(claims.read(0, 4096, 1));
  EXPECT_TRUE(claims.write(4092, 8, 1));
  EXPECT_TRUE(claims.write(10000, 3, 2));
  for (const uint64_t at : {4092u, 4099u, 10002u}) {
    region.store(at, 1, 255);
    region.define(at, 1, at == 4099 ? 0 : 1);
  }
  EXPECT_FALSE(claims.write(4092, 4, 2));
  EXPECT_FALSE(claims.read(10000, 1, 1));
  EXPECT_FALSE(claims.write(0, 4, 2)); // cluster 1 has read it
  claims.restore();
  for (uint64_t at = 0; at < region.size(); ++at) {
    ASSERT_EQ(region.load(at, 1), at % 251) << at;
    ASSERT_EQ(region.definedAt(at) & 1, at >= 4096 && at < 4100) << at;
  }
}

// Nothing writes to the first page, so no copy of it is kept.
TEST(PtxParallelCtas, SavesNoPagesThatAreOnlyRead) {
  Region region("data", Space::Global, 0, 2 * Claims::pageBytes);
  Claims claims(region);
  EXPECT_TRUE(claims.read(0, 8, 1));
  EXPECT_TRUE(claims.write(Claims::pageBytes, 8, 1));
  region.store(0, 1, 7);
  region.store(Claims::pageBytes, 1, 7);
  claims.restore();
  EXPECT_EQ(region.load(0, 1), 7u);
  EXPECT_EQ(region.load(Claims::pageBytes, 1), 0u);
}
