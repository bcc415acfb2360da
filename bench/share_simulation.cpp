// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulates when a launch on many threads finishes, if its blocks take the times on standard input.
// A single thread simulates all threads with their own clocks, and takes blocks from the runtime's
// WorkQueue. Prints the seconds, how often blocks were taken, and how often they were stolen from
// another thread.
//
//     share_simulation THREADS SECONDS_LATE SECONDS_TO_TAKE SECONDS_TO_LOOK < times
//
// Taking blocks from a thread's own chunk takes SECONDS_TO_TAKE. To steal blocks, a thread inspects
// all chunks, each in SECONDS_TO_LOOK: their cache lines are owned by other processors.

#include "tilewright/runtime/WorkQueue.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <queue>
#include <vector>

using namespace tilewright::runtime;

namespace {
struct Outcome {
  double end = 0;
  int64_t taken = 0, stolen = 0;
};

/// The time at which a thread becomes free, and the thread; the earliest one is next.
using Free = std::pair<double, int>;
} // namespace

static Outcome simulate(const std::vector<double> &sums, int threads, double late, double take,
                        double look) {
  void *memory = operator new(size_t(WorkQueue::bytesFor(threads)),
                              std::align_val_t(WorkQueue::alignment));
  WorkQueue queue({0, int64_t(sums.size()) - 1}, threads, memory);
  std::vector<int64_t> ends(size_t(threads), -1);
  std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
  for (int thread = 0; thread < threads; ++thread)
    free.emplace(thread == 0 ? 0 : late, thread);
  Outcome outcome;
  while (!free.empty()) {
    auto [time, thread] = free.top();
    free.pop();
    const Blocks blocks = queue.take(thread, [time] { return int64_t(time * 1e9) + 1; });
    if (!blocks.count())
      continue;
    int64_t &end = ends[size_t(thread)];
    const bool isStolen = end >= 0 && blocks.first != end;
    end = blocks.end;
    outcome.taken += 1;
    outcome.stolen += isStolen;
    time += isStolen ? threads * look : take;
    time += sums[size_t(blocks.end)] - sums[size_t(blocks.first)];
    outcome.end = std::max(outcome.end, time);
    free.emplace(time, thread);
  }
  operator delete(memory, std::align_val_t(WorkQueue::alignment));
  return outcome;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: share_simulation THREADS LATE TAKE LOOK < times\n");
    return 2;
  }
  std::vector<double> sums{0};
  for (double time; std::scanf("%lf", &time) == 1;)
    sums.push_back(sums.back() + time);
  const Outcome outcome = simulate(sums, std::atoi(argv[1]), std::atof(argv[2]), std::atof(argv[3]),
                                   std::atof(argv[4]));
  std::printf("%.9f %lld %lld\n", outcome.end, (long long)outcome.taken, (long long)outcome.stolen);
  return 0;
}
