// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/nvidia/InFlight.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

const std::string product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                            "{%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, %rd1, 1, 1, 1, 0;\n";
const std::string other = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                          "{%r11, %r12, %r13, %r14}, %rd2, %rd1, 1, 1, 1, 0, 0;\n";
const std::string commit = "wgmma.commit_group.sync.aligned;\n";
const std::string none = "wgmma.wait_group.sync.aligned 0;\n",
                  allButOne = "wgmma.wait_group.sync.aligned 1;\n";

std::string problemIn(const std::string &body) {
  return nvidia::problemInFlight(".visible .entry k(\n\t.param .u64 k_param_0\n)\n.reqntid 128\n{\n"
                                 "\t.reg .b32 \t%r<99>;\n" +
                                 body + "\tret;\n}\n");
}

TEST(InFlight, nothingIsWrongIfAllWaitAtOnce) {
  EXPECT_EQ(problemIn(product + commit + none + "add.f32 %r1, %r1, %r5;\n"), "");
  EXPECT_EQ(problemIn("{ .reg .b64 a; " + product + product + commit + none + "}\n"), "");
}

TEST(InFlight, accumulatorsAndLhsMustNotBeAccessed) {
  for (const char *access :
       {"mov.b32 %r20, %r2", "add.f32 %r4, %r20, %r20", "mov.b32 %r5, {%rs1, %rs2}",
        "st.b32 [%rd9], %r8", "@%p1 mov.b32 %r1, %r20"}) {
    const std::string found = problemIn(product + commit + access + ";\n" + none);
    EXPECT_EQ(found.find("`" + std::string(access) + "` accesses %r"), 0u) << found;
  }
}

TEST(InFlight, otherRegistersMayBeAccessed) {
  EXPECT_EQ(problemIn(product + commit + "add.f32 %r10, %r20, %r50;\nmov.b64 %rd1, %rd2;\n" + none),
            "");
}

/// The registers of a group are free when only later ones are in flight.
TEST(InFlight, aWaitEndsTheOldestGroups) {
  const std::string both = other + commit + product + commit + allButOne;
  EXPECT_EQ(problemIn(both + "mov.b32 %r20, %r11;\n" + none), "");
  EXPECT_NE(problemIn(both + "mov.b32 %r20, %r1;\n" + none), "");
  EXPECT_NE(problemIn(other + commit + product + commit + "mov.b32 %r20, %r11;\n" + none), "");
}

TEST(InFlight, productsMayShareAccumulatorsButNotLhs) {
  EXPECT_EQ(problemIn(product + commit + product + commit + none), "");
  const std::string reads =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
      "{%r21, %r22, %r23, %r24}, {%r1, %r26, %r27, %r28}, %rd1, 1, 1, 1, 0;\n";
  EXPECT_NE(problemIn(product + commit + reads + commit + none).find("reads %r1"),
            std::string::npos);
  const std::string writes = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
                             "{%r5, %r22, %r23, %r24}, %rd2, %rd1, 1, 1, 1, 0, 0;\n";
  EXPECT_NE(problemIn(product + commit + writes + commit + none).find("writes %r5"),
            std::string::npos);
}

TEST(InFlight, everyProductIsWaitedFor) {
  EXPECT_EQ(problemIn(product + commit), "`ret` is executed while a wgmma is in flight");
  EXPECT_NE(problemIn(product + none).find("does not end"), std::string::npos);
  EXPECT_NE(problemIn(product + commit + "@%p1 " + none).find("is predicated"), std::string::npos);
  EXPECT_NE(problemIn(product + commit + "@%p1 ret;\n" + none).find("`@%p1 ret` is executed"),
            std::string::npos);
}

/// Branches stay among the instructions with something in flight, and pass no commit and no wait.
TEST(InFlight, branchesMustNotEnterOrLeave) {
  const std::string branch = "@%p1 bra \t$L1;\n", label = "$L1:\n";
  EXPECT_EQ(problemIn(product + commit + branch + "mov.b32 %r20, 0;\n" + label + none), "");
  EXPECT_EQ(problemIn(label + product + commit + none + branch), "");
  for (const std::string &body :
       {branch + product + commit + label + none, product + commit + branch + none + label,
        product + branch + commit + label + none,
        label + product + commit + none + product + commit + branch + none})
    EXPECT_EQ(problemIn(body),
              "a branch to $L1 enters or leaves instructions with a wgmma in flight")
        << body;
}

/// Labels belong to their scopes.
TEST(InFlight, noProductIsRepeatedInFlight) {
  const std::string problem =
      "a branch to $L1 enters or leaves instructions with a wgmma in flight";
  EXPECT_EQ(problemIn(product + commit + "$L1:\n" + other + "@%p1 bra \t$L1;\n" + commit + none),
            problem);
  EXPECT_EQ(problemIn(product + commit + "$L1:\n@%p1 bra \t$L1;\n" + other + commit + none), "");
}

TEST(InFlight, indirectBranchesAreBranches) {
  const std::string indirect =
      "$L_brx_0: .branchtargets\n\t$L0,\n\t$L1;\nbrx.idx \t%r90, $L_brx_0;\n";
  const std::string labels = "$L0:\nmov.b32 %r20, 0;\n$L1:\n";
  EXPECT_EQ(problemIn(product + commit + indirect + labels + none), "");
  EXPECT_EQ(problemIn(indirect + product + commit + labels + none),
            "a branch to $L0 enters or leaves instructions with a wgmma in flight");
}

TEST(InFlight, eachScopeHasItsLabels) {
  const std::string wait = "{ .reg .pred p; $again: mbarrier.try_wait.parity.shared::cta.b64 p, "
                           "[%r90], %r91; @!p bra $again; }\n";
  EXPECT_EQ(problemIn(wait + product + commit + wait + none + wait), "");
  EXPECT_EQ(problemIn("bra $nowhere;\n"), "there is no label $nowhere");
}

TEST(InFlight, commentsAndLinesAreNoInstructions) {
  EXPECT_EQ(problemIn(product + commit + "\t.loc\t1 2 3\n// mov.b32 %r1, %r2;\n" + none), "");
}

TEST(InFlight, allFunctionsAreChecked) {
  const std::string end = "\tret;\n}\n", wrong = product + commit + "mov.b32 %r1, 0;\n" + none;
  const std::string first = ".extern .func (.param .b32 r) vprintf\n(\n\t.param .b64 a\n);\n"
                            ".entry a()\n{\n" +
                            product + commit + none + end;
  EXPECT_EQ(nvidia::problemInFlight(first), "");
  EXPECT_NE(nvidia::problemInFlight(first + ".entry b()\n{\n" + wrong + end), "");
  EXPECT_EQ(nvidia::problemInFlight(".version 8.3\n"), "");
}

} // namespace
