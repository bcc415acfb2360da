// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/WorkQueue.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace tilewright::runtime;

namespace {
/// Shares with their memory, and a simulated clock.
class Trial {
public:
  Trial(Blocks all, int members)
      : memory(new (
            std::align_val_t(WorkQueue::alignment)) char[size_t(WorkQueue::bytesFor(members))]),
        queue(all, members, memory.get()) {}

  Blocks take(int member) {
    return queue.take(member, [&] { return time; });
  }

  int64_t time = 1;

private:
  struct Delete {
    void operator()(char *at) { operator delete[](at, std::align_val_t(WorkQueue::alignment)); }
  };
  std::unique_ptr<char, Delete> memory;

public:
  WorkQueue queue;
};
} // namespace

/// Whether these are all blocks, each exactly once.
static bool coversOnce(std::vector<Blocks> taken, Blocks all) {
  std::ranges::sort(taken, {}, &Blocks::first);
  int64_t next = all.first;
  for (Blocks blocks : taken) {
    if (blocks.first != next || blocks.count() <= 0)
      return false;
    next = blocks.end;
  }
  return next == all.end;
}

TEST(WorkQueue, TakesEachBlockOnceInAnyOrder) {
  std::mt19937 random(7);
  auto below = [&](int64_t limit) { return int64_t(random() % uint64_t(limit)); };
  for (int trial = 0; trial < 500; ++trial) {
    const int members = int(1 + below(9));
    const Blocks all{below(100), 100 + below(trial % 2 ? 50 : 100000)};
    Trial trials(all, members);
    std::vector<Blocks> taken;
    std::vector<int> present;
    for (int member = 0; member < members; ++member)
      if (member == 0 || below(4)) // some never come
        present.push_back(member);
    while (!present.empty()) {
      trials.time += below(10000);
      const int64_t who = below(int64_t(present.size()));
      if (Blocks blocks = trials.take(present[size_t(who)]); blocks.count())
        taken.push_back(blocks);
      else
        present.erase(present.begin() + who);
    }
    ASSERT_TRUE(coversOnce(taken, all)) << "trial " << trial;
  }
}

TEST(WorkQueue, ThreadsTakeEachBlockOnce) {
  constexpr int members = 8;
  const Blocks all{3, 200003};
  for (int trial = 0; trial < 20; ++trial) {
    Trial trials(all, members);
    std::vector<Blocks> taken[members];
    std::vector<std::thread> threads;
    for (int member = 0; member < members; ++member)
      threads.emplace_back([&, member] {
        for (Blocks b; (b = trials.take(member)).count();)
          taken[member].push_back(b);
      });
    for (std::thread &thread : threads)
      thread.join();
    std::vector<Blocks> together;
    for (const std::vector<Blocks> &one : taken)
      together.insert(together.end(), one.begin(), one.end());
    ASSERT_TRUE(coversOnce(together, all));
  }
}

TEST(WorkQueue, SupportsMoreThanTwoToThe32Blocks) {
  const Blocks all{0, (int64_t(1) << 62) + 12345};
  Trial trials(all, 3);
  std::vector<Blocks> taken;
  for (int member = 0; member < 3; ++member)
    for (Blocks b; trials.time += 1000000000, (b = trials.take(member)).count();)
      taken.push_back(b);
  EXPECT_TRUE(coversOnce(taken, all));
}

TEST(WorkQueue, ChunksAreSameInEachLaunch) {
  for (int launch = 0; launch < 2; ++launch) {
    Trial trials({0, 1000}, 4);
    for (int member : {2, 0, 3, 1})
      EXPECT_EQ(trials.take(member).first, 250 * member);
  }
}

TEST(WorkQueue, UndisturbedOwnerTakesAscendingBlocks) {
  Trial trials({10, 500}, 2);
  int64_t next = 10;
  while (next < 255) {
    const Blocks taken = trials.take(0);
    ASSERT_EQ(taken.first, next);
    trials.time += 100000 * taken.count();
    next = taken.end;
  }
  EXPECT_EQ(next, 255);
}

TEST(WorkQueue, StealsFromOwnerThatEndsLast) {
  // Three members have 100 blocks each; the second takes 2 us per block, the third 9.
  Trial trials({0, 300}, 3);
  const Blocks second = trials.take(1), third = trials.take(2);
  EXPECT_EQ(second.count(), 12);
  EXPECT_EQ(third.count(), 12);
  while (trials.take(0).end < 100) {
  }
  trials.time += second.count() * 2000;
  trials.take(1); // has finished its first piece; the third has not
  trials.time += third.count() * 7000;
  const Blocks stolen = trials.take(0);
  EXPECT_EQ(stolen.first, 256); // the second half of 88
}

TEST(WorkQueue, StealsFromAbsentOwnersFirst) {
  Trial trials({0, 300}, 3);
  trials.take(2);
  while (trials.take(0).end < 100) {
  }
  trials.time += 1000000;
  EXPECT_EQ(trials.take(0).first, 150); // not from the third one, which is slow
}

TEST(WorkQueue, ShortBlocksMakeLongerPieces) {
  Trial trials({0, 80}, 1);
  EXPECT_EQ(trials.take(0).count(), 10);
  trials.time += 2000; // 200 ns for each: 20 in 4 us
  EXPECT_EQ(trials.take(0).count(), 20);
  trials.time += 2000000;
  EXPECT_EQ(trials.take(0).count(), 6);
}
