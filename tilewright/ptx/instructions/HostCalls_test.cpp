// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels print, and the effect of a failed assertion (HostCalls.h).

#include "tilewright/ptx/Testing.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

namespace {

/// A kernel that prints: `format` is its text in PTX; `stores` write the values to [%SP + 0 ...].
std::string printing(const std::string &format, const std::string &stores) {
  return header() +
         ".extern .func (.param .b32 result) vprintf (.param .b64 f, .param .b64 v);\n"
         ".global .align 1 .b8 text[] = {" +
         format +
         "};\n.visible .entry k(.param .u64 out)\n{\n.local .align 8 .b8 values[128];\n"
         ".reg .b64 %rd<9>;\n.reg .b32 %r<9>;\n.reg .f64 %fd<9>;\nmov.u64 %rd1, values;\n" +
         stores +
         "mov.u64 %rd2, text;\ncvta.global.u64 %rd2, %rd2;\ncvta.local.u64 %rd3, %rd1;\n{\n"
         ".param .b64 param0;\nst.param.b64 [param0], %rd2;\n.param .b64 param1;\n"
         "st.param.b64 [param1], %rd3;\n.param .b32 retval0;\n"
         "call (retval0), vprintf, (param0, param1);\nld.param.b32 %r1, [retval0];\n}\n"
         "ld.param.u64 %rd4, [out];\nst.global.u32 [%rd4], %r1;\nret;\n}\n";
}

/// The characters as numbers, and a terminating zero.
std::string bytesOf(std::string_view text) {
  std::string bytes;
  for (char c : text)
    bytes += std::to_string(int(c)) + ", ";
  return bytes + "0";
}

std::string printed(const std::string &format, const std::string &stores) {
  Kernel kernel(printing(bytesOf(format), stores));
  kernel.array(std::vector<uint32_t>(1));
  std::string text;
  kernel.output = [&](const std::array<uint32_t, 3> &, std::string_view part) { text += part; };
  kernel.run();
  EXPECT_TRUE(kernel.findings.empty());
  return text;
}

/// The finding that stops the kernel.
std::string stopped(const std::string &format, const std::string &stores) {
  Kernel kernel(printing(bytesOf(format), stores));
  kernel.array(std::vector<uint32_t>(1));
  kernel.run();
  return kernel.findings.size() == 1 ? kernel.findings[0].message : "no finding, or several";
}

TEST(HostCalls, TextWithoutValues) { EXPECT_EQ(printed("100%% sure\n", ""), "100% sure\n"); }

TEST(HostCalls, ValuesAreAlignedToTheirSize) {
  // An int at 0, a double at 8, an int at 16, a long long at 24.
  EXPECT_EQ(printed("%d|%.2f|%5u|%llx",
                    "st.local.u32 [%rd1], -7;\nmov.f64 %fd1, 0d3FF8000000000000;\n"
                    "st.local.f64 [%rd1+8], %fd1;\nst.local.u32 [%rd1+16], 42;\n"
                    "mov.u64 %rd5, 0x123456789AB;\nst.local.u64 [%rd1+24], %rd5;\n"),
            "-7|1.50|   42|123456789ab");
}

TEST(HostCalls, ShortConversionsUseLowestBits) {
  const std::string stores =
      "st.local.u32 [%rd1], 0x12348765;\nst.local.u32 [%rd1+4], 0x12348765;\n"
      "st.local.u32 [%rd1+8], 0x1234FFEE;\nst.local.u32 [%rd1+12], 0x1234FFEE;\n";
  EXPECT_EQ(printed("%hd|%hu|%hhi|%hhx", stores), "-30875|34661|-18|ee");
}

TEST(HostCalls, WidthFromArgument) {
  // A negative width pads on the right; a negative precision is ignored.
  const std::string stores = "st.local.u32 [%rd1], -4;\nst.local.u32 [%rd1+4], 7;\n"
                             "st.local.u32 [%rd1+8], 3;\nst.local.u32 [%rd1+12], -2;\n"
                             "st.local.u32 [%rd1+16], 5;\n";
  EXPECT_EQ(printed("%*d|%*.*d|", stores), "7   |  5|");
}

TEST(HostCalls, LimitsWidths) {
  const std::string seven = "st.local.u32 [%rd1], 7;\nst.local.u32 [%rd1+4], 7;\n";
  EXPECT_EQ(printed("%4095d", seven), std::string(4094, ' ') + '7');
  EXPECT_EQ(printed("%-04095d", seven), '7' + std::string(4094, ' '));
  EXPECT_EQ(stopped("%4096d", seven),
            "vprintf: '%4096d': expected a width and a precision of at most 4095");
  EXPECT_EQ(stopped("%.99999999999999999999d", seven),
            "vprintf: '%.99999999999999999999d': expected a width and a precision of at most 4095");
  EXPECT_EQ(stopped("%*d", "st.local.u32 [%rd1], 0x80000000;\n"),
            "vprintf: '%-2147483648d': expected a width and a precision of at most 4095");
}

TEST(HostCalls, PrintsUnknownConversions) {
  // `%n` writes memory in C, `%2$d` reads another argument.
  EXPECT_EQ(printed("50%\n%nd %2$d %k%", ""), "50%\n%nd %2$d %k%");
}

TEST(HostCalls, PrintsConversionsWithoutArguments) {
  std::string format, stores;
  for (int i = 0; i < 33; ++i)
    format += "%d";
  for (int i = 0; i < 32; ++i)
    stores += "st.local.u32 [%rd1+" + std::to_string(4 * i) + "], 1;\n";
  EXPECT_EQ(printed(format, stores), std::string(32, '1') + "%d");
}

TEST(HostCalls, FailedAssertionEndsRun) {
  Kernel kernel(header() +
                ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param "
                ".b64 n, .param .b64 s);\n.global .align 1 .b8 text[] = {" +
                bytesOf("no") + "};\n.global .align 1 .b8 file[] = {" + bytesOf("a.cu") +
                "};\n.visible .entry k()\n{\n.reg .b64 %rd<9>;\nmov.u64 %rd1, text;\n"
                "mov.u64 %rd2, file;\n{\n.param .b64 param0;\nst.param.b64 [param0], %rd1;\n"
                ".param .b64 param1;\nst.param.b64 [param1], %rd2;\n.param .b32 param2;\n"
                "st.param.b32 [param2], 12;\n.param .b64 param3;\nst.param.b64 [param3], %rd2;\n"
                ".param .b64 param4;\nst.param.b64 [param4], 1;\n"
                "call __assertfail, (param0, param1, param2, param3, param4);\n}\nret;\n}\n");
  kernel.run();
  ASSERT_EQ(kernel.findings.size(), 1u);
  EXPECT_EQ(kernel.findings[0].check, Check::Assertion);
  EXPECT_EQ(kernel.findings[0].message, "a.cu:12: assertion failed: no");
}

TEST(HostCalls, RejectsUnknownFunctions) {
  EXPECT_NE(Kernel(header() + ".extern .func malloc (.param .b64 n);\n.visible .entry k()\n{\n{\n"
                              ".param .b64 param0;\nst.param.b64 [param0], 8;\n"
                              "call malloc, (param0);\n}\nret;\n}\n")
                .refused.find("the function has no body in this module"),
            std::string::npos);
}

} // namespace
