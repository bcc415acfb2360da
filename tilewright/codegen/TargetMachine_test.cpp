// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the properties derived from processor names with the processors' manuals, and checks
// which targets this processor can execute.

#include "tilewright/codegen/TargetMachine.h"

#include "gtest/gtest.h"

using namespace tilewright;
using codegen::TargetMachine;
using support::Result;

namespace {

TargetMachine x86(const char *cpu, const char *features = "") {
  return *TargetMachine::of("x86_64-unknown-linux-gnu", cpu, features);
}

TargetMachine aarch64() { return *TargetMachine::of("aarch64-unknown-linux-gnu", "generic"); }

TEST(TargetMachine, levelsOfThePsAbi) {
  TargetMachine v1 = x86("x86-64"), v3 = x86("x86-64-v3"), v4 = x86("x86-64-v4");
  EXPECT_EQ(v1.vectorBytes, 16u);
  EXPECT_FALSE(v1.hasFma || v1.hasF16Conversion || v1.hasAvx512Floats);
  EXPECT_EQ(v3.vectorBytes, 32u);
  EXPECT_TRUE(v3.hasFma && v3.hasF16Conversion && !v3.hasAvx512Floats);
  EXPECT_EQ(v4.vectorBytes, 64u);
  EXPECT_TRUE(v4.hasFma && v4.hasF16Conversion && v4.hasAvx512Floats && !v4.hasAvx512Bf16);
  EXPECT_TRUE(x86("znver4").hasAvx512Bf16);
  EXPECT_FALSE(x86("znver4", "-avx512vl").hasAvx512Bf16);
}

TEST(TargetMachine, featuresCountBesideTheName) {
  TargetMachine machine = x86("x86-64-v4", "-avx512vl");
  EXPECT_EQ(machine.features, "-avx512vl");
  EXPECT_EQ(machine.vectorBytes, 32u);
  EXPECT_TRUE(machine.hasFma && machine.hasF16Conversion && !machine.hasAvx512Floats);
}

TEST(TargetMachine, everyAArch64HasNeon) {
  TargetMachine machine = aarch64();
  EXPECT_EQ(machine.vectorBytes, 16u);
  EXPECT_TRUE(machine.hasFma && machine.hasF16Conversion);
  EXPECT_FALSE(machine.hasAvx512Floats);
}

TEST(TargetMachine, otherArchitecturesAreRefused) {
  Result<TargetMachine> none = TargetMachine::of("riscv64-unknown-linux-gnu", "generic");
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(none.failure().message,
            "codegen: no code is generated for 'riscv64-unknown-linux-gnu'");
}

TEST(TargetMachine, knowsWhatRunsHere) {
  EXPECT_TRUE(bool(TargetMachine::host().runsHere()));
#if defined(__x86_64__) && defined(__GNUC__)
  EXPECT_TRUE(bool(x86("x86-64").runsHere()));
  EXPECT_FALSE(bool(aarch64().runsHere()));
  EXPECT_EQ(bool(x86("x86-64-v3").runsHere()), bool(__builtin_cpu_supports("x86-64-v3")));
  EXPECT_EQ(bool(x86("x86-64-v4").runsHere()), bool(__builtin_cpu_supports("x86-64-v4")));
  // No processor has both these AMD features and AMX.
  EXPECT_FALSE(bool(x86("sapphirerapids", "+fma4,+xop").runsHere()));
#endif
}

} // namespace
