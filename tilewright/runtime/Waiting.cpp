// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread sweeps over its blocks and lets each run until it yields. It sweeps alternately up and
// down, so that a chain in which each block waits for the next, or for the one before, resolves in
// one sweep. After a sweep in which no block ended, it starts more blocks; but not while another
// thread still computes, because blocks more likely wait for that thread than for a block that has
// not started.

#include "tilewright/runtime/Waiting.h"
#include "tilewright/runtime/Arena.h"
#include "tilewright/runtime/Array.h"
#include "tilewright/runtime/Fiber.h"
#include "tilewright/runtime/Pause.h"

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

using namespace tilewright;
using namespace tilewright::runtime;
using std::chrono::steady_clock;
using support::Failure;
using support::Result;

/// A thread starts this many blocks even if another thread still computes.
static constexpr size_t modestCount = 16;
/// What a block takes besides its arena: a generous estimate of the used part of its stack.
static constexpr int64_t usedStackBytes = int64_t(1) << 16;

namespace tilewright::runtime {
/// A started block: a fiber and an arena.
struct LiveBlock {
  Fiber fiber;
  Arena arena;
  WaitingBlocks *blocks = nullptr;
  int64_t number = 0;

  [[nodiscard]] bool start(WaitingBlocks &of) {
    blocks = &of;
    return arena.reserve(of.kernel.arenaBytes) && fiber.start(run, this);
  }

  static void run(void *self) {
    const auto &block = *static_cast<LiveBlock *>(self);
    block.blocks->kernel.function(&block.blocks->launch, block.number, block.number + 1,
                                  block.arena.data());
  }
};

/// The blocks of one thread.
class WaitingWorker {
public:
  explicit WaitingWorker(WaitingBlocks &blocks) : blocks(blocks) { ++blocks.workers; }
  ~WaitingWorker();

  void work();

private:
  bool sweep();
  bool resume(LiveBlock &block);
  bool startMoreBlocks();
  std::unique_ptr<LiveBlock> startOne();
  void backOff();
  void setStalled(bool now);
  void retire(std::unique_ptr<LiveBlock> block);

  WaitingBlocks &blocks;
  std::vector<std::unique_ptr<LiveBlock>> live;
  bool isAscending = true, isStalled = false;
  int idleRounds = 0;
};
} // namespace tilewright::runtime

/// The block that this thread is running.
static thread_local LiveBlock *running = nullptr;

void runtime::yieldBlock() {
  if (running)
    running->fiber.suspend();
  else
    std::this_thread::yield();
}

//===-- Shared by the threads -----------------------------------------------------------------===//

/// All live blocks together may take half of the memory.
static int64_t limitByMemory(const twKernel &kernel) {
  return std::max<int64_t>(memoryOfThisMachine() / 2 / (kernel.arenaBytes + usedStackBytes), 1);
}

WaitingBlocks::WaitingBlocks(const twKernel &kernel, const twLaunch &launch, int64_t first,
                             int64_t end, WaitingLimits limits, const std::atomic<bool> *cancelled)
    : kernel(kernel), launch(launch), end(end),
      limits{std::min(limits.liveBlocks, limitByMemory(kernel)), limits.timeout},
      cancelled(cancelled), next(first), lastEnd(steady_clock::now()) {}

void WaitingBlocks::work() { WaitingWorker(*this).work(); }

Result<void> WaitingBlocks::outcome() const {
  if (hasFailed)
    return Failure{"kernel '" + std::string(kernel.name) + "': " + failure};
  return {};
}

void WaitingBlocks::fail(const std::string &why) {
  std::lock_guard lock(mutex);
  if (!hasFailed)
    failure = why;
  hasFailed = true;
}

void WaitingBlocks::blockEnded() {
  --live;
  lastEnd.store(steady_clock::now(), std::memory_order_relaxed);
}

/// Called by a thread that may not start more blocks and whose blocks all wait.
void WaitingBlocks::failIfStuck() {
  if (isCancelled() || hasStartedAll() || stalled < workers ||
      steady_clock::now() - lastEnd.load(std::memory_order_relaxed) < limits.timeout)
    return;
  const int64_t started = next.load();
  fail(std::to_string(live) + " tile blocks wait for one another, and none has ended for " +
       std::to_string(limits.timeout.count()) + " ms; no more may wait at a time, and " +
       std::to_string(end - started) + " have not started");
}

//===-- One thread ----------------------------------------------------------------------------===//

void WaitingWorker::work() {
  while (!blocks.hasFailed && !(live.empty() && blocks.hasStartedAll())) {
    if (blocks.isCancelled()) {
      blocks.isIncomplete = true;
      return;
    }
    const bool hasProgressed = sweep() || startMoreBlocks();
    setStalled(!hasProgressed);
    if (hasProgressed)
      idleRounds = 0;
    else
      backOff();
  }
}

/// Lets each block run until it waits or ends. Returns whether any has ended.
bool WaitingWorker::sweep() {
  const size_t count = live.size();
  for (size_t i = 0; i < count; ++i) {
    std::unique_ptr<LiveBlock> &block = live[isAscending ? i : count - 1 - i];
    if (resume(*block))
      retire(std::move(block));
  }
  isAscending = !isAscending;
  return std::erase(live, nullptr) > 0;
}

/// True: the block has ended.
bool WaitingWorker::resume(LiveBlock &block) {
  LiveBlock *const outer = std::exchange(running, &block);
  const bool hasEnded = block.fiber.resume();
  running = outer;
  if (hasEnded)
    blocks.blockEnded();
  return hasEnded;
}

/// Doubles the number of live blocks, as far as the limits allow. Returns whether any has started.
bool WaitingWorker::startMoreBlocks() {
  if (live.size() >= modestCount && blocks.stalled < blocks.workers)
    return false;
  bool hasStarted = false;
  for (size_t count = std::max<size_t>(live.size(), 1); count; --count) {
    std::unique_ptr<LiveBlock> block = startOne();
    if (!block)
      break;
    hasStarted = true;
    if (resume(*block))
      retire(std::move(block));
    else
      live.push_back(std::move(block));
  }
  return hasStarted;
}

/// Retired blocks of this thread, for reuse.
static std::vector<std::unique_ptr<LiveBlock>> &freeBlocks() {
  static thread_local std::vector<std::unique_ptr<LiveBlock>> blocks;
  return blocks;
}

/// The next block, not yet running; null if none may start now.
std::unique_ptr<LiveBlock> WaitingWorker::startOne() {
  if (blocks.hasStartedAll() || blocks.isCancelled())
    return nullptr;
  if (blocks.live.fetch_add(1) >= blocks.limits.liveBlocks) {
    --blocks.live;
    return nullptr;
  }
  std::unique_ptr<LiveBlock> block;
  if (!freeBlocks().empty()) {
    block = std::move(freeBlocks().back());
    freeBlocks().pop_back();
  } else
    block = std::make_unique<LiveBlock>();
  const bool hasMemory = block->start(blocks);
  block->number = hasMemory ? blocks.next.fetch_add(1) : blocks.end;
  if (block->number < blocks.end)
    return block;

  // Without memory for another block, the live ones go on alone.
  if (blocks.live.fetch_sub(1) == 1 && !hasMemory)
    blocks.fail("no memory for a stack and an arena of " +
                std::to_string(blocks.kernel.arenaBytes) + " bytes");
  return nullptr;
}

void WaitingWorker::setStalled(bool now) {
  if (now != std::exchange(isStalled, now))
    blocks.stalled += now ? 1 : -1;
}

/// Waits when this thread has nothing to do: spins at first, then lets other threads or processes
/// run.
void WaitingWorker::backOff() {
  constexpr int shortRounds = 64;
  if (++idleRounds <= shortRounds)
    return pauseBriefly();
  blocks.failIfStuck();
  std::this_thread::yield();
}

void WaitingWorker::retire(std::unique_ptr<LiveBlock> block) {
  constexpr size_t mostFreeBlocks = 64;
  if (freeBlocks().size() < mostFreeBlocks)
    freeBlocks().push_back(std::move(block));
}

/// Blocks that have not ended belong to a launch that failed or was cancelled. Generated code owns
/// no resources: they are simply not resumed.
WaitingWorker::~WaitingWorker() {
  blocks.live -= int64_t(live.size());
  for (std::unique_ptr<LiveBlock> &block : live)
    retire(std::move(block));
  setStalled(false);
  --blocks.workers;
}
