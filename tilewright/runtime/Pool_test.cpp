// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/Pool.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright::runtime;

/// Work that is distributed as in a launch: every item is taken once.
namespace {
struct Items {
  explicit Items(int count) : left(count) {}

  void operator()(int member) {
    members |= 1 << member;
    while (left.fetch_sub(1) > 0)
      ++done;
  }

  std::atomic<int> left, done = 0, members = 0;
};
} // namespace

TEST(Pool, RunReturnsAfterAllWork) {
  Pool pool;
  for (int members = 1; members <= 8; ++members)
    for (int round = 0; round < 300; ++round) {
      Items items(round);
      pool.run(members, items);
      ASSERT_EQ(items.done, round);
      // The caller works, too, and no one beyond the members.
      ASSERT_TRUE(items.members & 1);
      ASSERT_LT(items.members, 1 << members);
    }
}

TEST(Pool, WorkersJoinRun) {
  Pool pool;
  // The caller waits for a worker: there are more members than needed, so one comes.
  std::atomic<int> present = 0;
  auto waitForOthers = [&](int) {
    ++present;
    while (present < 3)
      std::this_thread::yield();
  };
  pool.run(3, waitForOthers);
  EXPECT_GE(present, 3);
}

TEST(Pool, WorkersBlockSignalsExceptFaults) {
  Pool pool;
  std::atomic<int> present = 0;
  sigset_t blocked[2];
  auto waitForOthers = [&](int member) {
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked[member]);
    ++present;
    while (present < 2)
      std::this_thread::yield();
  };
  pool.run(2, waitForOthers);
  EXPECT_TRUE(sigismember(&blocked[1], SIGINT));
  EXPECT_FALSE(sigismember(&blocked[1], SIGSEGV));
  EXPECT_FALSE(sigismember(&blocked[1], SIGILL));
}

TEST(Pool, WakesSleepingWorkers) {
  Pool pool;
  for (int round = 0; round < 5; ++round) {
    std::atomic<int> present = 0;
    auto waitForOthers = [&](int) {
      ++present;
      while (present < 2)
        std::this_thread::yield();
    };
    pool.run(2, waitForOthers);
    EXPECT_GE(present, 2);
    // Far longer than a worker spins.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST(Pool, NestedRuns) {
  Pool pool;
  std::atomic<int> done = 0;
  auto outer = [&](int) {
    Items items(10);
    pool.run(4, items);
    done += items.done;
  };
  pool.run(1, outer);
  EXPECT_EQ(done, 10);
  auto both = [&](int member) {
    if (member == 0)
      outer(member);
  };
  pool.run(4, both);
  EXPECT_EQ(done, 20);
}

TEST(Pool, ConcurrentRuns) {
  Pool pool;
  auto caller = [&] {
    for (int round = 0; round < 2000; ++round) {
      Items items(round % 50);
      pool.run(3, items);
      ASSERT_EQ(items.done, round % 50);
    }
  };
  std::thread other(caller), third(caller);
  caller();
  other.join();
  third.join();
}

TEST(Pool, DestroysSleepingAndSpinningWorkers) {
  for (int round = 0; round < 50; ++round) {
    Pool pool;
    Items items(4);
    pool.run(1 + round % 4, items);
  }
}

// ThreadSanitizer does not follow a process with threads into its child.
#if !defined(__SANITIZE_THREAD__)
TEST(Pool, ForkedChildGetsNewPool) {
  Items before(100);
  Pool::shared().run(4, before);
  EXPECT_EQ(before.done, 100);
  pid_t child = fork();
  if (child == 0) {
    std::atomic<int> present = 0;
    auto waitForOthers = [&](int) {
      ++present;
      while (present < 2)
        std::this_thread::yield();
    };
    Pool::shared().run(2, waitForOthers);
    _exit(present >= 2 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif
