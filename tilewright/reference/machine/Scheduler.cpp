// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scheduler.h.

#include "tilewright/reference/machine/Scheduler.h"
#include "tilewright/reference/machine/Deadlock.h"
#include "tilewright/reference/machine/Step.h"
#include "tilewright/reference/watch/Observer.h"

#include <deque>
#include <set>

using namespace tilewright;
using namespace tilewright::reference;

namespace {

/// The blocks that have been started and have not ended. All schedules use it.
class Scheduler {
public:
  Scheduler(Launch &launch, llvm::ArrayRef<Element> parameters)
      : launch(launch), parameters(parameters), stepsLeft(launch.options.maxSteps) {}

  void runInProgramOrder();
  void runAtRandom();
  void runInGivenOrder();
  int64_t stepsDone() const { return launch.options.maxSteps - std::max<int64_t>(stepsLeft, 0); }

private:
  bool hasMoreBlocks() const { return nextBlock < launch.grid.blockCount(); }
  std::unique_ptr<TileBlock> startBlock(int64_t number);
  std::unique_ptr<TileBlock> startNextBlock() { return startBlock(nextBlock); }
  void end(TileBlock &block);
  /// Executes one operation. Returns false if the launch cannot continue.
  bool step(TileBlock &block);
  bool runUntilItWaits(TileBlock &block);
  /// Whether no block can continue after a step with this restart; reports the deadlock if so.
  bool isDeadlock(const TileBlock &block, Restart restart);
  /// Decides randomly whether to start another block.
  bool startsAnother();
  bool stepAtRandom(TileBlock &block);
  /// The live block with this number, which is started if it was not. Null if it has ended.
  TileBlock *blockOf(int64_t number);
  /// Runs one step of a given order. Returns false if the launch cannot continue.
  bool follow(const ReplayStep &wanted);
  bool cannotFollow(const ReplayStep &wanted, const std::string &why);

  size_t pick(size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(launch.random);
  }

  Launch &launch;
  llvm::ArrayRef<Element> parameters;
  int64_t stepsLeft;
  /// The first block that has not been started, and those after it that have.
  int64_t nextBlock = 0;
  std::set<int64_t> startedEarly = {};
  std::deque<std::unique_ptr<TileBlock>> live;
  IdleBlocks idle = {};
  /// Whether a loop of some block has started an iteration since the last block was started. That
  /// block may be waiting for the next one.
  bool anyWaits = false;
};

} // namespace

std::unique_ptr<TileBlock> Scheduler::startBlock(int64_t number) {
  startedEarly.insert(number);
  while (startedEarly.erase(nextBlock))
    ++nextBlock;
  auto block = std::make_unique<TileBlock>(launch, launch.grid.block(number), parameters);
  if (Observer *observer = launch.options.observer)
    observer->onStart(*block);
  return block;
}

void Scheduler::end(TileBlock &block) {
  launch.options.countBlock();
  if (Observer *observer = launch.options.observer)
    observer->onEnd(block);
}

bool Scheduler::step(TileBlock &block) {
  if (stepsLeft-- > 0 && !launch.shouldStopAfterError())
    return llvm::succeeded(reference::step(block));
  block.addStepLimit();
  return false;
}

bool Scheduler::isDeadlock(const TileBlock &block, Restart restart) {
  if (restart != Restart::Idle || idle.add(block) < live.size() || hasMoreBlocks())
    return false;
  reportDeadlock(
      llvm::map_to_vector(live, [](const std::unique_ptr<TileBlock> &one) { return one.get(); }));
  return true;
}

//===-- In program order ----------------------------------------------------------------------===//

/// Returns false if the launch cannot continue.
bool Scheduler::runUntilItWaits(TileBlock &block) {
  Restart restart = Restart::None;
  while (!block.hasReturned() && restart == Restart::None) {
    if (!step(block))
      return false;
    restart = block.takeRestart();
  }
  return block.hasReturned() || !isDeadlock(block, restart);
}

void Scheduler::runInProgramOrder() {
  while (!live.empty() || hasMoreBlocks()) {
    // A new block runs first: the others may be waiting for it.
    if (hasMoreBlocks())
      live.push_front(startNextBlock());
    TileBlock &block = *live.front();
    if (!runUntilItWaits(block))
      return;
    if (block.hasReturned()) {
      end(block);
      live.pop_front();
    } else {
      live.push_back(std::move(live.front()));
      live.pop_front();
    }
  }
}

//===-- At random -----------------------------------------------------------------------------===//

/// The limit on live blocks, each of which has its own registers. It is exceeded only if some wait.
static constexpr size_t mostLiveBlocks = 64;
/// The limit on pending operations of a block. A block that reaches it must perform some.
static constexpr size_t mostPending = 64;

/// Whether all operations that this one waits for are done.
static bool isReady(const MemoryOperation &operation) {
  return llvm::all_of(operation.before.pending,
                      [](const SharedOperation &earlier) { return earlier->isDone(); });
}

/// Executes the next operation or performs a segment of a pending one. Returns false if the launch
/// cannot continue.
bool Scheduler::stepAtRandom(TileBlock &block) {
  llvm::ArrayRef<SharedOperation> pending = block.pending;
  bool mustPerform = block.hasReturned() || pending.size() >= mostPending;
  if (!pending.empty() && (mustPerform || pick(2) == 0)) {
    llvm::SmallVector<SharedOperation> ready;
    llvm::copy_if(pending, std::back_inserter(ready),
                  [](const SharedOperation &operation) { return isReady(*operation); });
    assert(!ready.empty() && "the oldest operation waits for none that is younger");
    performSegment(block, ready[pick(ready.size())]);
    return true;
  }
  return step(block);
}

bool Scheduler::startsAnother() {
  if (!hasMoreBlocks() || live.empty())
    return hasMoreBlocks();
  return (live.size() < mostLiveBlocks || anyWaits) && pick(2) == 0;
}

void Scheduler::runAtRandom() {
  while (!live.empty() || hasMoreBlocks()) {
    if (startsAnother()) {
      live.push_back(startNextBlock());
      anyWaits = false;
    }
    std::unique_ptr<TileBlock> &chosen = live[pick(live.size())];
    // Execute several steps at a time, so that distant reorderings occur as well as local ones.
    for (size_t steps = size_t(1) << pick(6); steps; --steps) {
      if (!stepAtRandom(*chosen))
        return;
      const Restart restart = chosen->takeRestart();
      anyWaits |= restart != Restart::None;
      if (isDeadlock(*chosen, restart))
        return;
      if (chosen->hasReturned() && chosen->pending.empty()) {
        end(*chosen);
        std::swap(chosen, live.back());
        live.pop_back();
        break;
      }
    }
  }
}

//===-- In a given order ----------------------------------------------------------------------===//

TileBlock *Scheduler::blockOf(int64_t number) {
  auto found = llvm::find_if(live, [&](const auto &block) { return block->id().number == number; });
  if (found != live.end())
    return found->get();
  if (number < nextBlock || startedEarly.count(number))
    return nullptr;
  return live.emplace_back(startBlock(number)).get();
}

bool Scheduler::cannotFollow(const ReplayStep &wanted, const std::string &why) {
  launch.failure =
      support::Failure{"the schedule cannot be followed at its step '" +
                       ReplayOrder{{wanted}}.text().substr(replayPrefix.size()) + "': " + why};
  return false;
}

bool Scheduler::follow(const ReplayStep &wanted) {
  if (wanted.block >= launch.grid.blockCount())
    return cannotFollow(wanted, "the grid has " + std::to_string(launch.grid.blockCount()) +
                                    " blocks, numbered from 0");
  TileBlock *block = blockOf(wanted.block);
  if (!block)
    return !wanted.lastOperation || cannotFollow(wanted, "the block has ended before");
  const int64_t last = wanted.lastOperation.value_or(INT64_MAX);
  Restart restart = Restart::None;
  while (!block->hasReturned() && block->memoryOperations < last &&
         (wanted.lastOperation || restart == Restart::None)) {
    if (!step(*block))
      return false;
    restart = block->takeRestart();
  }
  if (!block->hasReturned())
    return wanted.lastOperation || !isDeadlock(*block, restart);
  if (wanted.lastOperation && block->memoryOperations < last)
    return cannotFollow(wanted, "the block executes " + std::to_string(block->memoryOperations) +
                                    " memory operations only");
  end(*block);
  llvm::erase_if(live, [&](const auto &one) { return one.get() == block; });
  return true;
}

void Scheduler::runInGivenOrder() {
  for (const ReplayStep &wanted : launch.options.replay.steps)
    if (!follow(wanted))
      return;
  runInProgramOrder();
}

void reference::runAll(Launch &launch, llvm::ArrayRef<Element> parameters) {
  if (mayRunInParallel(launch))
    return runInParallel(launch, parameters);
  Scheduler scheduler(launch, parameters);
  switch (launch.options.schedule) {
  case Schedule::ProgramOrder:
    scheduler.runInProgramOrder();
    break;
  case Schedule::Random:
    scheduler.runAtRandom();
    break;
  case Schedule::Replay:
    scheduler.runInGivenOrder();
    break;
  case Schedule::Exhaustive:
    llvm_unreachable("all executions are explored without a scheduler");
  }
  launch.result.steps = scheduler.stepsDone();
}
