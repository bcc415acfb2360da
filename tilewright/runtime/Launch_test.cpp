// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of these tests have the form that compilers generate: functions that run a range of
// blocks. Parameters are the addresses of counters.

#include "tilewright/runtime/Array.h"
#include "tilewright/runtime/Launch.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>

using namespace tilewright::runtime;

template <typename T> static T *pointer(const twLaunch *launch, int parameter) {
  return reinterpret_cast<T *>(launch->parameters[parameter]);
}
static uint64_t address(const void *memory) { return reinterpret_cast<uint64_t>(memory); }

static std::vector<uint64_t> parametersOf(std::initializer_list<const void *> memory) {
  std::vector<uint64_t> parameters;
  for (const void *one : memory)
    parameters.push_back(address(one));
  return parameters;
}

static LaunchOptions withThreads(int threads) {
  LaunchOptions options;
  options.threads = threads;
  return options;
}

//===-- Each block once -----------------------------------------------------------------------===//

/// Counts the runs of each block, and uses all of its arena.
static void count(const twLaunch *launch, int64_t first, int64_t end, void *arena) {
  ASSERT_EQ(uintptr_t(arena) % twArenaAlignment, 0u);
  auto *scratch = static_cast<volatile int64_t *>(arena);
  for (int64_t block = first; block < end; ++block) {
    for (int i = 0; i < 8; ++i)
      scratch[i] = block;
    ++pointer<uint8_t>(launch, 0)[block];
    for (int i = 0; i < 8; ++i)
      ASSERT_EQ(scratch[i], block) << "another block has written this arena";
  }
}
static const twKernel countKernel{"count", count, 64, 1, 0};

TEST(Launch, RunsEachBlockOnce) {
  for (int threads = 1; threads <= 8; ++threads)
    for (int64_t blocks : {1, 2, 3, 15, 16, 17, 33, 100, 1000, 9999, 100000}) {
      std::vector<uint8_t> runs(blocks);
      auto result = launch(countKernel, *Grid::create(blocks), parametersOf({runs.data()}),
                           withThreads(threads));
      ASSERT_TRUE(result) << result.failure().message;
      EXPECT_EQ(std::vector<uint8_t>(blocks, 1), runs) << blocks << " on " << threads;
    }
}

TEST(Launch, ThreeDimensionalGrids) {
  static auto check = [](const twLaunch *launch, int64_t first, int64_t end, void *) {
    EXPECT_EQ(launch->grid[0], 2u);
    EXPECT_EQ(launch->grid[1], 3u);
    EXPECT_EQ(launch->grid[2], 4u);
    *pointer<std::atomic<int64_t>>(launch, 0) += end - first;
  };
  std::atomic<int64_t> runs = 0;
  const twKernel kernel{"check", [](auto... arguments) { check(arguments...); }, 0, 1, 0};
  ASSERT_TRUE(launch(kernel, *Grid::create(2, 3, 4), parametersOf({&runs}), withThreads(2)));
  EXPECT_EQ(runs, 24);
}

/// Kernels that request it may choose the order of their blocks, unless only a part of the grid
/// runs or text is ordered by block.
TEST(Launch, InterleavesColumnsOnRequest) {
  static auto note = [](const twLaunch *launch, int64_t, int64_t, void *) {
    *pointer<std::atomic<uint64_t>>(launch, 0) = launch->columnsInTurn;
  };
  std::atomic<uint64_t> seen = 99;
  const uint64_t flags = uint64_t(4) << twColumnsInTurnShift;
  auto run = [&](uint64_t flags) {
    const twKernel kernel{"note", [](auto... arguments) { note(arguments...); }, 0, 1, flags};
    EXPECT_TRUE(launch(kernel, *Grid::create(3, 5), parametersOf({&seen}), withThreads(2)));
    return seen.load();
  };
  EXPECT_EQ(run(0), 0u);
  EXPECT_EQ(run(flags), 4u);
  EXPECT_EQ(run(flags | twPrints), 0u);
  EXPECT_EQ(run(flags | twMayWait), 0u);

  const twKernel kernel{"note", [](auto... arguments) { note(arguments...); }, 0, 1, flags};
  const uint32_t grid[] = {3, 5, 1};
  const std::vector<uint64_t> parameters = parametersOf({&seen});
  EXPECT_EQ(tw_run_blocks(&kernel, grid, parameters.data(), 0, 7), 0);
  EXPECT_EQ(seen, 0u);
  EXPECT_EQ(tw_run_blocks(&kernel, grid, parameters.data(), 0, 15), 0);
  EXPECT_EQ(seen, 4u) << "the whole grid";
}

/// At most as many threads as blocks.
TEST(Launch, PassesThreadCountToKernels) {
  static auto note = [](const twLaunch *launch) {
    *pointer<std::atomic<uint64_t>>(launch, 0) = launch->threads;
  };
  std::atomic<uint64_t> seen = 99;
  const twKernel kernel{"note", [](const twLaunch *launch, auto...) { note(launch); }, 0, 1, 0};
  for (auto [threads, blocks, expected] : {std::array{1, 8, 1}, {4, 8, 4}, {4, 3, 3}}) {
    EXPECT_TRUE(launch(kernel, *Grid::create(blocks), parametersOf({&seen}), withThreads(threads)));
    EXPECT_EQ(seen, uint64_t(expected)) << threads << " threads, " << blocks << " blocks";
  }
}

/// Later calls of a thread find the arena as its first call left it, and the first call does not
/// reuse contents of an earlier launch.
TEST(Launch, ReusesArenaBetweenCalls) {
  static std::atomic<int64_t> calls, kept;
  static auto visit = [](const twLaunch *launch, int64_t, int64_t, void *arena) {
    const auto *mine = pointer<const void>(launch, 0);
    auto *word = static_cast<const void **>(arena);
    ++calls;
    if (launch->keepsArena) {
      ++kept;
      EXPECT_EQ(*word, mine);
    }
    *word = mine;
  };
  const twKernel kernel{"visit", [](auto... arguments) { visit(arguments...); }, 64, 1, 0};
  for (int threads = 1; threads <= 4; ++threads)
    for (bool mayBeCancelled : {false, true}) {
      calls = kept = 0;
      const std::atomic<bool> cancelled = false;
      LaunchOptions options = withThreads(threads);
      options.cancelled = mayBeCancelled ? &cancelled : nullptr;
      int own = 0;
      ASSERT_TRUE(launch(kernel, *Grid::create(1000), parametersOf({&own}), options));
      EXPECT_GE(kept, 1);
      EXPECT_LE(calls - kept, threads) << "each thread begins once";
      EXPECT_GE(calls - kept, 1);
    }
}

TEST(Launch, ConcurrentLaunches) {
  auto caller = [] {
    for (int round = 0; round < 500; ++round) {
      std::vector<uint8_t> runs(1 + round % 40);
      ASSERT_TRUE(launch(countKernel, *Grid::create(int64_t(runs.size())),
                         parametersOf({runs.data()}), withThreads(3)));
      ASSERT_EQ(std::vector<uint8_t>(runs.size(), 1), runs);
    }
  };
  std::thread other(caller);
  caller();
  other.join();
}

TEST(Launch, LargeArenasDoNotOverlap) {
  static auto fill = [](const twLaunch *launch, int64_t first, int64_t end, void *arena) {
    auto *words = static_cast<int64_t *>(arena);
    for (int64_t block = first; block < end; ++block) {
      std::fill_n(words, 1 << 18, block);
      *pointer<std::atomic<int64_t>>(launch, 0) +=
          std::accumulate(words, words + (1 << 18), int64_t(0)) == block << 18;
    }
  };
  std::atomic<int64_t> right = 0;
  const twKernel kernel{"fill", [](auto... arguments) { fill(arguments...); }, 8 << 18, 1, 0};
  ASSERT_TRUE(launch(kernel, *Grid::create(100), parametersOf({&right}), withThreads(4)));
  EXPECT_EQ(right, 100);
}

TEST(Launch, LimitsArenasToMemory) {
  static auto join = [](const twLaunch *launch, int64_t first, int64_t end, void *) {
    static thread_local bool isCounted;
    *pointer<std::atomic<int>>(launch, 0) += !std::exchange(isCounted, true);
    for (int64_t block = first; block < end; ++block)
      std::this_thread::sleep_for(std::chrono::milliseconds(1)); // gives the other threads time to
                                                                 // arrive
  };
  std::atomic<int> threads = 0;
  const int64_t most = memoryOfThisMachine() / 2 + 1; // room for one
  const twKernel kernel{"join", [](auto... arguments) { join(arguments...); }, most, 1, 0};
  if (!launch(kernel, *Grid::create(50), parametersOf({&threads}), withThreads(4)))
    GTEST_SKIP() << "this system does not overcommit memory";
  EXPECT_EQ(threads, 1);
}

//===-- Cancelled -----------------------------------------------------------------------------===//

// The other threads wait until the launch is cancelled, so that the scheduler of the system does
// not determine how far they get.
TEST(Launch, CancelEndsLaunchSoon) {
  struct Shared {
    const int64_t cancelledAt; ///< the number of a block
    const bool waits;
    std::atomic<bool> cancelled = false;
    std::atomic<int64_t> runs = 0;
  };
  static auto body = [](const twLaunch *launch, int64_t first, int64_t end, void *) {
    auto *shared = pointer<Shared>(launch, 0);
    shared->runs += end - first;
    if (first <= shared->cancelledAt && shared->cancelledAt < end)
      shared->cancelled = true;
    while (shared->waits && !shared->cancelled)
      std::this_thread::yield();
  };
  for (uint64_t flags : {uint64_t(0), uint64_t(twPrints)})
    for (int threads : {1, 4}) {
      const twKernel kernel{"count", [](auto... arguments) { body(arguments...); }, 0, 1, flags};
      // Block 0 is the first one of its thread.
      Shared shared{threads == 1 ? 1000 : 0, threads > 1};
      LaunchOptions options = withThreads(threads);
      options.cancelled = &shared.cancelled;
      auto result = launch(kernel, *Grid::create(1 << 20, 16), parametersOf({&shared}), options);
      ASSERT_TRUE(result) << result.failure().message;
      EXPECT_TRUE(result->wasCancelled);
      EXPECT_FALSE(result->succeeded());
      EXPECT_GT(shared.runs, shared.cancelledAt);
      EXPECT_LT(shared.runs, 1 << 20);
    }
}

// Even a huge grid ends at once.
TEST(Launch, RunsNothingIfCancelledBefore) {
  std::vector<uint8_t> runs(100);
  std::atomic<bool> cancelled = true;
  LaunchOptions options = withThreads(2);
  options.cancelled = &cancelled;
  const Grid grid = *Grid::create(1 << 20, 1 << 20, 1 << 20);
  auto result = launch(countKernel, grid, parametersOf({runs.data()}), options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->wasCancelled);
  EXPECT_EQ(std::vector<uint8_t>(100), runs);
}

TEST(Launch, RunsEachBlockOnceIfNotCancelled) {
  std::vector<uint8_t> runs(9999);
  std::atomic<bool> cancelled = false;
  LaunchOptions options = withThreads(3);
  options.cancelled = &cancelled;
  auto result = launch(countKernel, *Grid::create(9999), parametersOf({runs.data()}), options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->succeeded());
  EXPECT_EQ(std::vector<uint8_t>(9999, 1), runs);
}

//===-- Errors --------------------------------------------------------------------------------===//

TEST(Launch, RejectsInvalidLaunches) {
  std::vector<uint64_t> none;
  EXPECT_EQ(launch(countKernel, *Grid::create(1), none).failure().message,
            "kernel 'count' takes 1 parameters, but was given 0");
  std::vector<uint64_t> one{0};
  EXPECT_EQ(launch(countKernel, *Grid::create(1), one, withThreads(-1)).failure().message,
            "threads must be in 1..1024, but are -1");
  twKernel huge = countKernel;
  huge.arenaBytes = int64_t(1) << 62;
  EXPECT_EQ(launch(huge, *Grid::create(1), one).failure().message,
            "kernel 'count' needs an arena of 4611686018427387904 bytes, which could not be "
            "allocated");
}

//===-- Assertions ----------------------------------------------------------------------------===//

static const int64_t twoByTwo[] = {2, 2};
static const twAssertSite tileSite{{"100% wrong", 10}, {"k.py:3:7", 8}, 2, twoByTwo};
static const twAssertSite scalarSite{{"odd", 3}, {"k.py:4:1", 8}, 0, nullptr};

/// Block numbers must be even; those divisible by four are wrong at [1, 0] as well.
static void failAsserts(const twLaunch *launch, int64_t first, int64_t end, void *) {
  for (int64_t block = first; block < end; ++block) {
    if (block % 4 == 0)
      tw_assert_failed(launch, &tileSite, block, 2);
    if (block % 2)
      tw_assert_failed(launch, &scalarSite, block, 0);
  }
}
static const twKernel assertKernel{"failAsserts", failAsserts, 0, 0, 0};

TEST(Launch, ListsFailedAssertsInBlockOrder) {
  for (int threads : {1, 4}) {
    auto result = launch(assertKernel, *Grid::create(2, 3), {}, withThreads(threads));
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->succeeded());
    EXPECT_EQ(result->unlistedAsserts, 0);
    std::string text;
    for (const FailedAssert &failed : result->failedAsserts)
      text += toString(failed) + "\n";
    // Lines as in operations, 6.1.
    EXPECT_EQ(text, "k.py:3:7: error: block (0, 0, 0): assertion failed: 100% wrong at [1, 0]\n"
                    "k.py:4:1: error: block (1, 0, 0): assertion failed: odd\n"
                    "k.py:4:1: error: block (1, 1, 0): assertion failed: odd\n"
                    "k.py:3:7: error: block (0, 2, 0): assertion failed: 100% wrong at [1, 0]\n"
                    "k.py:4:1: error: block (1, 2, 0): assertion failed: odd\n");
  }
}

TEST(Launch, ListsFirstThousandFailedAsserts) {
  auto result = launch(assertKernel, *Grid::create(40000), {}, withThreads(4));
  ASSERT_TRUE(result);
  ASSERT_EQ(result->failedAsserts.size(), 1000u);
  EXPECT_EQ(result->unlistedAsserts, 30000 - 1000);
  // Three blocks in four have a failed assertion.
  EXPECT_EQ(result->failedAsserts.back().block.number, 1332);
  EXPECT_EQ(result->failedAsserts[2].block.number, 3);
}

//===-- Printing ------------------------------------------------------------------------------===//

static const int64_t pair[] = {2};
static const twPrintPiece pieces[] = {
    {{"block ", 6}, twPlainText, 0, nullptr}, {{"%d", 2}, twIntegers, 0, nullptr},
    {{": ", 2}, twPlainText, 0, nullptr},     {{"%.1f", 4}, twDoubles, 1, pair},
    {{" %", 2}, twPlainText, 0, nullptr},     {{"%s", 2}, twIntegers, 0, nullptr},
    {{"\n", 1}, twPlainText, 0, nullptr}};
static const twPrintFormat format{7, pieces};

static void print(const twLaunch *launch, int64_t first, int64_t end, void *) {
  for (int64_t block = first; block < end; ++block) {
    const double halves[] = {double(block) / 2, -double(block)};
    const void *values[] = {&block, halves, &block};
    tw_print(launch, &format, block, values);
  }
}

static std::string expectedText(int64_t blocks) {
  std::string text;
  for (int64_t block = 0; block < blocks; ++block)
    text += "block " + std::to_string(block) + ": [" + std::to_string(block / 2) +
            (block % 2 ? ".5, -"
             : block   ? ".0, -"
                       : ".0, -") +
            std::to_string(block) + ".0] %%s\n"; // no string is read; the expression shows
  return text;
}

TEST(Launch, PrintsInBlockOrder) {
  const twKernel kernel{"print", print, 0, 0, twPrints};
  for (int threads : {1, 2, 5}) {
    std::string text;
    bool isWhole = true;
    const TextSink sink = [&](std::string_view part) {
      text += part;
      isWhole &= part.starts_with("block ") && part.ends_with('\n');
    };
    LaunchOptions options = withThreads(threads);
    options.output = &sink;
    ASSERT_TRUE(launch(kernel, *Grid::create(3000), {}, options));
    EXPECT_EQ(text, expectedText(3000)) << threads;
    EXPECT_TRUE(isWhole) << threads;
  }
}

// A launch within the output of another one: the workers are busy, so it runs on its caller's
// thread.
TEST(Launch, NestedLaunches) {
  const twKernel kernel{"print", print, 0, 0, twPrints};
  int64_t inner = 0;
  const TextSink sink = [&](std::string_view part) {
    std::vector<uint8_t> runs(20);
    ASSERT_TRUE(
        launch(countKernel, *Grid::create(20), parametersOf({runs.data()}), withThreads(4)));
    inner += std::accumulate(runs.begin(), runs.end(), int64_t(0));
  };
  LaunchOptions options = withThreads(4);
  options.output = &sink;
  ASSERT_TRUE(launch(kernel, *Grid::create(2), {}, options));
  EXPECT_GT(inner, 0);
  EXPECT_EQ(inner % 20, 0);
}

//===-- In C ----------------------------------------------------------------------------------===//

extern "C" const twKernel twTestKernelInC;

TEST(Launch, RunsKernelsInC) {
  int64_t array[3] = {0, 0, 0};
  const std::vector<uint64_t> parameters{address(array), 1};
  ASSERT_TRUE(launch(twTestKernelInC, *Grid::create(1000), parameters, withThreads(2)));
  EXPECT_EQ(array[1], 999 * 1000 / 2);
  EXPECT_EQ(array[0] + array[2], 0);
}

TEST(Launch, CInterface) {
  std::vector<uint8_t> runs(10);
  const uint64_t parameters[] = {address(runs.data())};
  const uint32_t grid[3] = {5, 2, 1};
  EXPECT_EQ(tw_launch(&countKernel, grid, parameters, 2), 0);
  EXPECT_EQ(tw_run_blocks(&countKernel, grid, parameters, 3, 10), 0);
  EXPECT_EQ(runs, (std::vector<uint8_t>{1, 1, 1, 2, 2, 2, 2, 2, 2, 2}));

  testing::internal::CaptureStderr();
  const uint32_t one[3] = {1, 1, 1};
  EXPECT_EQ(tw_launch(&assertKernel, one, nullptr, 1), 1);
  EXPECT_EQ(tw_run_blocks(&countKernel, one, parameters, 0, 2), 2);
  const uint32_t flat[3] = {1, 0, 1};
  EXPECT_EQ(tw_launch(&countKernel, flat, parameters, 1), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "k.py:3:7: error: block (0, 0, 0): assertion failed: 100% wrong at [1, 0]\n"
            "tilewright: error: kernel 'count': blocks 0..2 are not in 0..1\n"
            "tilewright: error: grid extent y must be in 1..16777215, but is 0\n");
}

// Functions that generated code calls work without a launch, too.
TEST(Launch, KernelCanBeCalledDirectly) {
  const twLaunch bare{nullptr, {8, 1, 1}, nullptr, 0, 0, 0};
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  failAsserts(&bare, 1, 2, nullptr);
  print(&bare, 0, 2, nullptr);
  tw_yield(&bare);
  fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), expectedText(2));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "k.py:4:1: error: block (1, 0, 0): assertion failed: odd\n");
}
