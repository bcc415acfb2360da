// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sectors, bank-conflict cycles and executions against counts by hand: lane addresses are formulas
// of the thread number, and each test states the cost of its access.

#include "tilewright/ptx/Testing.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

//===-- Accesses ----------------------------------------------------------------------------===//

TEST(Counters, BanksArePerCta) {
  // Even lanes read word 0 of their own CTA, odd ones word 32 of the other CTA: one cycle each. In
  // one shared memory, both words would be in bank 0.
  Kernel kernel(header() + R"(
.visible .entry k()
.reqnctapercluster 2
{
  .reg .b32 %r<8>;
  .shared .align 128 .b8 tile[256];
  mov.u32 %r1, %laneid;
  mov.u32 %r2, tile;
  mad.lo.u32 %r3, %r1, 4, %r2;
  st.shared.b32 [%r3], 0;
  st.shared.b32 [%r3+128], 0;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  and.b32 %r4, %r1, 1;
  mad.lo.u32 %r3, %r4, 128, %r2;
  mov.u32 %r5, %cluster_ctarank;
  xor.b32 %r4, %r4, %r5;
  mapa.shared::cluster.u32 %r3, %r3, %r4;
  ld.shared::cluster.b32 %r6, [%r3];
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ret;
}
)");
  kernel.launch.grid = {2, 1, 1};
  kernel.launch.block = {32, 1, 1};
  kernel.isCounting = true;
  kernel.run();
  EXPECT_EQ(kernel.firstFinding(), "nothing");
  const auto &body = kernel.module.functions.front().body;
  for (uint32_t number = 0; number < body.size(); ++number)
    if (spell(body[number]).starts_with("ld.shared::cluster")) {
      const Counts &counts = kernel.counters->of({0, number});
      EXPECT_EQ(counts.shared.accesses, 4u);
      EXPECT_EQ(counts.shared.units, 4u);
      EXPECT_EQ(counts.shared.idealUnits, 4u);
    }
}

namespace {
/// `%r` has the thread number, `%a` the global address, `%s` the address of 32 KiB of shared
/// memory.
std::string kernelOf(const std::string &body) {
  return header() + R"(
.visible .entry k(.param .u64 data)
{
  .reg .pred %p<4>;
  .reg .b32 %r, %s, %i, %j, %x<8>;
  .reg .b64 %a, %o, %e<4>;
  .shared .align 128 .b8 tile[32768];
  ld.param.u64 %a, [data];
  mov.u32 %r, %tid.x;
  mov.u32 %s, tile;
)" + body +
         "\n  ret;\n}\n";
}

/// Runs `body` in a block; `counts` are those of the only instruction with this opcode.
class Counted {
public:
  Counted(const std::string &body, std::string_view opcode, uint32_t threads = 32)
      : kernel(kernelOf(body)) {
    kernel.launch.block = {threads, 1, 1};
    kernel.array(std::vector<uint32_t>(16384));
    kernel.isCounting = true;
    kernel.schedule.quantum = 1000;
    kernel.run();
    EXPECT_EQ(kernel.refused, "");
    const auto &instructions = kernel.module.functions.front().body;
    for (uint32_t number = 0; number < instructions.size(); ++number)
      if (spell(instructions[number]).starts_with(opcode))
        counts += kernel.counters->of({0, number});
  }

  Kernel kernel;
  Counts counts;
};
/// Expects this number of accesses of warps, cost, and ideal cost.
void expectCounts(const MemoryCounts &counts, uint64_t accesses, uint64_t units, uint64_t ideal) {
  EXPECT_EQ(counts.accesses, accesses);
  EXPECT_EQ(counts.units, units);
  EXPECT_EQ(counts.idealUnits, ideal);
}

/// A load from the global address `stride * tid + offset`.
Counts globalLoad(uint32_t stride, uint32_t offset, const std::string &type = "b32",
                  const std::string &to = "%i", uint32_t threads = 32) {
  const std::string body = "mad.wide.u32 %o, %r, " + std::to_string(stride) +
                           ", %a;\n  ld.global." + type + " " + to + ", [%o+" +
                           std::to_string(offset) + "];";
  return Counted(body, "ld.global", threads).counts;
}

/// A store to the shared address `stride * tid`, which differs from thread to thread.
Counts sharedStore(uint32_t stride, const std::string &type = "b32", const std::string &from = "%r",
                   uint32_t threads = 32) {
  const std::string body = "mad.lo.u32 %i, %r, " + std::to_string(stride) +
                           ", %s;\n  mov.b64 %e0, 1;\n  mov.b32 %x0, 1;\n  st.shared." + type +
                           " [%i], " + from + ";";
  return Counted(body, "st.shared", threads).counts;
}
} // namespace

// 32 lanes * 4 bytes = 128 bytes = 4 sectors.
TEST(PtxCounters, CoalescedLoad) { expectCounts(globalLoad(4, 0).global, 1, 4, 4); }

// Lane i reads at 4 * i + 4: from byte 4 to 131, one sector more than is needed.
TEST(PtxCounters, MisalignedLoad) { expectCounts(globalLoad(4, 4).global, 1, 5, 4); }

// Each lane has a sector of its own and needs an eighth of it.
TEST(PtxCounters, StridedLoad) {
  expectCounts(globalLoad(32, 0).global, 1, 32, 4);
  expectCounts(globalLoad(8, 0).global, 1, 8, 4); // two lanes in 16 of 32 bytes
}

TEST(PtxCounters, BroadcastLoad) { expectCounts(globalLoad(0, 64).global, 1, 1, 1); }

// 32 * 16 bytes = 16 sectors; 32 * 8 bytes = 8 sectors.
TEST(PtxCounters, VectorLoad) {
  expectCounts(globalLoad(16, 0, "v4.b32", "{%x0, %x1, %x2, %x3}").global, 1, 16, 16);
  expectCounts(globalLoad(8, 0, "v2.b32", "{%x0, %x1}").global, 1, 8, 8);
}

// Bytes: 32 lanes share a sector; with a stride of 2, only half of each sector is needed.
TEST(PtxCounters, ByteLoad) {
  expectCounts(globalLoad(1, 0, "u8").global, 1, 1, 1);
  expectCounts(globalLoad(2, 0, "u8").global, 1, 2, 1);
}

// 80 threads: two warps with 4 sectors, and one of 16 lanes with 2.
TEST(PtxCounters, PartialWarp) {
  const Counts counts = globalLoad(4, 0, "b32", "%i", 80);
  expectCounts(counts.global, 3, 10, 10);
  EXPECT_EQ(counts.executions, 80u);
}

// The guard is true in lanes 0 to 9: 40 bytes in two sectors.
TEST(PtxCounters, PredicatedLanes) {
  const Counted counted("setp.lt.u32 %p1, %r, 10;\n  mad.wide.u32 %o, %r, 4, %a;\n"
                        "  @%p1 ld.global.b32 %i, [%o];",
                        "ld.global");
  expectCounts(counted.counts.global, 1, 2, 2);
  EXPECT_EQ(counted.counts.executions, 10u);
}

// Even and odd lanes execute the load on different paths: 16 lanes with a stride of 8 bytes touch 4
// sectors and need 64 bytes. After the label they have reconverged.
TEST(PtxCounters, DivergentLanes) {
  const std::string load = "  ld.global.b32 %i, [%o];\n";
  const Counted counted("and.b32 %j, %r, 1;\n  setp.eq.u32 %p1, %j, 0;\n"
                        "  mad.wide.u32 %o, %r, 4, %a;\n  @%p1 bra even;\n" +
                            load + "  bra.uni join;\neven:\n  ld.global.u32 %i, [%o];\njoin:\n" +
                            "  ld.global.s32 %i, [%o];",
                        "ld.global");
  // on each path 4 sectors, ideal 2; 4 sectors, ideal 4, for all lanes
  expectCounts(counted.counts.global, 3, 12, 8);
}

// Lane i iterates i % 2 + 1 times. Only the odd lanes are in the second iteration.
TEST(PtxCounters, LanesWithMoreIterations) {
  const Counted counted("and.b32 %j, %r, 1;\n  mad.wide.u32 %o, %r, 4, %a;\nloop:\n"
                        "  ld.global.b32 %i, [%o];\n  setp.eq.u32 %p1, %j, 0;\n"
                        "  sub.u32 %j, %j, 1;\n  @!%p1 bra loop;\n  ld.global.u32 %i, [%o];",
                        "ld.global.b32");
  expectCounts(counted.counts.global, 2, 4 + 4, 4 + 2);
  EXPECT_EQ(counted.counts.executions, 48u);
}

// Half of the lanes exit before the load, the others load 64 bytes.
TEST(PtxCounters, ExitedLanes) {
  const Counted counted("setp.lt.u32 %p1, %r, 16;\n  mad.wide.u32 %o, %r, 4, %a;\n"
                        "  @%p1 exit;\n  ld.global.b32 %i, [%o];",
                        "ld.global");
  expectCounts(counted.counts.global, 1, 2, 2);
}

// In a function, each of the two calls is a separate access.
TEST(PtxCounters, Calls) {
  Kernel kernel(header() + R"(
.func touch(.param .b64 where)
{
  .reg .b64 %a;
  .reg .b32 %x;
  ld.param.u64 %a, [where];
  ld.global.b32 %x, [%a];
  ret;
}
.visible .entry k(.param .u64 data)
{
  .reg .b32 %r;
  .reg .b64 %a;
  ld.param.u64 %a, [data];
  mov.u32 %r, %tid.x;
  mad.wide.u32 %a, %r, 4, %a;
  { .param .b64 p0;
  st.param.b64 [p0], %a;
  call.uni touch, (p0); }
  { .param .b64 p0;
  st.param.b64 [p0], %a;
  call.uni touch, (p0); }
  ret;
}
)");
  kernel.array(std::vector<uint32_t>(32));
  kernel.launch.block = {32, 1, 1};
  kernel.isCounting = true;
  EXPECT_TRUE(kernel.run().empty());
  expectCounts(kernel.counters->total().global, 2, 8, 8);
}

//===-- Banks -------------------------------------------------------------------------------===//

TEST(PtxCounters, NoConflict) { expectCounts(sharedStore(4).shared, 1, 1, 1); }

// Words 0, 2, ... 62: two in each even bank.
TEST(PtxCounters, TwoWayConflict) { expectCounts(sharedStore(8).shared, 1, 2, 1); }

// All words in bank 0.
TEST(PtxCounters, ThirtyTwoWayConflict) { expectCounts(sharedStore(128).shared, 1, 32, 1); }

// A row of 33 words: lane i in bank i.
TEST(PtxCounters, PaddedRows) { expectCounts(sharedStore(132).shared, 1, 1, 1); }

// Four lanes write bytes of one word: that is no conflict.
TEST(PtxCounters, BytesOfAWord) { expectCounts(sharedStore(1, "b8").shared, 1, 1, 1); }

// 8 bytes: two phases of 16 lanes; 16 bytes: four phases of 8 lanes.
TEST(PtxCounters, WideStores) {
  expectCounts(sharedStore(8, "b64", "%e0").shared, 1, 2, 2);
  expectCounts(sharedStore(16, "v4.b32", "{%x0, %x0, %x0, %x0}").shared, 1, 4, 4);
  // Rows of 128 bytes: the 8 lanes of a phase access the same 4 banks.
  expectCounts(sharedStore(128, "v4.b32", "{%x0, %x0, %x0, %x0}").shared, 1, 32, 4);
  // Rows of 16 + 128 bytes: the lanes access adjacent banks.
  expectCounts(sharedStore(144, "v4.b32", "{%x0, %x0, %x0, %x0}").shared, 1, 4, 4);
}

TEST(PtxCounters, BroadcastOfAWord) {
  const Counted counted("st.shared.b32 [%s], 1;\n  bar.sync 0;\n  ld.shared.b32 %i, [%s];",
                        "ld.shared");
  expectCounts(counted.counts.shared, 1, 1, 1);
}

// Each of the four matrices is a phase of 8 rows of 16 bytes.
TEST(PtxCounters, Ldmatrix) {
  const auto load = [](uint32_t stride, const std::string &count, const std::string &to) {
    return Counted("mad.lo.u32 %i, %r, " + std::to_string(stride) +
                       ", %s;\n  st.shared.v4.b32 [%i], {%r, %r, %r, %r};\n  bar.sync 0;\n"
                       "  ldmatrix.sync.aligned.m8n8." +
                       count + ".shared.b16 " + to + ", [%i];",
                   "ldmatrix")
        .counts.shared;
  };
  expectCounts(load(16, "x4", "{%x0, %x1, %x2, %x3}"), 1, 4, 4);
  expectCounts(load(128, "x4", "{%x0, %x1, %x2, %x3}"), 1, 32, 4);
  expectCounts(load(80, "x4", "{%x0, %x1, %x2, %x3}"), 1, 4,
               4); // rows of 20 words: 8 rows use all banks
  expectCounts(load(16, "x2", "{%x0, %x1}"), 1, 2, 2);
  expectCounts(load(16, "x1", "{%x0}"), 1, 1, 1);
}

// Each of two warps multiplies an 8x16 by a 16x8 matrix.
TEST(PtxCounters, Products) {
  const Counted counted("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%x0, %x1}, {%x2}, {%x3}, "
                        "{%x0, %x1};",
                        "mma", 64);
  EXPECT_EQ(counted.kernel.counters->products(),
            (std::map<Type, uint64_t>{{Type::S8, uint64_t(2) * 8 * 16 * 8}}));
}

//===-- Patterns of waste -------------------------------------------------------------------===//

namespace {
/// Expects one pattern, and its cost.
void expectPattern(const MemoryCounts &counts, const AccessPattern &pattern, Cost cost) {
  const auto worst = counts.patterns.worst(4);
  ASSERT_EQ(worst.size(), 1u);
  const auto &[found, count] = *worst.front();
  EXPECT_EQ(found.bytes, pattern.bytes);
  EXPECT_EQ(found.run, pattern.run);
  EXPECT_EQ(found.stride, pattern.stride);
  EXPECT_EQ(found.isUnaligned, pattern.isUnaligned);
  EXPECT_EQ(found.start, pattern.start);
  EXPECT_EQ(count.accesses, counts.accesses);
  EXPECT_EQ(count.cost, cost);
}

/// A load of 4 bytes from the address that `body` adds to `%a`, in `%i`.
Counts loadAt(const std::string &body) {
  return Counted(body + "\n  cvt.u64.u32 %o, %i;\n  add.u64 %o, %o, %a;\n"
                        "  ld.global.b32 %x0, [%o];",
                 "ld.global")
      .counts;
}
} // namespace

TEST(PtxCounters, CoalescedAccessesHaveNoPattern) {
  EXPECT_TRUE(globalLoad(4, 0).global.patterns.worst(4).empty());
  EXPECT_TRUE(sharedStore(4).shared.patterns.worst(4).empty());
}

TEST(PtxCounters, StridePattern) {
  expectPattern(globalLoad(32, 0).global, {4, 4, 32}, {32, 4});
  expectPattern(sharedStore(128).shared, {4, 4, 128}, {32, 1});
}

// From the highest address down.
TEST(PtxCounters, NegativeStridePattern) {
  expectPattern(loadAt("sub.u32 %i, 31, %r;\n  mul.lo.u32 %i, %i, 64;").global, {4, 4, -64},
                {32, 4});
}

// 128 bytes from byte 4 on.
TEST(PtxCounters, UnalignedPattern) {
  expectPattern(globalLoad(4, 4).global, {4, 128, 0, true, 4}, {5, 4});
}

// Four lanes read 16 bytes, the next four 256 bytes further: half of each of 8 sectors.
TEST(PtxCounters, RunsPattern) {
  expectPattern(loadAt("shr.u32 %i, %r, 2;\n  mul.lo.u32 %i, %i, 256;\n  and.b32 %j, %r, 3;\n"
                       "  mad.lo.u32 %i, %j, 4, %i;")
                    .global,
                {4, 16, 256}, {8, 4});
}

// Pairs of lanes read the same 4 bytes of 16 sectors: 64 bytes fit into 2.
TEST(PtxCounters, SharedElementsPattern) {
  expectPattern(loadAt("shr.u32 %i, %r, 1;\n  mul.lo.u32 %i, %i, 32;").global, {4, 4, 32}, {16, 2});
}

// Lane i reads at 32 * i * i.
TEST(PtxCounters, IrregularPattern) {
  expectPattern(loadAt("mul.lo.u32 %i, %r, %r;\n  mul.lo.u32 %i, %i, 32;").global, {4}, {32, 4});
}

// Two lanes are always equally far apart.
TEST(PtxCounters, PairsAreIrregular) {
  expectPattern(loadAt("setp.gt.u32 %p1, %r, 1;\n  @%p1 exit;\n  mul.lo.u32 %i, %r, 64;").global,
                {4}, {2, 1});
}

//===-- Distinct sectors --------------------------------------------------------------------===//

// Three warps load the same 4 sectors.
TEST(PtxCounters, SectorsRepeatedByWarps) {
  const Counts counts = Counted("and.b32 %i, %r, 31;\n  mad.wide.u32 %o, %i, 4, %a;\n"
                                "  ld.global.b32 %x0, [%o];",
                                "ld.global", 96)
                            .counts;
  expectCounts(counts.global, 3, 12, 12);
  EXPECT_EQ(counts.global.lanes, 96u);
  EXPECT_EQ(counts.distinctSectors, 4u);
  EXPECT_EQ(counts.dataSectors, 4u);
}

// Three iterations load the same 4 sectors.
TEST(PtxCounters, SectorsRepeatedByIterations) {
  const Counts counts = Counted("mov.u32 %j, 3;\n  mad.wide.u32 %o, %r, 4, %a;\nloop:\n"
                                "  ld.global.b32 %x0, [%o];\n  sub.u32 %j, %j, 1;\n"
                                "  setp.ne.u32 %p1, %j, 0;\n  @%p1 bra loop;",
                                "ld.global")
                            .counts;
  expectCounts(counts.global, 3, 12, 12);
  EXPECT_EQ(counts.distinctSectors, 4u);
  EXPECT_EQ(counts.dataSectors, 4u);
}

// Each lane loads 8 bytes by two instructions: together 8 sectors, each touched twice, if both
// belong to one source line.
TEST(PtxCounters, SectorsRepeatedByInstructionsOfALine) {
  const auto distinct = [](const std::string &secondLine) {
    Kernel kernel(header() + ".file 1 \"k.mlir\"\n" +
                  kernelOf("mad.wide.u32 %o, %r, 8, %a;\n  .loc 1 7 3\n"
                           "  ld.global.b32 %x0, [%o];\n  .loc 1 " +
                           secondLine + " 5\n  ld.global.b32 %x1, [%o+4];")
                      .substr(header().size()));
    kernel.array(std::vector<uint32_t>(64));
    kernel.launch.grid = {2, 1, 1};
    kernel.launch.block = {32, 1, 1};
    kernel.isCounting = true;
    EXPECT_TRUE(kernel.run().empty());
    expectCounts(kernel.counters->total().global, 4, 32, 16);
    // Whatever the lines, each byte is loaded once: 256 bytes by each block.
    EXPECT_EQ(kernel.counters->total().dataSectors, 16u);
    return kernel.counters->total().distinctSectors;
  };
  EXPECT_EQ(distinct("7"), 16u); // 8 for each block
  EXPECT_EQ(distinct("8"), 32u);
}

// Nine iterations load 4 bytes each, 64 bytes apart, twice: 36 bytes in 9 sectors, which would fit
// in 2.
TEST(PtxCounters, DataThatWouldFitInFewerSectors) {
  const Counts counts = Counted("mov.u32 %j, 18;\nloop:\n  rem.u32 %i, %j, 9;\n"
                                "  mad.wide.u32 %o, %i, 64, %a;\n  ld.global.b32 %x0, [%o];\n"
                                "  sub.u32 %j, %j, 1;\n  setp.ne.u32 %p1, %j, 0;\n"
                                "  @%p1 bra loop;",
                                "ld.global", 1)
                            .counts;
  expectCounts(counts.global, 18, 18, 18);
  EXPECT_EQ(counts.distinctSectors, 9u);
  EXPECT_EQ(counts.dataSectors, 2u);
}

// Bytes 16 to 31, 24 to 31 again, and 32 to 39: 24 bytes in 2 sectors.
TEST(PtxCounters, DataOfAccessesThatOverlap) {
  Kernel kernel(header() + ".file 1 \"k.mlir\"\n" +
                kernelOf("add.u64 %o, %a, 16;\n  .loc 1 7 3\n"
                         "  ld.global.v4.b32 {%x0, %x1, %x2, %x3}, [%o];\n"
                         "  ld.global.v2.b32 {%x0, %x1}, [%o+8];\n"
                         "  ld.global.v2.b32 {%x0, %x1}, [%o+16];")
                    .substr(header().size()));
  kernel.array(std::vector<uint32_t>(64));
  kernel.launch.block = {1, 1, 1};
  kernel.isCounting = true;
  EXPECT_TRUE(kernel.run().empty());
  EXPECT_EQ(kernel.counters->total().distinctSectors, 2u);
  EXPECT_EQ(kernel.counters->total().dataSectors, 1u);
}

// A line that loads 128 bytes, adds to them and stores to them moves them three times.
TEST(PtxCounters, DirectionsOfALine) {
  Kernel kernel(header() + ".file 1 \"k.mlir\"\n" +
                kernelOf("mad.wide.u32 %o, %r, 4, %a;\n  .loc 1 7 3\n"
                         "  ld.global.b32 %i, [%o];\n  red.global.add.u32 [%o], %i;\n"
                         "  st.global.b32 [%o], %i;\n  st.global.b32 [%o], %i;")
                    .substr(header().size()));
  kernel.array(std::vector<uint32_t>(32));
  kernel.launch.block = {32, 1, 1};
  kernel.isCounting = true;
  EXPECT_TRUE(kernel.run().empty());
  expectCounts(kernel.counters->total().global, 4, 16, 16);
  EXPECT_EQ(kernel.counters->total().distinctSectors, 12u);
  EXPECT_EQ(kernel.counters->total().dataSectors, 12u);
}

// Copies of 128 bytes from global memory to shared memory and back, on one line.
TEST(PtxCounters, DirectionsOfCopies) {
  Kernel kernel(header() + ".file 1 \"k.mlir\"\n" +
                kernelOf("setp.ne.u32 %p1, %r, 0;\n  @%p1 exit;\n  add.u32 %i, %s, 1024;\n"
                         "  mbarrier.init.shared::cta.b64 [%i], 1;\n"
                         "  fence.proxy.async.shared::cta;\n"
                         "  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%i], 128;\n"
                         "  .loc 1 7 3\n"
                         "  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                         "[%s], [%a], 128, [%i];\nwait:\n"
                         "  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%i], 0;\n"
                         "  @!%p2 bra wait;\n"
                         "  cp.async.bulk.global.shared::cta.bulk_group [%a], [%s], 128;\n"
                         "  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;")
                    .substr(header().size()));
  kernel.array(std::vector<uint32_t>(32));
  kernel.launch.block = {32, 1, 1};
  kernel.isCounting = true;
  EXPECT_TRUE(kernel.run().empty());
  expectCounts(kernel.counters->total().global, 2, 8, 8);
  EXPECT_EQ(kernel.counters->total().distinctSectors, 8u);
  EXPECT_EQ(kernel.counters->total().dataSectors, 8u);
}

//===-- Copies, barriers, kinds -------------------------------------------------------------===//

// Reads 32 * 16 bytes in 16 sectors, writes them in 4 cycles.
TEST(PtxCounters, CpAsync) {
  const Counted counted("mad.wide.u32 %o, %r, 16, %a;\n  mad.lo.u32 %i, %r, 16, %s;\n"
                        "  cp.async.cg.shared.global [%i], [%o], 16;\n  cp.async.wait_all;",
                        "cp.async.cg");
  expectCounts(counted.counts.global, 1, 16, 16);
  expectCounts(counted.counts.shared, 1, 4, 4);
  EXPECT_EQ(counted.counts.asyncBytes, 512u);
}

// 96 bytes from byte 16 on: 4 sectors, ideal 3.
TEST(PtxCounters, BulkCopy) {
  const Counted counted("setp.ne.u32 %p1, %r, 0;\n  @%p1 exit;\n  add.u64 %o, %a, 16;\n"
                        "  st.shared.b32 [%s], 7;\n  add.u32 %i, %s, 1024;\n"
                        "  mbarrier.init.shared::cta.b64 [%i], 1;\n"
                        "  fence.proxy.async.shared::cta;\n"
                        "  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%i], 96;\n"
                        "  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                        "[%s], [%o], 96, [%i];\nwait:\n"
                        "  mbarrier.try_wait.parity.shared::cta.b64 %p2, [%i], 0;\n"
                        "  @!%p2 bra wait;",
                        "cp.async.bulk");
  expectCounts(counted.counts.global, 1, 4, 3);
  expectPattern(counted.counts.global, {0, 96, 0, true, 16}, {4, 3});
  EXPECT_EQ(counted.counts.global.lanes, 0u);
  EXPECT_EQ(counted.counts.distinctSectors, 4u);
  EXPECT_EQ(counted.counts.dataSectors, 3u);
  EXPECT_EQ(counted.counts.asyncBytes, 96u);
  EXPECT_TRUE(counted.kernel.findings.empty());
}

// Three barriers of 64 threads; executions count threads.
TEST(PtxCounters, Barriers) {
  const Counted counted("mov.u32 %i, 3;\nloop:\n  bar.sync 0;\n  sub.u32 %i, %i, 1;\n"
                        "  setp.ne.u32 %p1, %i, 0;\n  @%p1 bra loop;",
                        "bar.sync", 64);
  EXPECT_EQ(counted.counts.barriers, 3u);
  EXPECT_EQ(counted.counts.executions, 192u);
}

TEST(PtxCounters, Kinds) {
  const Counted counted("add.u32 %i, %r, 1;\n  mul.lo.u32 %i, %i, 3;\n  cvt.rn.f32.u32 %x0, %i;\n"
                        "  add.f32 %x1, %x0, %x0;\n  st.shared.b32 [%s], %x1;",
                        "add", 1);
  const auto kinds = counted.kernel.counters->byKind();
  const auto of = [&](Kind kind) { return kinds[size_t(kind)]; };
  EXPECT_EQ(of(Kind::Integer), 2u);
  EXPECT_EQ(of(Kind::Float), 1u);
  EXPECT_EQ(of(Kind::Convert), 1u);
  EXPECT_EQ(of(Kind::Memory), 2u); // ld.param and st.shared
  EXPECT_EQ(of(Kind::Move), 2u);
  EXPECT_EQ(of(Kind::Control), 1u);
}

// The counts do not depend on the order of the threads or the length of their time slices.
TEST(PtxCounters, EverySchedule) {
  for (const Order order : {Order::Up, Order::Down, Order::Random})
    for (const uint32_t quantum : {1u, 7u, 0u}) {
      Kernel kernel(kernelOf("and.b32 %j, %r, 3;\n  mad.wide.u32 %o, %r, 4, %a;\nloop:\n"
                             "  ld.global.b32 %i, [%o];\n  setp.eq.u32 %p1, %j, 0;\n"
                             "  sub.u32 %j, %j, 1;\n  @!%p1 bra loop;"));
      kernel.array(std::vector<uint32_t>(128));
      kernel.launch.block = {96, 1, 1};
      kernel.isCounting = true;
      kernel.schedule = {order, 5, quantum};
      EXPECT_TRUE(kernel.run().empty());
      // Per warp: 32, 24, 16 and 8 lanes in 4 sectors each; the ideal is 4, 3, 2 and 1.
      expectCounts(kernel.counters->total().global, 12, 48, 30);
      EXPECT_EQ(kernel.counters->total().distinctSectors, 12u); // 4 for each warp
      EXPECT_EQ(kernel.counters->total().dataSectors, 12u);
    }
}
