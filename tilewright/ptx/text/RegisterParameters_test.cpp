// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with register parameters and results, and calls that pass registers.

#include "tilewright/ptx/Testing.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// The value of %r1 after `code`, with these functions before the entry.
static uint32_t resultOf(const std::string &functions, const std::string &code) {
  Kernel kernel(header() + functions +
                "\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
                ".reg .pred %p<3>;\nld.param.u64 %rd1, [out];\n" +
                code + "\nst.global.b32 [%rd1], %r1;\nret;\n}\n");
  Region &out = kernel.array(std::vector<uint32_t>(1));
  EXPECT_TRUE(kernel.run().empty())
      << (kernel.findings.empty() ? "" : kernel.findings.front().message);
  return Kernel::values<uint32_t>(out)[0];
}

static std::string refusalOfModule(const std::string &text) {
  return Kernel(header() + text).refused;
}

static const char *addition = ".func (.reg .u32 sum) add2(.reg .u32 a, .reg .u32 b)\n{\n"
                              "add.u32 sum, a, b;\nret;\n}\n";

TEST(RegisterParameters, ArgumentsAndResults) {
  EXPECT_EQ(resultOf(addition, "mov.u32 %r2, 40;\ncall (%r1), add2, (%r2, 2);"), 42u);
  EXPECT_EQ(resultOf(addition, "mov.u32 %r1, 1;\ncall.uni (%r1), add2, (%r1, %r1);"), 2u);
  EXPECT_EQ(resultOf(addition, "call (%r1), add2, (40, %ntid.x);"), 41u);
}

TEST(RegisterParameters, ImplicitReturn) {
  EXPECT_EQ(resultOf(".func (.reg .u32 r) five()\n{\nmov.u32 r, 5;\n}\n", "call (%r1), five;"), 5u);
}

// The address of a parameter variable is a local address, which compilers convert to a generic one.
TEST(RegisterParameters, VariablesHaveAddresses) {
  EXPECT_EQ(resultOf(".func (.reg .u32 r) second(.param .align 4 .b8 s[8])\n{\n.reg .b64 a;\n"
                     "mov.b64 a, s;\ncvta.local.u64 a, a;\nld.u32 r, [a+4];\nret;\n}\n",
                     "{\n.param .align 4 .b8 p[8];\nst.param.b32 [p], 1;\nst.param.b32 [p+4], 7;\n"
                     "call (%r1), second, (p);\n}"),
            7u);
}

// Two calls of one function under a condition: lanes in one call are not active in the other.
TEST(RegisterParameters, ActivemaskIsPerCall) {
  Kernel kernel(header() +
                ".func (.reg .b32 r) active()\n{\nactivemask.b32 r;\nret;\n}\n"
                ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
                ".reg .pred %p;\nld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\n"
                "mad.wide.u32 %rd2, %r1, 4, %rd1;\nsetp.lt.u32 %p, %r1, 8;\n@%p bra $A;\n"
                "call (%r2), active;\nbra $B;\n$A: call (%r2), active;\n"
                "$B: st.global.u32 [%rd2], %r2;\nret;\n}\n");
  kernel.launch.block = {32, 1, 1};
  Region &out = kernel.array(std::vector<uint32_t>(32));
  EXPECT_TRUE(kernel.run().empty());
  const auto masks = Kernel::values<uint32_t>(out);
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(masks[lane], lane < 8 ? 0xFFu : 0xFFFFFF00u) << lane;
}

TEST(RegisterParameters, EarlyReturns) {
  const char *choose = ".func (.reg .u32 r) choose(.reg .u32 a)\n{\n.reg .pred p;\n"
                       "setp.gt.u32 p, a, 10;\nmov.u32 r, 1;\n@p ret;\nmov.u32 r, 2;\nret;\n}\n";
  EXPECT_EQ(resultOf(choose, "call (%r1), choose, (11);"), 1u);
  EXPECT_EQ(resultOf(choose, "call (%r1), choose, (10);"), 2u);
  // A guarded call has no effect in threads whose guard is false.
  EXPECT_EQ(resultOf(choose, "mov.u32 %r1, 7;\nsetp.eq.u32 %p1, %r1, 8;\n"
                             "@%p1 call (%r1), choose, (11);"),
            7u);
}

TEST(RegisterParameters, RecursionAndDeclarations) {
  EXPECT_EQ(resultOf(".func (.reg .u32 r) fac(.reg .u32 n);\n"
                     ".func (.reg .u32 r) fac(.reg .u32 n)\n{\n.reg .pred p;\n.reg .u32 m;\n"
                     "mov.u32 r, 1;\nsetp.eq.u32 p, n, 0;\n@p ret;\nsub.u32 m, n, 1;\n"
                     "call (m), fac, (m);\nmul.lo.u32 r, n, m;\nret;\n}\n",
                     "call (%r1), fac, (5);"),
            120u);
}

TEST(RegisterParameters, MixWithVariables) {
  // The caller has registers where the callee has variables.
  EXPECT_EQ(resultOf(".func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 x;\n"
                     "ld.param.b32 x, [a];\nadd.u32 x, x, x;\nst.param.b32 [r], x;\nret;\n}\n",
                     "call (%r1), twice, (21);"),
            42u);
  // The same through a function pointer.
  EXPECT_EQ(resultOf(addition,
                     "mov.u64 %rd2, add2;\n"
                     "proto: .callprototype (.param .u32 _) _ (.param .u32 _, .param .u32 _);\n"
                     "call (%r1), %rd2, (1, 2), proto;"),
            3u);
}

TEST(RegisterParameters, RejectsMismatchedArguments) {
  EXPECT_NE(
      refusalOfModule(std::string(addition) +
                      ".visible .entry k()\n{\n.reg .b32 %r1;\ncall (%r1), add2, (1, 2, 3);\n}\n")
          .find("more operands"),
      std::string::npos);
  EXPECT_NE(
      refusalOfModule(std::string(addition) +
                      ".visible .entry k()\n{\n.reg .b64 %r1;\ncall (%r1), add2, (1, %r1);\n}\n")
          .find("does not fit"),
      std::string::npos);
  EXPECT_NE(refusalOfModule(".func f(.reg .pred p)\n{\nret;\n}\n.visible .entry k()\n{\n}\n")
                .find("not supported"),
            std::string::npos);
  EXPECT_NE(refusalOfModule(".visible .entry k(.reg .b32 a)\n{\n}\n").find("expected '.param'"),
            std::string::npos);
}
