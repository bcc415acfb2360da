// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which GPUs are supported, and their properties in LLVM.

#include "tilewright/nvidia/Target.h"
#include "tilewright/nvidia/TargetNames.h"

#include <gtest/gtest.h>

using namespace tilewright;
using nvidia::Target;

namespace {

TEST(NvidiaTarget, aVersionOfPtxKnowsTheTarget) {
  // The first versions according to the PTX manual (release notes of the ISA).
  const std::pair<const char *, unsigned> versions[] = {
      {"sm_75", 63}, {"sm_80", 70}, {"sm_86", 71}, {"sm_89", 78}, {"sm_90a", 80}, {"sm_120a", 87}};
  for (auto [name, version] : versions) {
    support::Result<Target> target = Target::named(name);
    ASSERT_TRUE(bool(target)) << name;
    EXPECT_EQ(target->cpu, name);
    EXPECT_EQ(target->ptxVersion, version);
    EXPECT_EQ(target->triple, "nvptx64-nvidia-cuda");
  }
}

TEST(NvidiaTarget, from90OnTheTargetIsThatWithItsOwnInstructions) {
  EXPECT_EQ(Target::named("sm_90")->cpu, "sm_90a");
  EXPECT_EQ(Target::named("sm_100")->capability, 100u);
  EXPECT_EQ(Target::named("sm_89")->cpu, "sm_89");
}

TEST(NvidiaTarget, namesAreKnownWithoutLlvm) {
  for (const char *name : {"sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_120a"})
    EXPECT_EQ(nvidia::targetNamed(name), Target::named(name)->cpu);
  for (const char *name : {"", "sm_", "sm_9", "sm_89a", "sm_90b", "sm_88"})
    EXPECT_EQ(nvidia::targetNamed(name), "");
}

/// ptxas 13.0 accepts these sizes, and refuses one byte more.
TEST(NvidiaTarget, from90OnACtaHasMoreSharedMemory) {
  EXPECT_EQ(Target::named("sm_89")->sharedBytes, 49152);
  EXPECT_EQ(Target::named("sm_90a")->sharedBytes, 232448);
  EXPECT_EQ(Target::named("sm_110a")->sharedBytes, 232448);
  EXPECT_EQ(Target::named("sm_121a")->sharedBytes, 101376);
}

/// The most shared memory of a block (CUDA programming guide, compute capabilities).
TEST(NvidiaTarget, otherFormsThanTheStaticOneHaveAllSharedMemory) {
  const std::pair<const char *, int64_t> sizes[] = {
      {"sm_75", 65536},  {"sm_80", 166912},  {"sm_86", 101376},  {"sm_87", 166912},
      {"sm_89", 101376}, {"sm_90a", 232448}, {"sm_120a", 101376}};
  for (auto [name, bytes] : sizes)
    for (auto form : {nvidia::SharedMemoryForm::Dynamic, nvidia::SharedMemoryForm::InCubin}) {
      Target target = *Target::named(name);
      EXPECT_LE(target.sharedBytes, bytes) << name;
      target.use(form);
      EXPECT_EQ(target.sharedBytes, bytes) << name;
      target.use(nvidia::SharedMemoryForm::Static);
      EXPECT_EQ(target.sharedBytes, target.staticSharedBytes) << name;
    }
}

TEST(NvidiaTarget, anUnknownNameIsToldWithThoseThatAreKnown) {
  support::Result<Target> target = Target::named("sm_70");
  ASSERT_FALSE(bool(target));
  EXPECT_EQ(target.failure().message,
            "there is no GPU target 'sm_70': targets are sm_75, sm_80, sm_86, sm_87, sm_89, "
            "sm_90a, sm_100a, sm_103a, sm_110a, sm_120a, sm_121a");
  EXPECT_FALSE(bool(Target::named("sm_89a")));
}

} // namespace
