// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/Step.h"
#include "tilewright/reference/memory/Access.h"
#include "tilewright/reference/watch/Observer.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::reference;

//===-- Memory operations ---------------------------------------------------------------------===//

LogicalResult reference::issue(TileBlock &block, MemoryOperation operation, mlir::Value result,
                               mlir::Value token) {
  operation.number = ++block.memoryOperations;
  if (!operation.semantics.isWeak())
    for (Frame &frame : block.frames()) {
      frame.communicates = true;
      frame.syncsWithHost |= operation.semantics.scope == tile::MemoryScope::Sys;
    }
  if (isMultimem(operation.op))
    spreadOverCopies(block.memory(), operation.segments);
  const bool reads = operation.effect != Effect::Store;
  if (reads && !operation.semantics.isWeak() && !operation.segments.empty())
    block.polled = {operation.op, operation.segments.back().place};
  if (!delaysMemory(block.launch().options)) {
    performAll(block, operation);
    if (result)
      (void)block.define(result, std::move(*operation.result));
    return block.define(token, Token{std::move(operation.clock)});
  }
  shuffle(operation.segments, block.launch().random);
  operation.iterations = block.iterations();
  // The registers may have changed by the time the elements are stored.
  if (operation.effect == Effect::Store)
    reportStored(block, operation);
  auto shared = std::make_shared<MemoryOperation>(std::move(operation));
  block.pending.push_back(shared);
  if (result)
    (void)block.define(result, PendingTile{shared});
  return block.define(token, Token{{}, {shared}});
}

void reference::performSegment(TileBlock &block, SharedOperation operation) {
  performNext(block, *operation);
  if (operation->isDone())
    llvm::erase(block.pending, operation);
}

/// Performs an operation after those that it waits for.
static void complete(TileBlock &block, SharedOperation operation) {
  if (operation->isDone())
    return;
  awaitToken(block, operation->before);
  while (!operation->isDone())
    performSegment(block, operation);
}

static void completeAll(TileBlock &block) {
  while (!block.pending.empty())
    complete(block, block.pending.front());
}

void reference::awaitToken(TileBlock &block, Token &token) {
  for (const SharedOperation &operation : token.pending) {
    complete(block, operation);
    token.clock.join(operation->clock);
  }
  token.pending.clear();
}

/// Performs the pending operations whose results this operation uses. Operations that only pass
/// values on do not use them, so accesses can be delayed across loops and branches.
static void awaitOperands(TileBlock &block, mlir::Operation *op) {
  // Accesses to an alloca must be performed before its scope ends.
  if (op->hasTrait<mlir::OpTrait::IsTerminator>()) {
    if (llvm::any_of(block.frames(), [](const Frame &a) { return !a.allocas.empty(); }))
      completeAll(block);
    return;
  }
  auto force = [&](mlir::Value value) {
    auto *waiting = std::get_if<PendingTile>(&block.get(value));
    if (!waiting)
      return;
    SharedOperation operation = waiting->operation;
    complete(block, operation);
    (void)block.define(value, *operation->result);
  };
  // The bodies of reduce and scan run as part of the operation and may use outside values.
  if (tile::isAggregate(op)) {
    op->walk([&](mlir::Operation *inner) {
      for (mlir::Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentRegion()->getParentOp()))
          force(operand);
    });
    return;
  }
  // Loops only pass on their initial values.
  size_t used = llvm::isa<tile::LoopOp>(op) ? 0 : llvm::isa<tile::ForOp>(op) ? 3 : ~size_t(0);
  for (mlir::Value operand :
       op->getOperands().take_front(std::min(used, size_t(op->getNumOperands()))))
    force(operand);
}

//===-- One operation -------------------------------------------------------------------------===//

LogicalResult reference::step(TileBlock &block) {
  const Instruction &instruction = block.advance();
  Launch &launch = block.launch();
  const LaunchOptions &options = launch.options;
  // A pending result may be complete without being in its register yet.
  if (delaysMemory(options))
    awaitOperands(block, instruction.op);
  if (options.cancelled && options.cancelled->load(std::memory_order_relaxed)) {
    launch.result.wasEnded = true;
    return llvm::failure();
  }
  Observer *observer = options.observer;
  if (!observer)
    return instruction.execute(block, instruction.op);
  observer->beforeOperation(block, instruction.op);
  if (observer->shouldStop()) {
    launch.result.wasEnded = true;
    return llvm::failure();
  }
  LogicalResult result = instruction.execute(block, instruction.op);
  observer->afterOperation(block, instruction.op, result);
  return result;
}
