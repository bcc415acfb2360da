// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the overhead of a launch. Kernels with empty blocks, and with blocks of about a quarter
// of a microsecond, are launched repeatedly on our thread pool and in a static OpenMP loop (g++ and
// libgomp, the most common choice). The two alternate, with a pause in which the threads of both
// fall asleep, because spinning threads would slow down the other.

#include "OpenMp.h"
#include "tilewright/runtime/Launch.h"
#include "tilewright/runtime/Threads.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

using namespace tilewright::runtime;
using Clock = std::chrono::steady_clock;

namespace {
struct Case {
  const char *name;
  void (*block)();
  int64_t blocks;
};

/// Microseconds per launch.
struct Times {
  double median, p90;
};
} // namespace

[[gnu::noinline]] static void emptyBlock() { asm volatile("" ::: "memory"); }

[[gnu::noinline]] static void shortBlock() {
  for (int i = 0; i < 256; ++i)
    asm volatile("" : "+r"(i)::"memory");
}

template <void (*block)()> static void run(const twLaunch *, int64_t first, int64_t end, void *) {
  for (; first < end; ++first)
    block();
}

static Times timesOf(const std::function<void()> &launch, std::vector<double> &samples) {
  using std::chrono::duration;
  // Wait until the threads have woken up, which is not measured.
  const auto warm = Clock::now() + std::chrono::milliseconds(2);
  while (Clock::now() < warm)
    launch();
  for (int i = 0; i < 200; ++i) {
    const auto start = Clock::now();
    launch();
    samples.push_back(duration<double, std::micro>(Clock::now() - start).count());
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  return {sorted[sorted.size() / 2], sorted[sorted.size() * 9 / 10]};
}

static void measure(const Case &of, int threads) {
  const twKernel kernel{of.name, of.block == emptyBlock ? run<emptyBlock> : run<shortBlock>, 0, 0,
                        0};
  const auto grid = *Grid::create(of.blocks);
  LaunchOptions options;
  options.threads = threads;
  auto ours = [&] { (void)launch(kernel, grid, {}, options); };
  auto openMp = [&] { openMpLoop(of.block, of.blocks, threads); };

  std::vector<double> ourSamples, openMpSamples;
  Times our{}, other{};
  for (int round = 0; round < 15; ++round) {
    our = timesOf(ours, ourSamples);
    other = timesOf(openMp, openMpSamples);
  }
  std::printf("%-6s %6lld blocks  %9.2f %9.2f  %9.2f %9.2f  %6.2f\n", of.name,
              (long long)(of.blocks), our.median, our.p90, other.median, other.p90,
              our.median / other.median);
}

int main() {
  const auto threads = defaultThreads();
  if (!threads)
    return std::fprintf(stderr, "%s\n", threads.failure().message.c_str()), 1;
  std::printf("%d threads; microseconds per launch, median and 9th decile\n", *threads);
  std::printf("%-21s  %9s %9s  %9s %9s  %6s\n", "kernel", "ours", "", "OpenMP", "", "ratio");
  for (const Case &of : {Case{"empty", emptyBlock, 1}, Case{"empty", emptyBlock, 16},
                         Case{"empty", emptyBlock, 10000}, Case{"short", shortBlock, 16},
                         Case{"short", shortBlock, 10000}})
    measure(of, *threads);
}
