// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads, barriers, memory and calls, in kernels as compilers write them.

#include "tilewright/ptx/Testing.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// A tree reduction in shared memory, with `barrier` inside the loop.
static std::string reduction(const std::string &barrier) {
  return header() + R"(
.visible .entry k(.param .u64 .ptr .global out, .param .u64 in) .maxntid 256, 1, 1
{
  .reg .pred %p<4>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<9>;
  .shared .align 4 .b8 tile[1024];
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  cvta.to.global.u64 %rd1, %rd1;
  cvta.to.global.u64 %rd2, %rd2;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %ctaid.x;
  mad.lo.s32 %r4, %r3, %r2, %r1;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r5, [%rd4];
  shl.b32 %r6, %r1, 2;
  mov.u32 %r7, tile;
  add.s32 %r6, %r6, %r7;
  st.shared.u32 [%r6], %r5;
  bar.sync 0;
$L_loop:
  shr.u32 %r2, %r2, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra $L_end;
  setp.ge.u32 %p2, %r1, %r2;
  @%p2 bra $L_skip;
  shl.b32 %r8, %r2, 2;
  add.s32 %r8, %r8, %r6;
  ld.shared.u32 %r9, [%r8];
  ld.shared.u32 %r5, [%r6];
  add.s32 %r5, %r5, %r9;
  st.shared.u32 [%r6], %r5;
$L_skip:
  )" + barrier +
         R"(
  bra.uni $L_loop;
$L_end:
  setp.ne.u32 %p3, %r1, 0;
  @%p3 bra $L_ret;
  mul.wide.u32 %rd5, %r3, 4;
  add.s64 %rd6, %rd1, %rd5;
  st.global.u32 [%rd6], %r5;
$L_ret:
  ret;
}
)";
}

static std::vector<uint32_t> counted(uint32_t count) {
  std::vector<uint32_t> values(count);
  for (uint32_t at = 0; at < count; ++at)
    values[at] = at;
  return values;
}

TEST(Run, ReducesInSharedMemoryUnderAllSchedules) {
  for (Order order : {Order::Up, Order::Down, Order::Random})
    for (uint64_t seed : {1, 2, 3}) {
      Kernel kernel(reduction("bar.sync 0;"));
      Region &out = kernel.array(std::vector<uint32_t>(3), false);
      kernel.array(counted(768));
      kernel.launch.grid = {3, 1, 1};
      kernel.launch.block = {256, 1, 1};
      kernel.schedule.order = order;
      kernel.schedule.seed = seed;
      EXPECT_TRUE(kernel.run().empty()) << kernel.findings.front().message;
      // Sums of 0..255, 256..511, 512..767.
      EXPECT_EQ(Kernel::values<uint32_t>(out), (std::vector<uint32_t>{32640, 98176, 163712}));
    }
}

TEST(Run, MissingBarrierRaces) {
  for (Order order : {Order::Up, Order::Down, Order::Random}) {
    Kernel kernel(reduction(""));
    kernel.array(std::vector<uint32_t>(1), false);
    kernel.array(counted(256));
    kernel.launch.block = {256, 1, 1};
    kernel.schedule.order = order;
    ASSERT_FALSE(kernel.run().empty());
    EXPECT_EQ(kernel.findings.front().check, Check::Race);
    EXPECT_NE(kernel.findings.front().message.find("shared variable 'tile'"), std::string::npos)
        << kernel.findings.front().message;
    ASSERT_EQ(kernel.findings.front().related.size(), 1u);
  }
}

TEST(Run, CallsFunctionsWithParametersAndResults) {
  // 10! by recursion.
  Kernel kernel(header() + R"(
.func (.param .b32 result) factorial(.param .b32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  ld.param.u32 %r1, [n];
  mov.u32 %r5, 1;
  setp.lt.u32 %p1, %r1, 2;
  @%p1 bra $L_end;
  add.s32 %r2, %r1, -1;
  { // callseq 0, 0
  .reg .b32 temp_param_reg;
  .param .b32 param0;
  st.param.b32 [param0+0], %r2;
  .param .b32 retval0;
  call.uni (retval0),
  factorial,
  (
  param0
  );
  ld.param.b32 %r3, [retval0+0];
  }
  mul.lo.s32 %r5, %r3, %r1;
$L_end:
  st.param.b32 [result+0], %r5;
  ret;
}
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  {
  .param .b32 param0;
  st.param.b32 [param0], 10;
  .param .b32 retval0;
  call (retval0), factorial, (param0);
  ld.param.b32 %r1, [retval0];
  }
  st.global.u32 [%rd1], %r1;
}
)");
  Region &out = kernel.array(std::vector<uint32_t>(1), false);
  EXPECT_TRUE(kernel.run().empty()) << kernel.findings.front().message;
  EXPECT_EQ(Kernel::values<uint32_t>(out)[0], 3628800u);
}

TEST(Run, IndirectCalls) {
  Kernel kernel(header() + R"(
.func (.param .b32 r) twice(.param .b32 n) { .reg .b32 %a; ld.param.b32 %a, [n]; shl.b32 %a, %a, 1; st.param.b32 [r], %a; ret; }
.func (.param .b32 r) square(.param .b32 n) { .reg .b32 %a; ld.param.b32 %a, [n]; mul.lo.u32 %a, %a, %a; st.param.b32 [r], %a; ret; }
.global .align 8 .u64 table[2] = {twice, square};
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 8;
  mov.u64 %rd3, table;
  add.s64 %rd3, %rd3, %rd2;
  ld.global.u64 %rd4, [%rd3];
  {
  .param .b32 param0;
  st.param.b32 [param0], 9;
  .param .b32 retval0;
  prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
  call (retval0), %rd4, (param0), prototype_0;
  ld.param.b32 %r1, [retval0];
  }
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r1;
  ret;
}
)");
  Region &out = kernel.array(std::vector<uint32_t>(2), false);
  kernel.launch.block = {2, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << kernel.findings.front().message;
  EXPECT_EQ(Kernel::values<uint32_t>(out), (std::vector<uint32_t>{18, 81}));
}

TEST(Run, IndexedBranches) {
  Kernel kernel(header() + R"(
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  $L_targets: .branchtargets $L_a, $L_b, $L_a;
  brx.idx %r1, $L_targets;
$L_a:
  st.global.u32 [%rd1], 7;
  exit;
$L_b:
  st.global.u32 [%rd1], 8;
  ret;
}
)");
  Region &out = kernel.array(std::vector<uint32_t>(3), false);
  kernel.launch.block = {3, 1, 1};
  EXPECT_TRUE(kernel.run().empty());
  EXPECT_EQ(Kernel::values<uint32_t>(out), (std::vector<uint32_t>{7, 8, 7}));
}

//===-- Findings ----------------------------------------------------------------------------===//

struct Broken {
  const char *body;
  Check check;
  uint32_t line;
  const char *message;
  uint32_t threads = 1;
};

TEST(Run, ReportsEachCheck) {
  static const Broken kernels[] = {
      {"ld.global.u32 %r2, [%rd1+16];\nret;", Check::OutOfBounds, 15,
       "4 bytes at 0x7f0000000010: byte 16 of parameter 0, which has 16 bytes"},
      {"ld.param.u64 %rd3, [out+8];\nret;", Check::OutOfBounds, 15,
       "8 bytes at 0x8: byte 8 of the parameters, which have 8 bytes"},
      {"ld.global.u32 %r2, [%rd1+2];\nret;", Check::Misaligned, 15,
       "of an access of 4 bytes is no multiple of 4"},
      {"ld.global.v2.u32 {%r2, %r3}, [%rd1+4];\nret;", Check::Misaligned, 15,
       "of an access of 8 bytes is no multiple of 8"},
      {"mov.u64 %rd3, 0;\nst.global.u32 [%rd3], 1;\nret;", Check::OutOfBounds, 16,
       "4 bytes at 0x0: a null pointer"},
      {".shared .b32 s[4];\nst.shared.u32 [s+16], 1;\nret;", Check::OutOfBounds, 16,
       "byte 16 of shared variable 's', which has 16 bytes"},
      {".shared .b32 _ZZ1kPiE4tile[4];\nst.shared.u32 [_ZZ1kPiE4tile+20], 1;\nret;",
       Check::OutOfBounds, 16, "byte 20 of shared variable 'k(int*)::tile', which has 16 bytes"},
      {".shared .b32 s;\nld.shared.u32 %r2, [s];\nst.global.u32 [%rd1], %r2;\nret;",
       Check::Undefined, 17, "a value that is not defined is written to parameter 0"},
      {".local .b32 l;\nld.local.u32 %r2, [l];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 ret;",
       Check::Undefined, 18, "the predicate of this instruction is not defined"},
      {"add.s64 %rd4, %rd5, %rd1;\nst.global.u32 [%rd4], 1;\nret;", Check::Undefined, 16,
       "the address is not defined"},
      {"st.global.u32 [%rd1], %r1;\nret;", Check::Race, 15, "race: write of parameter 0 at byte 0",
       2},
      {"setp.lt.u32 %p1, %r1, 16;\n@%p1 bra $L_a;\nbar.sync 0;\nret;\n$L_a:\nbar.sync 0;\nret;",
       Check::DivergentBarrier, 17, "reach barrier 0 in different instructions", 32},
      {"setp.lt.u32 %p1, %r1, 32;\n@!%p1 bra $L_a;\nbar.sync 0;\n$L_a:\nadd.u32 %r2, %r1, 1;\n"
       "ret;",
       Check::DivergentBarrier, 17, "has gone past this barrier without it, and has ended", 64},
      {"setp.lt.u32 %p1, %r1, 16;\n@!%p1 bra $L_a;\nbar.sync 0;\n$L_a:\nadd.u32 %r2, %r1, 1;\n"
       "ret;",
       Check::DivergentBarrier, 17, "has gone past this barrier without it, and has ended", 32},
      {"setp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 1, 64;\nret;", Check::Deadlock, 16,
       "where 32 of 64 threads have arrived", 64},
      {"shfl.sync.idx.b32 %r2, %r1, 0, 31, 2;\nret;", Check::Collective, 15,
       "the mask does not have the lane that executes (lane 0)"},
      {"trap;", Check::Trap, 15, "trap"},
      {"$L: bra $L;", Check::StepLimit, 15, "and have not ended"},
      {"cvta.param.u64 %rd3, out;\nst.u32 [%rd3], 1;\nret;", Check::ReadOnly, 16,
       "write to the parameters"},
  };
  for (const Broken &broken : kernels) {
    Kernel kernel(small(broken.body));
    kernel.array(std::vector<uint32_t>(4));
    kernel.launch.block = {broken.threads, 1, 1};
    kernel.schedule.stepLimit = 100000;
    kernel.run();
    ASSERT_FALSE(kernel.findings.empty()) << broken.body;
    const Finding &finding = kernel.findings.front();
    EXPECT_EQ(finding.check, broken.check) << broken.body << ": " << finding.message;
    EXPECT_EQ(kernel.line(), broken.line) << broken.body;
    EXPECT_NE(finding.message.find(broken.message), std::string::npos)
        << broken.body << ": " << finding.message;
  }
}

TEST(Run, StepLimitIsExact) {
  for (uint32_t quantum : {0u, 7u}) {
    Kernel kernel(small("$L: bra $L;"));
    kernel.array(std::vector<uint32_t>(4));
    kernel.launch.block = {3, 1, 1};
    kernel.schedule.stepLimit = 1000;
    kernel.schedule.quantum = quantum;
    kernel.run();
    EXPECT_EQ(kernel.steps, 1000u);
    EXPECT_EQ(kernel.firstFinding().substr(0, 53),
              "step-limit: the threads have executed 1000 instructio");
  }
}

TEST(Run, StepLimitNamesBusiestThread) {
  // The first warp waits for the second one, which never comes.
  Kernel kernel(small("setp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 0;\n$L: bra $L;"));
  kernel.array(std::vector<uint32_t>(4));
  kernel.launch.block = {64, 1, 1};
  kernel.schedule.stepLimit = 100000;
  kernel.schedule.quantum = 16;
  const Finding &finding = kernel.run().front();
  EXPECT_EQ(kernel.line(), 17u);
  EXPECT_GE(finding.thread, 32u);
  ASSERT_EQ(finding.related.size(), 1u);
  EXPECT_EQ(finding.related[0].message, "32 threads are here, one is thread 0 of block (0, 0, 0)");
}

TEST(Run, MergesFindingsOfOneCause) {
  // A barrier is missing between two stores at line 5 and two loads at line 6. Line 7 is another
  // bug, which hides one of the four races between lines 5 and 6.
  const std::string body = R"(
.shared .b32 s[4];
.loc 1 5 0
mul.lo.u32 %r2, %r1, 4;
cvt.u64.u32 %rd3, %r2;
mov.u64 %rd4, s;
add.u64 %rd4, %rd4, %rd3;
st.shared.u32 [%rd4], 1;
st.shared.u32 [%rd4+8], 1;
.loc 1 6 0
xor.b32 %r2, %r2, 4;
cvt.u64.u32 %rd3, %r2;
mov.u64 %rd4, s;
add.u64 %rd4, %rd4, %rd3;
ld.shared.u32 %r3, [%rd4];
ld.shared.u32 %r3, [%rd4+8];
.loc 1 7 0
st.shared.u32 [s], %r1;
ret;)";
  Kernel kernel(small(body) + ".file 1 \"k.cu\"\n");
  kernel.array(std::vector<uint32_t>(4));
  kernel.launch.block = {2, 1, 1};
  kernel.run();
  ASSERT_EQ(kernel.findings.size(), 3u);
  EXPECT_EQ(kernel.findings[0].count, 3u);
  EXPECT_EQ(kernel.findings[0].instructions.size(), 2u);
  const auto linesOf = [&](const Finding &finding) {
    std::set<uint32_t> lines;
    for (Site site : {finding.site, finding.related.at(0).site}) {
      const uint32_t source = kernel.module.functions[site.function].body[site.instruction].source;
      lines.insert(kernel.module.lines.at(source - 1).line);
    }
    return lines;
  };
  EXPECT_EQ(linesOf(kernel.findings[0]), (std::set<uint32_t>{5, 6}));
  EXPECT_EQ(linesOf(kernel.findings[1]), (std::set<uint32_t>{6, 7}));
  EXPECT_EQ(linesOf(kernel.findings[2]), (std::set<uint32_t>{7}));
  // Without source lines, each pair of instructions is reported.
  std::string bare = body;
  for (const char *line : {".loc 1 5 0\n", ".loc 1 6 0\n", ".loc 1 7 0\n"})
    bare.erase(bare.find(line), std::strlen(line));
  Kernel other(small(bare));
  other.array(std::vector<uint32_t>(4));
  other.launch.block = {2, 1, 1};
  EXPECT_EQ(other.run().size(), 4u);
}

TEST(Run, DivergedLanesSynchroniseByMask) {
  // Even and odd lanes each sum their numbers: 0+2+...+30 and 1+3+...+31.
  Kernel kernel(small(R"(
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra $L_even;
  redux.sync.add.u32 %r3, %r1, 0xAAAAAAAA;
  bra $L_end;
$L_even:
  redux.sync.add.u32 %r3, %r1, 0x55555555;
$L_end:
  st.global.u32 [%rd2], %r3;
  ret;)"));
  Region &out = kernel.array(std::vector<uint32_t>(32), false);
  kernel.launch.block = {32, 1, 1};
  EXPECT_TRUE(kernel.run().empty());
  EXPECT_EQ(Kernel::values<uint32_t>(out)[0], 240u);
  EXPECT_EQ(Kernel::values<uint32_t>(out)[1], 256u);
}

TEST(Run, RejectsInvalidLaunches) {
  const auto wrong = [](const std::string &body, const Launch &launch) {
    Kernel kernel(header() + ".visible .entry k() .reqntid 32\n{\n" + body + "\nret;\n}\n");
    EXPECT_TRUE(kernel.refused.empty()) << kernel.refused;
    return checkLaunch(kernel.program, launch).value_or("nothing");
  };
  Launch launch;
  launch.block = {32, 1, 1};
  EXPECT_EQ(wrong("", launch), "nothing");
  EXPECT_EQ(wrong(".local .b8 l[600000];", launch),
            "a thread has at most 524288 bytes of local memory, but 'k' needs 600000");
  EXPECT_EQ(wrong(".shared .b8 s[300000];", launch),
            "a block has at most 232448 bytes of shared memory, but 'k' needs 300000");
  EXPECT_EQ(wrong(".shared .b8 s[232448];", launch), "nothing");
  launch.dynamicShared = UINT64_MAX - 3;
  EXPECT_NE(wrong(".shared .b8 s[8];", launch).find("of shared memory"), std::string::npos);
  launch.dynamicShared = 0;
  launch.block = {16, 1, 1};
  EXPECT_EQ(wrong("", launch), "'k' has .reqntid 32x1x1, but the block is 16x1x1");
  launch.block = {64, 32, 1};
  EXPECT_EQ(wrong("", launch), "a block has at most 1024 threads, but is 64x32x1");
  launch.block = {32, 1, 1};
  launch.grid = {0, 1, 1};
  EXPECT_EQ(wrong("", launch), "the grid and the block have extents of at least 1");
}

TEST(Run, RejectsInvalidParameterAddresses) {
  const std::string function =
      ".func f(.param .b64 n) { ret; }\n.visible .entry k()\n{\n.reg .b64 %rd<3>;\n"
      ".param .b64 p;\n";
  Kernel beside(header() + function + "call f, (p+-1032);\nret;\n}\n");
  EXPECT_NE(beside.refused.find("an argument that is no .param variable"), std::string::npos)
      << beside.refused;
  // An entry cannot be called, not even through its address.
  Kernel entry(header() + ".visible .entry e(.param .u64 n) { ret; }\n" + function +
               "q: .callprototype _ (.param .b64 _);\nst.param.b64 [p], 1;\n"
               "mov.u64 %rd1, e;\ncall %rd1, (p), q;\nret;\n}\n");
  ASSERT_EQ(entry.run().size(), 1u);
  EXPECT_NE(entry.findings.front().message.find("is not that of a function"), std::string::npos);
}

TEST(Run, StoresBranchTargetsOnce) {
  std::string text = header() + ".visible .entry k()\n{\n.reg .b32 %r;\nmov.b32 %r, 0;\n"
                                "t: .branchtargets a";
  for (int target = 0; target < 1000; ++target)
    text += ", a";
  text += ";\na:\n";
  for (int branch = 0; branch < 1000; ++branch)
    text += "brx.idx %r, t;\n";
  Kernel kernel(text + "ret;\n}\n");
  ASSERT_TRUE(kernel.refused.empty()) << kernel.refused;
  EXPECT_EQ(kernel.program.code().slots.size(), 1001u);
}

/// The block that a finding names. The CTA with these ids stores through a null pointer.
std::array<uint32_t, 3> blockOfFinding(const std::string &before, const std::string &directives,
                                       uint32_t x, uint32_t y, std::array<uint32_t, 3> grid) {
  Kernel kernel(before + R"(
.visible .entry k(.param .u64 out)
)" + directives +
                R"({
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ctaid.y;
  setp.ne.u32 %p1, %r1, )" +
                std::to_string(x) + R"(;
  @%p1 ret;
  setp.ne.u32 %p2, %r2, )" +
                std::to_string(y) + R"(;
  @%p2 ret;
  mov.u64 %rd1, 0;
  st.global.u32 [%rd1], %r1;
  ret;
}
)");
  kernel.array(std::vector<uint32_t>(1));
  kernel.launch.grid = grid;
  EXPECT_EQ(kernel.run().size(), 1u);
  return kernel.findings.front().cta;
}

/// CTA 1 of a cluster, (3, 4, 0), in a grid of 2 x 6 clusters of two CTAs. In panels of four rows
/// of clusters, (1, 4, 0) is number 0 * 2 + 1 of a panel with two rows, so block 1 / 2 of row
/// 4 + 1 % 2.
TEST(Run, FindingsNameClustersThatAreTileBlocks) {
  using Block = std::array<uint32_t, 3>;
  const auto found = [](const std::string &declaration) {
    return blockOfFinding(".version 9.0\n.target sm_90\n.address_size 64\n" + declaration,
                          ".reqntid 1\n.reqnctapercluster 2\n.blocksareclusters\n", 3, 4,
                          {2, 6, 1});
  };
  EXPECT_EQ(found(""), (Block{1, 4, 0}));
  EXPECT_EQ(found(".visible .const .align 4 .u32 tw_panel_k = 4;"), (Block{0, 5, 0}));
}

/// CTA (2, 4, 0) of a grid of 4 x 6. In panels of four rows, it is in the last one, of two rows:
/// number 0 * 4 + 2 there, so block 2 / 2 of row 4 + 2 % 2.
TEST(Run, FindingsNameTileBlocks) {
  using Block = std::array<uint32_t, 3>;
  const auto found = [](const std::string &declaration) {
    return blockOfFinding(header() + declaration, "", 2, 4, {4, 6, 1});
  };
  EXPECT_EQ(found(""), (Block{2, 4, 0}));
  EXPECT_EQ(found(".visible .const .align 4 .u32 tw_panel_k = 4;"), (Block{1, 4, 0}));
  EXPECT_EQ(found(".const .u32 tw_panel_other = 4;"), (Block{2, 4, 0}));
  // Such a constant of others is no height of a panel.
  EXPECT_EQ(found(".const .u32 tw_panel_k = 3;"), (Block{2, 4, 0}));
  EXPECT_EQ(found(".const .u32 tw_panel_k;"), (Block{2, 4, 0}));
  EXPECT_EQ(found(".const .u64 tw_panel_k = 4;"), (Block{2, 4, 0}));
}
