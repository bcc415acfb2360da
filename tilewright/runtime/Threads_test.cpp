// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/Threads.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

using namespace tilewright::runtime;
namespace fs = std::filesystem;

TEST(Threads, ParsesNumbersInRange) {
  EXPECT_EQ(*parseThreads("--threads", "1"), 1);
  EXPECT_EQ(*parseThreads("--threads", "1024"), 1024);
  for (const char *text : {"", "0", "-1", "1025", "two", "2x", " 2", "0x2", "99999999999"})
    EXPECT_EQ(parseThreads("--threads", text).failure().message,
              std::string("--threads must be a number in 1..1024, but is '") + text + "'");
}

TEST(Threads, ReadsEnvironment) {
  setenv("TILEWRIGHT_THREADS", "3", 1);
  EXPECT_EQ(*defaultThreads(), 3);
  setenv("TILEWRIGHT_THREADS", "many", 1);
  EXPECT_EQ(defaultThreads().failure().message,
            "TILEWRIGHT_THREADS must be a number in 1..1024, but is 'many'");
  unsetenv("TILEWRIGHT_THREADS");
  EXPECT_EQ(*defaultThreads(), availableThreads());
  EXPECT_GE(availableThreads(), 1);
  EXPECT_LE(availableThreads(), affinityThreads());
}

namespace {
/// Simulates control groups with ordinary files.
class Groups : public testing::Test {
protected:
  Groups() : root(fs::path(testing::TempDir()) / ("cgroups-" + std::to_string(getpid()))) {
    fs::remove_all(root);
  }
  ~Groups() override { fs::remove_all(root); }

  void write(const std::string &path, const std::string &text) {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  int threads() { return cgroupThreads(root / "membership", root); }

  fs::path root;
};
} // namespace

TEST_F(Groups, OfVersionTwo) {
  write("membership", "0::/service/job\n");
  EXPECT_EQ(threads(), maxThreads);
  write("service/job/cpu.max", "max 100000\n");
  EXPECT_EQ(threads(), maxThreads);
  write("service/job/cpu.max", "250000 100000\n");
  EXPECT_EQ(threads(), 3); // two and a half, rounded up
  // A parent group has a smaller quota.
  write("service/cpu.max", "50000 100000\n");
  EXPECT_EQ(threads(), 1);
}

TEST_F(Groups, OfVersionOne) {
  write("membership", "5:memory:/x\n4:cpu,cpuacct:/docker/abc\n3:cpuset:/x\n0::/\n");
  write("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(threads(), maxThreads);
  write("cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "200000\n");
  write("cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(threads(), 2);
  // Groups of other controllers do not matter, whatever their files.
  write("memory/x/cpu.cfs_quota_us", "100000\n");
  write("memory/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(threads(), 2);
}

// The path is the host's; only the group itself is mounted.
TEST_F(Groups, OfAContainer) {
  write("membership", "0::/host/only/path\n");
  write("cpu.max", "400000 100000\n");
  EXPECT_EQ(threads(), 4);
}

TEST_F(Groups, ThatCannotBeRead) {
  EXPECT_EQ(threads(), maxThreads);
  write("membership", "nonsense\n0::/a\n");
  write("a/cpu.max", "what 100000");
  EXPECT_EQ(threads(), maxThreads);
}
