// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs blocks in parallel if the result cannot depend on their order. The conditions are that there
// is no observer, that every access is weak, so that a race-free program gives the same result in
// any order, and that no check keeps a history of the launch. Threads take blocks in ascending
// order. Afterwards the findings are sorted by block, up to the first block that could not
// continue.

#include "tilewright/reference/machine/Scheduler.h"
#include "tilewright/reference/machine/Step.h"
#include "tilewright/reference/machine/ThrowingAllocations.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>

using namespace tilewright;
using namespace tilewright::reference;

/// Whether the operation gives the same result in any order of the blocks. The order is observable
/// through accesses that are not weak, addresses of allocas, and printed text.
static bool isOrderFree(mlir::Operation *op) {
  if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op))
    return access.isWeak() && !access.isAtomic();
  return !llvm::isa<tile::PrintOp, tile::AllocaOp>(op);
}

/// The number of steps that a thread takes from the budget at once.
static constexpr int64_t portion = 1 << 14;

bool reference::mayRunInParallel(const Launch &launch) {
  const LaunchOptions &options = launch.options;
  // Threads take steps in portions and would exceed a small limit.
  if (options.maxSteps < 64 * portion)
    return false;
  if (options.schedule != Schedule::ProgramOrder || options.observer ||
      launch.grid.blockCount() == 1 || std::thread::hardware_concurrency() < 2)
    return false;
  // These checks remember what other blocks did, or report only the first violation of all blocks.
  for (Check check : {Check::Race, Check::IndexSpace, Check::Scatter, Check::Print})
    if (options.checks.has(check))
      return false;
  mlir::Operation *entry = launch.program.entry();
  return !entry
              ->walk([](mlir::Operation *op) {
                return isOrderFree(op) ? mlir::WalkResult::advance()
                                       : mlir::WalkResult::interrupt();
              })
              .wasInterrupted();
}

namespace {
/// The state that the threads share.
struct Queue {
  std::atomic<int64_t> nextBlock = 0;
  std::atomic<int64_t> stepsLeft;
  /// The first block that could not continue.
  std::atomic<int64_t> lastBlock;
};

/// The state of one thread.
struct Part {
  Launch launch;
  /// The out-of-memory exception that stopped it, if any.
  std::exception_ptr failure = {};
  /// A block, and the number of its findings beyond those that are listed.
  struct Unlisted {
    int64_t block, count;
  };
  std::vector<Unlisted> unlisted = {};

  /// Called when a block has ended; `before` is the number of unlisted findings before the block.
  void noteUnlisted(int64_t block, int64_t before) {
    if (int64_t count = launch.result.unlistedFindings - before)
      unlisted.push_back({block, count});
  }
};
} // namespace

/// Takes a portion of the remaining steps, or fewer if not as many are left.
static int64_t takeSteps(Queue &queue) {
  int64_t left = queue.stepsLeft.fetch_sub(portion);
  return std::clamp<int64_t>(left, 0, portion);
}

/// Runs one block to completion. Returns false if it could not continue.
static bool runBlock(TileBlock &block, Launch &launch, Queue &queue, int64_t &steps) {
  while (!block.hasReturned()) {
    if ((steps == 0 && (steps = takeSteps(queue)) == 0) || launch.shouldStopAfterError()) {
      block.addStepLimit();
      return false;
    }
    --steps;
    if (llvm::failed(step(block)))
      return false;
  }
  return true;
}

static void runBlocks(Part &part, llvm::ArrayRef<Element> parameters, Queue &queue) {
  Launch &launch = part.launch;
  int64_t steps = 0;
  for (;;) {
    int64_t number = queue.nextBlock++;
    if (number >= launch.grid.blockCount() || number > queue.lastBlock)
      return;
    TileBlock block(launch, launch.grid.block(number), parameters);
    int64_t unlistedBefore = launch.result.unlistedFindings;
    bool hasEnded = runBlock(block, launch, queue, steps);
    part.noteUnlisted(number, unlistedBefore);
    if (hasEnded) {
      launch.options.countBlock();
      continue;
    }
    int64_t last = queue.lastBlock;
    while (number < last && !queue.lastBlock.compare_exchange_weak(last, number))
      ;
  }
}

/// An exception that leaves a thread would end the process, so it is kept, and runInParallel
/// rethrows it. The other threads finish their current blocks.
static void runSafely(Part &part, llvm::ArrayRef<Element> parameters, Queue &queue) {
  ThrowingAllocations throwing;
  try {
    runBlocks(part, parameters, queue);
  } catch (const std::bad_alloc &) {
    part.failure = std::current_exception();
    queue.lastBlock = -1;
  }
}

/// Merges the findings of all threads, each sorted by block, up to the last block that counts.
static void collect(llvm::ArrayRef<std::unique_ptr<Part>> parts, int64_t lastBlock,
                    LaunchResult &result) {
  std::vector<size_t> next(parts.size());
  llvm::DenseSet<std::pair<mlir::Operation *, const report::Rule *>> reported;
  for (;;) {
    Finding *first = nullptr;
    size_t from = 0;
    for (auto [i, part] : llvm::enumerate(parts)) {
      std::vector<Finding> &findings = part->launch.result.findings;
      if (next[i] < findings.size() &&
          (!first || findings[next[i]].block.number < first->block.number))
        first = &findings[next[i]], from = i;
    }
    if (!first || first->block.number > lastBlock)
      break;
    ++next[from];
    // Each thread reports such a finding once, so duplicates are dropped. Every failed assertion
    // counts.
    bool isNew = !first->op || !first->rule || first->kind == FindingKind::FailedAssert ||
                 reported.insert({first->op, first->rule}).second;
    if (isNew)
      result.add(std::move(*first));
  }
  for (const std::unique_ptr<Part> &part : parts) {
    result.unlistedKinds |= part->launch.result.unlistedKinds;
    result.wasEnded |= part->launch.result.wasEnded;
    for (Part::Unlisted unlisted : part->unlisted)
      if (unlisted.block <= lastBlock)
        result.unlistedFindings += unlisted.count;
  }
}

void reference::runInParallel(Launch &launch, llvm::ArrayRef<Element> parameters) {
  // Executing operations looks up types and attributes, which needs a multithreaded context.
  launch.program.entry()->getContext()->enableMultithreading();
  Queue queue;
  queue.stepsLeft = launch.options.maxSteps;
  queue.lastBlock = launch.grid.blockCount();
  int64_t count = std::min<int64_t>(std::thread::hardware_concurrency(), launch.grid.blockCount());
  std::vector<std::unique_ptr<Part>> parts;
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < count; ++i)
    parts.push_back(
        std::unique_ptr<Part>(new Part{{launch.program, launch.grid, launch.memory, launch.globals,
                                        launch.options, launch.output}}));
  threads.reserve(count);
  try {
    for (int64_t i = 1; i < count; ++i)
      threads.emplace_back([&, i] { runSafely(*parts[i], parameters, queue); });
  } catch (const std::system_error &) {
    // Fewer threads compute the same result.
  }
  runSafely(*parts.front(), parameters, queue);
  for (std::thread &thread : threads)
    thread.join();
  for (const std::unique_ptr<Part> &part : parts)
    if (part->failure)
      std::rethrow_exception(part->failure);

  collect(parts, queue.lastBlock, launch.result);
}
