// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that blocks that wait for one another, in any order, all end, on one thread and on several.

#include "tilewright/runtime/Launch.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <gtest/gtest.h>

using namespace tilewright::runtime;

namespace {
/// The body of a test's blocks, and their shared state.
struct Shared {
  std::function<void(const twLaunch *, int64_t block, void *arena)> body;
  std::vector<std::atomic<int>> flags;

  explicit Shared(int64_t blocks) : flags(blocks) {}
};
} // namespace

static void run(const twLaunch *launch, int64_t first, int64_t end, void *arena) {
  auto *shared = reinterpret_cast<Shared *>(launch->parameters[0]);
  for (int64_t block = first; block < end; ++block)
    shared->body(launch, block, arena);
}

static void waitFor(const twLaunch *launch, std::atomic<int> &flag, int value = 1) {
  while (flag.load(std::memory_order_acquire) != value)
    tw_yield(launch);
}

static tilewright::support::Result<LaunchResult>
runAll(Shared &shared, int threads, WaitingLimits limits = {}, uint64_t flags = 0) {
  const twKernel kernel{"wait", run, 64, 1, twMayWait | flags};
  const uint64_t parameters[] = {reinterpret_cast<uint64_t>(&shared)};
  LaunchOptions options;
  options.threads = threads;
  options.waiting = limits;
  return launch(kernel, *Grid::create(int64_t(shared.flags.size())), parameters, options);
}

static void expectAllSet(const Shared &shared) {
  for (size_t i = 0; i < shared.flags.size(); ++i)
    ASSERT_EQ(shared.flags[i], 1) << "block " << i;
}

// The worst order: each block waits for the next one to start.
TEST(Waiting, ForTheNextBlock) {
  for (int threads : {1, 2, 3})
    for (int64_t blocks : {1, 2, 7, 100, 2000}) {
      Shared shared(blocks);
      shared.body = [&](const twLaunch *launch, int64_t block, void *) {
        if (block + 1 < blocks)
          waitFor(launch, shared.flags[block + 1]);
        shared.flags[block].store(1, std::memory_order_release);
      };
      auto result = runAll(shared, threads);
      ASSERT_TRUE(result) << result.failure().message;
      expectAllSet(shared);
    }
}

TEST(Waiting, ForPreviousBlock) {
  for (int threads : {1, 2, 3}) {
    Shared shared(5000);
    std::vector<int64_t> order;
    shared.body = [&](const twLaunch *launch, int64_t block, void *) {
      if (block)
        waitFor(launch, shared.flags[block - 1]);
      order.push_back(block); // a critical section, as in a split-K sum
      shared.flags[block].store(1, std::memory_order_release);
    };
    ASSERT_TRUE(runAll(shared, threads));
    expectAllSet(shared);
    ASSERT_EQ(order.size(), 5000u);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  }
}

// Each block waits for one far away: steps of 43 make one chain of all 300. The contents of its
// arena and stack must be unchanged when it continues.
TEST(Waiting, KeepsArenaAndStackPerBlock) {
  for (int threads : {1, 2}) {
    constexpr int64_t blocks = 300;
    Shared shared(blocks);
    shared.body = [&](const twLaunch *launch, int64_t block, void *arena) {
      auto *words = static_cast<volatile int64_t *>(arena);
      volatile int64_t local[100];
      for (int i = 0; i < 100; ++i) {
        local[i] = block;
        words[i % 8] = block;
      }
      if (block != 0)
        waitFor(launch, shared.flags[(block + blocks - 43) % blocks]);
      for (int i = 0; i < 100; ++i)
        ASSERT_TRUE(local[i] == block && words[i % 8] == block);
      shared.flags[block].store(1, std::memory_order_release);
    };
    ASSERT_TRUE(runAll(shared, threads));
    expectAllSet(shared);
  }
}

// A barrier: no block may continue before the last has started.
TEST(Waiting, ForAllBlocks) {
  for (int threads : {1, 2, 4}) {
    constexpr int blocks = 1000;
    Shared shared(blocks);
    std::atomic<int> arrived = 0;
    shared.body = [&](const twLaunch *launch, int64_t block, void *) {
      for (int round = 1; round <= 3; ++round) {
        ++arrived;
        while (arrived < round * blocks)
          tw_yield(launch);
      }
      shared.flags[block] = 1;
    };
    ASSERT_TRUE(runAll(shared, threads));
    expectAllSet(shared);
    EXPECT_EQ(arrived, 3 * blocks);
  }
}

TEST(Waiting, ForALock) {
  for (int threads : {1, 2, 4}) {
    Shared shared(3000);
    std::atomic<int> lock = 0;
    int64_t sum = 0;
    shared.body = [&](const twLaunch *launch, int64_t block, void *) {
      while (lock.exchange(1, std::memory_order_acquire))
        tw_yield(launch);
      const int64_t before = sum;
      if (block % 10 == 0)
        tw_yield(launch); // a block may be suspended while it holds the lock
      sum = before + block;
      lock.store(0, std::memory_order_release);
    };
    ASSERT_TRUE(runAll(shared, threads));
    EXPECT_EQ(sum, 2999 * 3000 / 2);
  }
}

// Blocks that wait do not delay those that do not.
TEST(Waiting, YieldsToOtherBlocks) {
  Shared shared(10000);
  shared.body = [&](const twLaunch *launch, int64_t block, void *) {
    if (block == 0)
      waitFor(launch, shared.flags[9999]);
    shared.flags[block].store(1, std::memory_order_release);
  };
  ASSERT_TRUE(runAll(shared, 1));
  expectAllSet(shared);
}

// Text is ordered by the prints: block 0 prints last.
TEST(Waiting, PrintsInPrintOrder) {
  static const twPrintPiece piece{{"%d ", 2}, twIntegers, 0, nullptr};
  static const twPrintFormat format{1, &piece};
  Shared shared(5);
  shared.body = [&](const twLaunch *launch, int64_t block, void *) {
    if (block < 4)
      waitFor(launch, shared.flags[block + 1]);
    const void *values[] = {&block};
    tw_print(launch, &format, block, values);
    shared.flags[block].store(1, std::memory_order_release);
  };
  std::string text;
  const TextSink sink = [&](std::string_view part) { text += part; };
  const twKernel kernel{"wait", run, 0, 1, twMayWait | twPrints};
  const uint64_t parameters[] = {reinterpret_cast<uint64_t>(&shared)};
  LaunchOptions options;
  options.threads = 2;
  options.output = &sink;
  ASSERT_TRUE(launch(kernel, *Grid::create(5), parameters, options));
  EXPECT_EQ(text, "43210");
}

// All blocks wait for the last one, which may not start: the launch fails, and the next launch
// works.
TEST(Waiting, LimitsLiveBlocks) {
  for (int threads : {1, 2}) {
    Shared shared(100);
    std::atomic<bool> mayEnd = false;
    shared.body = [&](const twLaunch *launch, int64_t block, void *) {
      if (!mayEnd)
        waitFor(launch, shared.flags[99], block == 99 ? 0 : 1);
      shared.flags[block].store(1, std::memory_order_release);
    };
    WaitingLimits few{/*liveBlocks=*/10, /*timeout=*/std::chrono::milliseconds(20)};
    auto result = runAll(shared, threads, few);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.failure().message,
              "kernel 'wait': 10 tile blocks wait for one another, and none has ended for 20 ms; "
              "no more may wait at a time, and 90 have not started");
    mayEnd = true;
    ASSERT_TRUE(runAll(shared, threads, few));
    expectAllSet(shared);
  }
}

// At the limit, blocks go on as long as some of them end.
TEST(Waiting, ContinuesAtLimit) {
  for (int threads : {1, 2}) {
    Shared shared(1000);
    shared.body = [&](const twLaunch *launch, int64_t block, void *) {
      // Groups of ten blocks wait for their last one.
      waitFor(launch, shared.flags[block / 10 * 10 + 9], block % 10 == 9 ? 0 : 1);
      shared.flags[block].store(1, std::memory_order_release);
    };
    ASSERT_TRUE(runAll(shared, threads, {20, std::chrono::milliseconds(30000)}));
    expectAllSet(shared);
  }
}

// Each block waits for something that never happens. When cancelled, the launch ends.
TEST(Waiting, CancelEndsWaits) {
  for (int threads : {1, 3}) {
    Shared shared(20);
    std::atomic<bool> cancelled = false;
    shared.body = [&](const twLaunch *launch, int64_t block, void *) {
      if (block == 7)
        cancelled = true;
      waitFor(launch, shared.flags[block]);
    };
    const twKernel kernel{"wait", run, 64, 1, twMayWait};
    const uint64_t parameters[] = {reinterpret_cast<uint64_t>(&shared)};
    LaunchOptions options;
    options.threads = threads;
    options.cancelled = &cancelled;
    auto result = launch(kernel, *Grid::create(20), parameters, options);
    ASSERT_TRUE(result) << result.failure().message;
    EXPECT_TRUE(result->wasCancelled);
  }
}
