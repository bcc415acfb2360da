// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the progress bar with a simulated clock.

#include "tools/tilewright/run/Progress.h"

#include <gtest/gtest.h>

using namespace tilewright::tools;

namespace {

struct Terminal {
  std::string text;
  llvm::raw_string_ostream stream{text};
  Progress::Time time;

  Progress progress(int64_t blocks) {
    return Progress(stream, blocks, [this] { return time; });
  }
  /// Returns and clears the output since the previous call.
  std::string drawn() { return std::exchange(text, ""); }
};

void run(Progress &progress, int64_t operations) {
  for (int64_t i = 0; i < operations; ++i)
    progress.countOperation(/*prints=*/false);
}

} // namespace

TEST(Progress, IsSilentForASecond) {
  Terminal terminal;
  {
    Progress progress = terminal.progress(4);
    terminal.time += std::chrono::milliseconds(999);
    run(progress, 1000);
    progress.countBlock();
  }
  EXPECT_EQ(terminal.drawn(), "");
}

TEST(Progress, DrawsTenTimesASecondAndLeavesNothing) {
  Terminal terminal;
  {
    Progress progress = terminal.progress(4);
    terminal.time += std::chrono::seconds(1);
    progress.countBlock();
    run(progress, 1600);
    EXPECT_EQ(terminal.drawn(), "[#####---------------] 1 of 4 blocks, 16 operations");
    terminal.time += std::chrono::milliseconds(99);
    run(progress, 16);
    EXPECT_EQ(terminal.drawn(), "");
    terminal.time += std::chrono::milliseconds(1);
    progress.countBlock();
    run(progress, 1'500'000 - 1616);
    EXPECT_EQ(terminal.drawn(), "\r\033[K[##########----------] 2 of 4 blocks, 1632 operations");
    terminal.time += std::chrono::seconds(1);
    run(progress, 16);
    EXPECT_EQ(terminal.drawn(),
              "\r\033[K[##########----------] 2 of 4 blocks, 1.5 million operations");
  }
  EXPECT_EQ(terminal.drawn(), "\r\033[K");
}

TEST(Progress, MakesWayForWhatTheKernelPrints) {
  Terminal terminal;
  Progress progress = terminal.progress(1);
  terminal.time += std::chrono::seconds(1);
  run(progress, 16);
  EXPECT_EQ(terminal.drawn(), "[--------------------] 0 of 1 block, 16 operations");
  progress.countOperation(/*prints=*/true);
  EXPECT_EQ(terminal.drawn(), "\r\033[K");
}
