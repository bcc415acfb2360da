// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/Launch.h"
#include "tilewright/runtime/Arena.h"
#include "tilewright/runtime/Host.h"
#include "tilewright/runtime/Pool.h"
#include "tilewright/runtime/Threads.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

#if defined(__x86_64__) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace tilewright;
using namespace tilewright::runtime;
using support::Failure;
using support::Result;

namespace {
/// Blocks [first, end) of a grid and who works on them.
struct Part {
  int64_t first, end;
  int threads;
};

/// What the threads of one launch share.
struct Launch {
  const twKernel &kernel;
  const twLaunch abi;
  Host &host;
  const Part part;

  /// The next range. The first one is the caller's.
  alignas(64) std::atomic<int64_t> next = 1;

  Result<void> run();
  Result<void> runWaiting(WaitingLimits limits);

private:
  void runRanges(int64_t range, void *arena);
  int64_t rangeCount() const {
    return (part.end - part.first + host.rangeBlocks - 1) / host.rangeBlocks;
  }
};
} // namespace

static std::string nameOf(const twKernel &kernel) {
  return "kernel '" + std::string(kernel.name) + "'";
}

//===-- Sharing out the blocks ----------------------------------------------------------------===//

/// Few enough ranges that taking one costs nothing, enough that threads end together.
static int64_t rangeBlocks(const twKernel &kernel, Part part) {
  if (kernel.flags & twMayWait)
    return 1;
  return std::clamp<int64_t>((part.end - part.first) / (16 * part.threads), 1, 32);
}

Result<void> Launch::run() {
  ArenaLease arena(kernel.arenaBytes);
  if (!arena)
    return Failure{nameOf(kernel) + " needs an arena of " + std::to_string(kernel.arenaBytes) +
                   " bytes, which could not be allocated"};
  auto work = [&](int member) {
    if (member == 0)
      return runRanges(0, arena.data());
    // A worker without memory leaves its part to the others.
    if (ArenaLease own(kernel.arenaBytes); own)
      runRanges(next.fetch_add(1, std::memory_order_relaxed), own.data());
  };
  Pool::shared().run(int(std::min<int64_t>(part.threads, rangeCount())), work);
  return {};
}

/// Runs this range and all that are left.
void Launch::runRanges(int64_t range, void *arena) {
  const int64_t blocks = host.rangeBlocks, count = rangeCount();
  for (; range < count; range = next.fetch_add(1, std::memory_order_relaxed)) {
    const int64_t first = part.first + range * blocks;
    kernel.function(&abi, first, std::min(first + blocks, part.end), arena);
    if (kernel.flags & twPrints)
      host.output.endRange(range);
  }
}

Result<void> Launch::runWaiting(WaitingLimits limits) {
  WaitingBlocks blocks(kernel, abi, part.first, part.end, limits);
  auto work = [&](int) { blocks.work(); };
  Pool::shared().run(int(std::min<int64_t>(part.threads, part.end - part.first)), work);
  return blocks.outcome();
}

//===-- A launch ------------------------------------------------------------------------------===//

static Result<LaunchResult> runPart(const twKernel &kernel, const Grid &grid,
                                    std::span<const uint64_t> parameters, Part part,
                                    const LaunchOptions &options) {
  if (int64_t(parameters.size()) != kernel.parameterCount)
    return Failure{nameOf(kernel) + " takes " + std::to_string(kernel.parameterCount) +
                   " parameters, but was given " + std::to_string(parameters.size())};
  if (kernel.flags & twUsesAmx && !tw_enable_amx())
    return Failure{nameOf(kernel) + " uses AMX, which this system does not grant"};

  const bool mayWait = kernel.flags & twMayWait;
  // The order of ranges is known to those that announce their end.
  const bool isOrdered = !mayWait && kernel.flags & twPrints;
  Host host{{options.output ? *options.output : standardOutput(),
             isOrdered ? Output::Order::OfRanges : Output::Order::AsPrinted},
            rangeBlocks(kernel, part),
            part.first,
            {}};
  const twLaunch abi{
      parameters.data(), {uint32_t(grid.x()), uint32_t(grid.y()), uint32_t(grid.z())}, &host};
  Launch launch{kernel, abi, host, part};
  Result<void> outcome = mayWait ? launch.runWaiting(options.waiting) : launch.run();
  if (!outcome)
    return outcome.failure();
  return host.asserts.take();
}

/// TILEWRIGHT_THREADS is read once: no launch pays for it, and none surprises the others.
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
  return runPart(kernel, grid, parameters, {0, grid.blockCount(), threads}, options);
}

//===-- In C ----------------------------------------------------------------------------------===//

/// What tw_launch and tw_run_blocks return.
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
  return report(runPart(*kernel, *checked, {parameters, size_t(kernel->parameterCount)},
                        {first, end, /*threads=*/1}, {}));
}

#if defined(__x86_64__) && defined(__linux__)
int tw_enable_amx(void) {
  // ARCH_REQ_XCOMP_PERM for the state that tile data are: once per process.
  constexpr long requestPermission = 0x1023, tileData = 18;
  static const bool isGranted = syscall(SYS_arch_prctl, requestPermission, tileData) == 0;
  return isGranted;
}
#else
int tw_enable_amx(void) { return 0; }
#endif
