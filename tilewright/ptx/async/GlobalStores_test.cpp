// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// st.async and red.async to global memory: what they write, what they release, and what is not
// guaranteed.

#include "tilewright/ptx/async/AsyncTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// Thread 0 sends a number and then a flag; thread 32 waits for the flag and reads the number.
static Trial message(const std::string &number, const std::string &flag) {
  return {R"(
  setp.eq.u32 %p1, %r1, 32;
  @%p1 bra $receiver;
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra $end;
  mov.u32 %r3, 7;
  mov.u32 %r4, 1;
  )" + number +
              "\n" + flag + R"(
  bra $end;
$receiver:
  ld.acquire.sys.global.u32 %r5, [%rd1+4];
  setp.eq.u32 %p3, %r5, 0;
  @%p3 bra $receiver;
  ld.global.u32 %r6, [%rd1];
  st.global.u32 [%rd1+8], %r6;
$end:)",
          Words(3), 64};
}

TEST(GlobalStores, ReleaseEarlierWrites) {
  const std::string plain = "st.global.u32 [%rd1], %r3;";
  for (const char *flag : {"st.async.release.sys.global.b32 [%rd1+4], %r4;",
                           "st.async.mmio.release.sys.u32 [%rd1+4], %r4;",
                           "st.async.release.gpu.global.s32 [%rd1+4], %r4;",
                           "red.async.release.sys.global.add.u32 [%rd1+4], %r4;",
                           "red.async.mmio.release.gpu.global.or.b32 [%rd1+4], %r4;"})
    EXPECT_EQ(resultOf(message(plain, flag)), (Words{7, 1, 7})) << flag;
  // Another asynchronous store is not released: it may happen later.
  EXPECT_EQ(misses(message("st.async.release.sys.global.b32 [%rd1], %r3;",
                           "st.async.release.sys.global.b32 [%rd1+4], %r4;"),
                   Check::Race, "unordered with the write by an asynchronous operation",
                   "ld.global"),
            "");
  // Nor are later stores.
  EXPECT_EQ(misses(message("st.async.release.sys.global.b32 [%rd1+4], %r4;", plain), Check::Race,
                   "unordered", ""),
            "");
}

TEST(GlobalStores, NotVisibleToIssuingThread) {
  EXPECT_EQ(misses({"st.async.release.gpu.global.b32 [%rd1], 1;\nld.global.u32 %r3, [%rd1];\n"
                    "st.global.u32 [%rd1+4], %r3;",
                    Words(2)},
                   Check::Race, "read of parameter 0 at byte 0, unordered with the write", "ld"),
            "");
  EXPECT_EQ(misses({"mov.u64 %rd2, tile;\ncvta.shared.u64 %rd2, %rd2;\n"
                    "st.async.release.gpu.b32 [%rd2], 1;"},
                   Check::OutOfBounds, "writes global memory, and not shared memory", "st.async"),
            "");
  EXPECT_EQ(misses({"st.async.release.gpu.b32 [%rd1], %r9;"}, Check::Undefined,
                   "a value that is not defined is written", "st.async"),
            "");
}

TEST(GlobalStores, AllTypes) {
  const std::string code = R"(
  .reg .b8 %b;
  .reg .f64 %d;
  ld.global.u8 %b, [%rd1+32];
  ld.global.u16 %h1, [%rd1+32];
  ld.global.f64 %d, [%rd1+32];
  st.async.release.gpu.global.b8 [%rd1], %b;
  st.async.release.gpu.global.u16 [%rd1+2], %h1;
  st.async.release.gpu.global.b64 [%rd1+8], 0x1122334455667788;
  st.async.release.gpu.global.f32 [%rd1+4], 0f3F800000;
  st.async.release.gpu.global.f64 [%rd1+16], %d;)";
  EXPECT_EQ(resultOf({code, {0, 0, 0, 0, 0, 0, 0, 0, 0xA1B2C3D4, 0xE5F60718}}),
            (Words{0xC3D400D4, 0x3F800000, 0x55667788, 0x11223344, 0xA1B2C3D4, 0xE5F60718, 0, 0,
                   0xA1B2C3D4, 0xE5F60718}));
}

TEST(GlobalStores, Reduce) {
  // 32 threads, numbered from 1 to 32; the expected words were computed by hand.
  const std::string code = R"(
  add.u32 %r3, %r1, 1;
  cvt.u64.u32 %rd3, %r3;
  red.async.release.gpu.global.add.u32 [%rd1], %r3;
  red.async.release.gpu.global.min.s32 [%rd1+4], %r3;
  red.async.release.gpu.global.max.u32 [%rd1+8], %r3;
  red.async.release.gpu.global.and.b32 [%rd1+12], %r3;
  red.async.release.gpu.global.xor.b32 [%rd1+16], %r3;
  red.async.release.gpu.global.inc.u32 [%rd1+20], 100;
  red.async.release.gpu.global.add.u64 [%rd1+24], %rd3;)";
  EXPECT_EQ(resultOf({code, {1, 50, 0, 0xFF, 0, 0, 0xFFFFFFFF, 0}, 32}),
            (Words{529, 1, 32, 0, 32, 32, 527, 1}));
}

TEST(GlobalStores, RejectUnsupportedForms) {
  for (const char *code :
       {"st.async.global.b32 [%rd1], %r1;", "st.async.weak.global.b32 [%rd1], %r1;",
        "st.async.release.global.b32 [%rd1], %r1;",
        "st.async.release.cluster.global.b32 [%rd1], %r1;",
        "st.async.release.sys.global.v2.b32 [%rd1], {%r1, %r2};",
        "red.async.relaxed.gpu.global.add.u32 [%rd1], %r1;",
        "red.async.release.gpu.global.min.u64 [%rd1], %rd2;",
        "red.async.release.gpu.global.add.f32 [%rd1], %f1;",
        "red.async.release.gpu.global.exch.b32 [%rd1], %r1;"})
    EXPECT_NE(refusalOf(code), "") << code;
}
