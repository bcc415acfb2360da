// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/Launch.h"
#include "tilewright/runtime/Arena.h"
#include "tilewright/runtime/Array.h"
#include "tilewright/runtime/Faults.h"
#include "tilewright/runtime/Host.h"
#include "tilewright/runtime/Pool.h"
#include "tilewright/runtime/Threads.h"
#include "tilewright/runtime/WorkQueue.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>

#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace tilewright;
using namespace tilewright::runtime;
using support::Failure;
using support::Result;

/// A thread checks about this often whether the launch was cancelled.
static constexpr std::chrono::milliseconds cancelLatency(1);
static constexpr int64_t mostPart = int64_t(1) << 20;

namespace {
/// State shared by the threads of one launch.
struct Launch {
  const twKernel &kernel;
  const twLaunch abi;
  Host &host;
  const Blocks blocks;
  const int threads;
  /// May be null.
  const std::atomic<bool> *cancelled;

  /// The first block that no thread has taken; only for launches with ordered text.
  alignas(64) std::atomic<int64_t> next = blocks.first;
  /// Some blocks were not run.
  std::atomic<bool> isIncomplete = false;

  Result<void> run();
  Result<void> runWaiting(WaitingLimits limits);

private:
  Blocks take(WorkQueue &queue, int member);
  void runBlocks(WorkQueue &queue, int member, void *arena);
  void runUnlessCancelled(Blocks taken, twLaunch &own, void *arena, int64_t &part);
  void call(Blocks taken, twLaunch &own, void *arena);
};
} // namespace

static std::string nameOf(const twKernel &kernel) {
  return "kernel '" + std::string(kernel.name) + "'";
}

//===-- Distributing the blocks ---------------------------------------------------------------===//

/// The number of blocks in a range whose text is ordered. Ranges are short, because later ones wait
/// for earlier ones.
static int64_t rangeLength(int64_t count, int threads) {
  return std::clamp<int64_t>(count / (16 * threads), 1, 32);
}

/// A monotonic clock.
static constexpr auto nanoseconds = [] {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return int64_t(std::chrono::nanoseconds(now).count());
};

/// The next blocks; none when all are taken. With ordered text, ranges have equal lengths and are
/// taken in ascending order.
Blocks Launch::take(WorkQueue &queue, int member) {
  if (!host.isOrdered())
    return queue.take(member, nanoseconds);
  const int64_t first =
      std::min(next.fetch_add(host.rangeBlocks, std::memory_order_relaxed), blocks.end);
  return {first, std::min(first + host.rangeBlocks, blocks.end)};
}

/// How many arenas fit into memory, at least one. With overcommit, allocating more would not fail.
static int64_t arenasInMemory(const twKernel &kernel) {
  return std::max<int64_t>(memoryOfThisMachine() / std::max<int64_t>(kernel.arenaBytes, 1), 1);
}

Result<void> Launch::run() {
  ArenaLease arena(kernel.arenaBytes);
  if (!arena)
    return Failure{nameOf(kernel) + " needs an arena of " + std::to_string(kernel.arenaBytes) +
                   " bytes, which could not be allocated"};
  const int members = int(std::min({int64_t(threads), blocks.count(), arenasInMemory(kernel)}));
  const ArenaLease memory(WorkQueue::bytesFor(members));
  if (!memory)
    return Failure{nameOf(kernel) + " cannot be launched: no memory for " +
                   std::to_string(members) + " threads"};
  WorkQueue queue(blocks, members, memory.data());
  auto work = [&](int member) {
    const RunsKernel runs(kernel.name);
    if (member == 0)
      return runBlocks(queue, member, arena.data());
    // A worker without memory for an arena leaves its blocks to the others.
    if (ArenaLease own(kernel.arenaBytes); own)
      runBlocks(queue, member, own.data());
  };
  Pool::shared().run(members, work);
  return {};
}

/// Runs blocks until none is left.
void Launch::runBlocks(WorkQueue &queue, int member, void *arena) {
  int64_t part = 1;
  twLaunch own = abi;
  // A thread ends each range that it has taken, even if the launch was cancelled, because later
  // text waits for that.
  for (Blocks taken; !isIncomplete && (taken = take(queue, member)).count();) {
    if (cancelled)
      runUnlessCancelled(taken, own, arena, part);
    else
      call(taken, own, arena);
    if (host.isOrdered())
      host.output.endRange(host.rangeOf(taken.first));
  }
}

/// The arena is kept for later calls of this thread.
void Launch::call(Blocks taken, twLaunch &own, void *arena) {
  kernel.function(&own, taken.first, taken.end, arena);
  own.keepsArena = 1;
}

/// Runs the blocks in parts of `part` blocks, adjusted so that a part takes about as long as a
/// cancelled launch may go on.
void Launch::runUnlessCancelled(Blocks taken, twLaunch &own, void *arena, int64_t &part) {
  using Clock = std::chrono::steady_clock;
  for (int64_t first = taken.first; first < taken.end;) {
    if (cancelled->load(std::memory_order_relaxed)) {
      isIncomplete = true;
      return;
    }
    const Clock::time_point start = Clock::now();
    const int64_t end = std::min(first + part, taken.end);
    call({first, end}, own, arena);
    first = end;
    part = Clock::now() - start < cancelLatency ? std::min(part * 2, mostPart)
                                                : std::max<int64_t>(part / 2, 1);
  }
}

Result<void> Launch::runWaiting(WaitingLimits limits) {
  WaitingBlocks waiting(kernel, abi, blocks.first, blocks.end, limits, cancelled);
  auto work = [&](int) {
    const RunsKernel runs(kernel.name);
    waiting.work();
  };
  Pool::shared().run(int(std::min<int64_t>(threads, blocks.count())), work);
  isIncomplete = waiting.wasCancelled();
  return waiting.outcome();
}

//===-- A launch ------------------------------------------------------------------------------===//

static Result<LaunchResult> runBlocks(const twKernel &kernel, const Grid &grid, Blocks blocks,
                                      std::span<const uint64_t> parameters, int threads,
                                      const LaunchOptions &options) {
  if (int64_t(parameters.size()) != kernel.parameterCount)
    return Failure{nameOf(kernel) + " takes " + std::to_string(kernel.parameterCount) +
                   " parameters, but was given " + std::to_string(parameters.size())};
  if (kernel.flags & twUsesAmx && !tw_enable_amx())
    return Failure{nameOf(kernel) +
                   " uses AMX, which this system does not grant; compile it with +noamx-tile"};

  setLastKernel(kernel.name);
  const bool mayWait = kernel.flags & twMayWait;
  Host host(options.output ? *options.output : standardOutput(), !mayWait && kernel.flags & twPrints
                                                                     ? Output::Order::OfRanges
                                                                     : Output::Order::AsPrinted);
  host.firstBlock = blocks.first;
  host.rangeBlocks = rangeLength(blocks.count(), threads);
  const twLaunch abi{parameters.data(),
                     {uint32_t(grid.x()), uint32_t(grid.y()), uint32_t(grid.z())},
                     &host,
                     mayWait || host.isOrdered() || blocks.count() < grid.blockCount()
                         ? 0
                         : kernel.flags >> twColumnsInTurnShift & 0xff,
                     /*keepsArena=*/0,
                     uint64_t(std::min<int64_t>(threads, blocks.count()))};
  Launch launch{kernel, abi, host, blocks, threads, options.cancelled};
  Result<void> outcome = mayWait ? launch.runWaiting(options.waiting) : launch.run();
  if (!outcome)
    return outcome.failure();
  LaunchResult result = host.asserts.take();
  result.wasCancelled = launch.isIncomplete;
  return result;
}

/// TILEWRIGHT_THREADS is read once, so that launches do not pay for it and later changes have no
/// effect.
static const Result<int> &threadsByDefault() {
  static const Result<int> threads = defaultThreads();
  return threads;
}

Result<LaunchResult> runtime::launch(const twKernel &kernel, const Grid &grid,
                                     std::span<const uint64_t> parameters,
                                     const LaunchOptions &options) {
  int threads = options.threads;
  if (threads == 0) {
    if (!threadsByDefault())
      return threadsByDefault().failure();
    threads = *threadsByDefault();
  }
  if (threads < 1 || threads > maxThreads)
    return Failure{"threads must be in 1.." + std::to_string(maxThreads) + ", but are " +
                   std::to_string(threads)};
  return runBlocks(kernel, grid, {0, grid.blockCount()}, parameters, threads, options);
}

//===-- In C ----------------------------------------------------------------------------------===//

/// The value that tw_launch and tw_run_blocks return.
static int report(const Result<LaunchResult> &result) {
  if (!result) {
    std::fprintf(stderr, "tilewright: error: %s\n", result.failure().message.c_str());
    return 2;
  }
  for (const FailedAssert &failed : result->failedAsserts)
    std::fprintf(stderr, "%s\n", toString(failed).c_str());
  if (result->unlistedAsserts)
    std::fprintf(stderr, "... and %lld more\n", (long long)(result->unlistedAsserts));
  return result->succeeded() ? 0 : 1;
}

int tw_launch(const twKernel *kernel, const uint32_t grid[3], const uint64_t *parameters,
              int threads) {
  Result<Grid> checked = Grid::create(grid[0], grid[1], grid[2]);
  if (!checked)
    return report(checked.failure());
  LaunchOptions options;
  options.threads = threads;
  return report(launch(*kernel, *checked, {parameters, size_t(kernel->parameterCount)}, options));
}

int tw_run_blocks(const twKernel *kernel, const uint32_t grid[3], const uint64_t *parameters,
                  int64_t first, int64_t end) {
  Result<Grid> checked = Grid::create(grid[0], grid[1], grid[2]);
  if (!checked)
    return report(checked.failure());
  if (first < 0 || first > end || end > checked->blockCount())
    return report(Failure{nameOf(*kernel) + ": blocks " + std::to_string(first) + ".." +
                          std::to_string(end) + " are not in 0.." +
                          std::to_string(checked->blockCount())});
  return report(runBlocks(*kernel, *checked, {first, end},
                          {parameters, size_t(kernel->parameterCount)}, /*threads=*/1, {}));
}

#if defined(__x86_64__) && defined(__linux__)
int tw_enable_amx(void) {
  // ARCH_REQ_XCOMP_PERM for the tile data state, once per process.
  constexpr long requestPermission = 0x1023, tileData = 18;
  static const bool isGranted = syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
  return isGranted;
}
#else
int tw_enable_amx(void) { return 0; }
#endif
