// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that targets have the properties that the processors' manuals state.

#include "tilewright/cpu/Target.h"

#include "gtest/gtest.h"

#include <fstream>

using namespace tilewright;
using cpu::Target;

namespace {

Target named(std::string_view name) {
  support::Result<Target> target = Target::named(name);
  EXPECT_TRUE(bool(target));
  return *target;
}

TEST(Target, plainX86HasNothingBeyondSse2) {
  Target target = named("x86-64");
  EXPECT_EQ(target.vectorBytes, 16u);
  EXPECT_FALSE(target.hasFma || target.hasF16Conversion || target.hasAvx512);
  EXPECT_FALSE(target.hasAvx512Vnni || target.hasAmxBf16 || target.hasAmxInt8);
}

TEST(Target, levelsOfThePsAbi) {
  Target v3 = named("x86-64-v3");
  EXPECT_EQ(v3.vectorBytes, 32u);
  EXPECT_TRUE(v3.hasFma && v3.hasF16Conversion);
  EXPECT_FALSE(v3.hasAvx512 || v3.hasAvx512Vnni || v3.hasAmxBf16);
  Target v4 = named("x86-64-v4");
  EXPECT_EQ(v4.vectorBytes, 64u);
  EXPECT_TRUE(v4.hasFma && v4.hasF16Conversion && v4.hasAvx512);
  // The level does not include VNNI.
  EXPECT_FALSE(v4.hasAvx512Vnni || v4.hasAmxBf16 || v4.hasAmxInt8);
}

TEST(Target, sapphireRapidsHasAmx) {
  Target target = named("sapphirerapids");
  EXPECT_EQ(target.vectorBytes, 64u);
  EXPECT_TRUE(target.hasAvx512 && target.hasAvx512Vnni && target.hasAmxBf16 && target.hasAmxInt8);
  EXPECT_TRUE(target.hasFma && target.hasF16Conversion);
}

TEST(Target, everyAArch64HasNeon) {
  Target target = named("aarch64");
  EXPECT_EQ(target.vectorBytes, 16u);
  EXPECT_TRUE(target.hasFma && target.hasF16Conversion);
  EXPECT_FALSE(target.hasAvx512 || target.hasAmxBf16 || target.hasAmxInt8);
}

TEST(Target, featuresMayBeAddedAndTaken) {
  Target target = named("x86-64-v3+amx-int8+noavx2");
  EXPECT_TRUE(target.hasAmxInt8 && target.hasF16Conversion);
  EXPECT_FALSE(target.hasAmxBf16);
  EXPECT_EQ(target.vectorBytes, 16u);
  EXPECT_TRUE(named("x86-64-v4+avx512bf16").hasFastBf16Dot);
  // It is slow on processors with AMX, even if features are disabled.
  EXPECT_FALSE(named("sapphirerapids+noamx-bf16").hasFastBf16Dot);
}

TEST(Target, featuresThatCodeNeedsStay) {
  for (const char *wrong : {"x86-64+amx", "x86-64+", "x86-64+nonsense", "native+nosse2",
                            "x86-64+16bit-mode", "x86-64+no64bit", "x86-64-v3+soft-float"}) {
    support::Result<Target> none = Target::named(wrong);
    ASSERT_FALSE(bool(none)) << wrong;
    EXPECT_NE(none.failure().message.find("is no feature to choose"), std::string::npos);
  }
  EXPECT_FALSE(bool(Target::named("aarch64+nofp-armv8")));
  EXPECT_FALSE(bool(Target::named("aarch64+avx2")));
}

TEST(Target, nativeIsWhatTheProcessorReports) {
  Target target = named("native");
#if defined(__x86_64__) && defined(__GNUC__)
  EXPECT_EQ(target.hasFma, bool(__builtin_cpu_supports("fma")));
  EXPECT_EQ(target.hasF16Conversion, bool(__builtin_cpu_supports("f16c")));
  bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  EXPECT_EQ(target.hasAvx512, avx512);
  EXPECT_EQ(target.vectorBytes, avx512 ? 64u : __builtin_cpu_supports("avx2") ? 32u : 16u);
#else
  EXPECT_EQ(target.vectorBytes, 16u);
#endif
}

TEST(Target, cachesOfTheHostAreThoseThatTheKernelNames) {
  auto kilobytes = [](const char *number) {
    int64_t size = 0;
    std::ifstream(std::string("/sys/devices/system/cpu/cpu0/cache/index") + number + "/size") >>
        size;
    return size;
  };
  if (kilobytes("0") == 0 || kilobytes("3") == 0)
    GTEST_SKIP() << "the kernel names no caches";
  EXPECT_EQ(Target::host().firstCacheBytes, kilobytes("0") << 10);
  EXPECT_EQ(Target::host().lastCacheBytes, kilobytes("3") << 10);
}

TEST(Target, unknownNamesAreRefusedWithTheKnown) {
  support::Result<Target> target = Target::named("pentium");
  ASSERT_FALSE(bool(target));
  EXPECT_EQ(target.failure().message,
            "there is no CPU target 'pentium': targets are native, x86-64, x86-64-v3, x86-64-v4, "
            "znver4, sapphirerapids, aarch64");
}

} // namespace
