// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the CUDA runtime, and dynamic local memory.

#include "tilewright/ptx/async/CopiesTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

static std::string bytesOfText(const std::string &name, const std::string &text) {
  std::string list;
  for (char c : text)
    list += std::to_string(int(uint8_t(c))) + ", ";
  return ".global .align 1 .b8 " + name + "[" + std::to_string(text.size() + 1) + "] = {" + list +
         "0};\n";
}

/// The output of one vprintf with this format; `stores` fill its arguments, 8 bytes each.
static std::string printed(const std::string &format, const std::vector<std::string> &stores) {
  std::string text = header() + bytesOfText("format", format) + bytesOfText("word", "abc") +
                     ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                     ".visible .entry k()\n{\n.local .align 8 .b8 buffer[64];\n.reg .b64 %rd<9>;\n"
                     "mov.u64 %rd1, buffer;\ncvta.local.u64 %rd1, %rd1;\nmov.u64 %rd2, format;\n"
                     "mov.u64 %rd3, word;\n";
  for (const std::string &store : stores)
    text += store + "\n";
  Kernel kernel(text +
                "{\n.param .b64 p0;\n.param .b64 p1;\n.param .b32 r;\nst.param.b64 [p0], "
                "%rd2;\nst.param.b64 [p1], %rd1;\ncall.uni (r), vprintf, (p0, p1);\n}\nret;\n}\n");
  std::string shown;
  kernel.output = [&](const std::array<uint32_t, 3> &, std::string_view part) { shown += part; };
  EXPECT_TRUE(kernel.run().empty()) << format << kernel.findings.front().message;
  return shown;
}

TEST(Runtime, PrintsWithWidthArguments) {
  EXPECT_EQ(printed("%*d|", {"st.local.u32 [buffer], 4;", "st.local.u32 [buffer+4], 3;"}), "   3|");
  EXPECT_EQ(printed("%c%s %e%", {"st.local.u32 [buffer], 65;", "st.local.u64 [buffer+8], %rd3;",
                                 "st.local.f64 [buffer+16], 0.5;"}),
            "Aabc 5.000000e-01%");
}

/// Runs `code` with 16 bytes of heap memory at %rd1; returns the first finding.
static std::string withHeap(const std::string &code, std::vector<uint32_t> *result = nullptr) {
  Kernel kernel(header() + R"(
.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd2, [out];
  {
  .param .b64 p0; .param .b64 r0;
  st.param.b64 [p0], 16;
  call (r0), malloc, (p0);
  ld.param.b64 %rd1, [r0];
  }
)" + code + "\nret;\n}\n");
  Region &out = kernel.array(std::vector<uint32_t>(2), false);
  kernel.run();
  if (result)
    *result = Kernel::values<uint32_t>(out);
  return kernel.findings.empty() ? "" : kernel.findings.front().message;
}

TEST(Runtime, AllocatesMemory) {
  const std::string free = "{\n.param .b64 p0;\nst.param.b64 [p0], %rd1;\ncall free, (p0);\n}\n";
  std::vector<uint32_t> result;
  EXPECT_EQ(withHeap("st.u32 [%rd1+12], 7;\nld.global.u32 %r1, [%rd1+12];\nst.global.u32 [%rd2], "
                     "%r1;\n" +
                         free,
                     &result),
            "");
  EXPECT_EQ(result[0], 7u);
  EXPECT_NE(withHeap("st.u32 [%rd1+16], 7;").find("byte 16 of memory of malloc"),
            std::string::npos);
  EXPECT_NE(withHeap("ld.u32 %r1, [%rd1];\nst.global.u32 [%rd2], %r1;").find("not defined"),
            std::string::npos);
  EXPECT_NE(withHeap(free + "st.u32 [%rd1], 7;"), "");
  EXPECT_NE(withHeap(free + free).find("was freed before"), std::string::npos);
}

static const std::string freeIt =
    "{\n.param .b64 p0;\nst.param.b64 [p0], %rd1;\ncall free, (p0);\n}\n";

/// Thread 0 allocates 64 bytes at %rd1 and publishes the address to all threads. Returns the one
/// finding that occurs under each schedule, or `nothing`.
static std::string withSharedHeap(const std::string &code, uint32_t threads = 1,
                                  const std::string &checks = "all") {
  std::string text = textOf(R"(
  .shared .align 8 .b64 place;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra $allocated;
  {
  .param .b64 p0; .param .b64 r0;
  st.param.b64 [p0], 64;
  call (r0), malloc, (p0);
  ld.param.b64 %rd1, [r0];
  }
  st.shared.u64 [place], %rd1;
$allocated:
  bar.sync 0;
  ld.shared.u64 %rd1, [place];
)" + code);
  text.insert(text.find(".visible"), ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
                                     ".extern .func free(.param .b64 p);\n");
  std::set<std::string> found;
  for (const Schedule &schedule : Schedules::all()) {
    Kernel kernel(text);
    EXPECT_EQ(kernel.refused, "");
    kernel.array(Words(1));
    kernel.launch.block = {threads, 1, 1};
    kernel.schedule = schedule;
    std::string unknown;
    kernel.checks = *Checks::parse(checks, unknown);
    kernel.run();
    EXPECT_LE(kernel.findings.size(), 1u);
    found.insert(kernel.firstFinding());
  }
  std::string all;
  for (const std::string &finding : found)
    all += (all.empty() ? "" : "; ") + finding;
  return all;
}

TEST(Runtime, FreeRacesWithUnorderedAccesses) {
  EXPECT_EQ(withSharedHeap("st.global.u32 [%rd1+4], 1;\n" + freeIt), "nothing");
  const std::string store = "@%p1 bra $stored;\nst.global.u32 [%rd1+4], 1;\n$stored:\n";
  const std::string freeByLast = "@!%p1 bra $end;\n" + freeIt + "$end:\n";
  EXPECT_EQ(withSharedHeap(store + "bar.sync 0;\n" + freeByLast, 2), "nothing");
  // Unordered, it is a race, or the memory was already freed.
  const std::string read = "@%p1 bra $read;\nld.global.u32 %r3, [%rd1+4];\n$read:\n";
  EXPECT_NE(withSharedHeap("@!%p1 st.global.u32 [%rd1+4], 1;\n" + read + freeByLast, 2)
                .find("race: race: free of memory of malloc at byte 4, unordered with the write by "
                      "thread 0"),
            std::string::npos);
}

TEST(Runtime, FreeWaitsForInFlightOperations) {
  const std::string early = "race: race: free of memory of malloc at byte 0, unordered with the ";
  const std::string writes = early + "write by an asynchronous operation";
  const std::string reads = early + "read by an asynchronous operation";
  const std::string store = "st.async.release.gpu.global.b32 [%rd1], 1;\n";
  EXPECT_EQ(withSharedHeap(store + freeIt), writes);
  EXPECT_EQ(withSharedHeap(store + freeIt, 1, "none"), "nothing");
  EXPECT_EQ(withSharedHeap("red.async.release.gpu.global.add.u32 [%rd1], 1;\n" + freeIt, 1, "none"),
            "nothing");

  const std::string toHeap = "st.shared.v4.b32 [tile], {1, 2, 3, 4};\n" + fence +
                             "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 16;\n" +
                             commit;
  EXPECT_EQ(withSharedHeap(toHeap + waitAll + freeIt), "nothing");
  EXPECT_EQ(withSharedHeap(toHeap + "cp.async.bulk.wait_group.read 0;\n" + freeIt), writes);
  EXPECT_EQ(withSharedHeap(toHeap + "cp.async.bulk.wait_group.read 0;\n" + freeIt, 1, "none"),
            "nothing");

  const std::string fromHeap =
      init + expect("16") + "st.global.v4.b32 [%rd1], {1, 2, 3, 4};\nfence.proxy.async;\n" +
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 16, "
      "[bar];\n";
  EXPECT_EQ(withSharedHeap(fromHeap + waitFor("0") + freeIt), "nothing");
  EXPECT_EQ(withSharedHeap(fromHeap + freeIt + waitFor("0")), reads);
  EXPECT_EQ(withSharedHeap(fromHeap + freeIt + waitFor("0"), 1, "none"), "nothing");
}

TEST(Runtime, AllocatesOnTheStack) {
  Kernel kernel(header() + R"(
.func (.param .b32 r) sum(.param .b32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u32 %r1, [n];
  mul.wide.u32 %rd1, %r1, 4;
  alloca.u64 %rd2, %rd1, 16;
  mov.u32 %r2, 0;
$L_fill:
  mad.wide.u32 %rd3, %r2, 4, %rd2;
  st.local.u32 [%rd3], %r2;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra $L_fill;
  mov.u32 %r3, 0;
  cvta.local.u64 %rd4, %rd2;
$L_add:
  ld.u32 %r4, [%rd4];
  add.u32 %r3, %r3, %r4;
  add.u64 %rd4, %rd4, 4;
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra $L_add;
  st.param.b32 [r], %r3;
  ret;
}
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  stacksave.u64 %rd2;
  alloca.u64 %rd3, 8;
  st.local.u32 [%rd3], 100;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], 10; call (b), sum, (a); ld.param.b32 %r1, [b]; }
  ld.local.u32 %r2, [%rd3];
  stackrestore.u64 %rd2;
  stacksave.u64 %rd4;
  sub.u64 %rd4, %rd4, %rd2;
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd1+4], %r2;
  st.global.u64 [%rd1+8], %rd4;
  st.local.u32 [%rd3], 1;
}
)");
  Region &out = kernel.array(std::vector<uint32_t>(4), false);
  ASSERT_EQ(kernel.run().size(), 1u);
  // The restored memory is gone.
  EXPECT_EQ(kernel.findings[0].check, Check::OutOfBounds);
  EXPECT_EQ(kernel.line(), 48u);
  EXPECT_EQ(Kernel::values<uint32_t>(out), (std::vector<uint32_t>{45, 100, 0, 0}));
}

TEST(Runtime, AliasesAndBytesOfAddresses) {
  Kernel kernel(header() + R"(
.func (.param .b32 r) seven();
.func (.param .b32 r) real()
{
  st.param.b32 [r], 7;
  ret;
}
.alias seven, real;
.global .u32 x = 5;
.global .align 8 .b8 packed[9] = {1, 0xFF(x), 0xFF00(x), 0xFF0000(x), 0xFF000000(x), 0xFF00000000(x), 0xFF0000000000(x), 0xFF000000000000(x), 0xFF00000000000000(generic(x))};
.visible .entry k(.param .u64 out)
{
  .reg .b16 %h<2>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  { .param .b32 b; call (b), seven, (); ld.param.b32 %r1, [b]; }
  st.global.u32 [%rd1], %r1;
  mov.u64 %rd4, 0;
  mov.u32 %r2, 8;
  mov.u64 %rd2, packed;
  .reg .pred %p;
$L:
  cvt.u64.u32 %rd3, %r2;
  add.u64 %rd3, %rd2, %rd3;
  ld.global.u8 %h1, [%rd3];
  cvt.u64.u16 %rd3, %h1;
  shl.b64 %rd4, %rd4, 8;
  or.b64 %rd4, %rd4, %rd3;
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p, %r2, 0;
  @%p bra $L;
  ld.global.u32 %r1, [%rd4];
  st.global.u32 [%rd1+4], %r1;
}
)");
  Region &out = kernel.array(std::vector<uint32_t>(2), false);
  EXPECT_TRUE(kernel.run().empty()) << kernel.refused << kernel.findings.front().message;
  EXPECT_EQ(Kernel::values<uint32_t>(out), (std::vector<uint32_t>{7, 5}));
}
