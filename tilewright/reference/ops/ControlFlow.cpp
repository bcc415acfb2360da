// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes control flow. An operation with a body enters it. A terminator leaves bodies up to the
// one that it targets, and passes its operands to the results or to the arguments of the next
// iteration (operations, 5).

#include "tilewright/reference/machine/Uses.h"
#include "tilewright/reference/memory/MemoryOperation.h"
#include "tilewright/reference/ops/Operations.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::SmallVector;

static LogicalResult execute(TileBlock &block, tile::IfOp op) {
  if (llvm::failed(requireDefined(block, op, op.getCondition(), "the condition")))
    return llvm::failure();
  Element condition = block.scalar(op.getCondition());
  if (mlir::Block *body = condition.bits ? op.thenBlock() : op.elseBlock())
    block.enter(op, *body);
  return llvm::success();
}

//===-- for ---------------------------------------------------------------===//

/// Reads the element as signed or unsigned.
static __int128 read(Element element, bool isUnsigned) {
  return isUnsigned ? __int128(element.asUnsigned()) : __int128(element.asSigned());
}

/// Binds the arguments of the next iteration.
static void bindArguments(TileBlock &block, tile::ForOp op, llvm::ArrayRef<Register> carried) {
  Frame &loop = block.innermost();
  (void)block.define(op.inductionVar(), Tile::scalar(loop.inductionValue));
  block.defineAll(op.iterArgs(), carried);
}

static LogicalResult execute(TileBlock &block, tile::ForOp op) {
  if (llvm::failed(requireDefined(block, op, op.getLowerBound(), "the lower bound")) ||
      llvm::failed(requireDefined(block, op, op.getUpperBound(), "the upper bound")) ||
      llvm::failed(requireDefined(block, op, op.getStep(), "the step")))
    return llvm::failure();
  Element lower = block.scalar(op.getLowerBound()), upper = block.scalar(op.getUpperBound());
  Element step = block.scalar(op.getStep());
  bool isUnsigned = op.getUnsignedCmp();
  __int128 from = read(lower, isUnsigned), to = read(upper, isUnsigned);
  __int128 by = read(step, isUnsigned);
  if (by <= 0 &&
      !block.reportFatal(Check::Control, op,
                         "the step must be positive, but is " + llvm::Twine(int64_t(by))))
    return llvm::failure();

  SmallVector<Register> initial = block.getAll(op.getInitValues());
  if (from >= to || by <= 0) {
    block.defineAll(op.getResultValues(), initial);
    return llvm::success();
  }
  // The number of iterations is computed in advance, in wider arithmetic, so that the induction
  // value cannot wrap past the upper bound (operations, 5.2).
  Frame &loop = block.enter(op, *op.body());
  loop.iterationsLeft = (to - from + by - 1) / by;
  loop.inductionValue = lower;
  bindArguments(block, op, initial);
  return llvm::success();
}

static void nextIteration(TileBlock &block, tile::ForOp op, llvm::ArrayRef<Register> carried) {
  Frame &loop = block.innermost();
  if (--loop.iterationsLeft == 0) {
    block.leave();
    return block.defineAll(op.getResultValues(), carried);
  }
  Element step = block.scalar(op.getStep());
  loop.inductionValue =
      Element::integer(loop.inductionValue.format, int64_t(loop.inductionValue.bits + step.bits));
  block.startAgain(Restart::Other);
  bindArguments(block, op, carried);
}

//===-- loop --------------------------------------------------------------===//

static LogicalResult execute(TileBlock &block, tile::LoopOp op) {
  SmallVector<Register> initial = block.getAll(op.getInitValues());
  block.enter(op, *op.body());
  block.defineAll(op.body()->getArguments(), initial);
  return llvm::success();
}

//===-- Terminators -------------------------------------------------------===//

/// Leaves the `if` branches up to the enclosing loop.
static mlir::Operation *leaveBranches(TileBlock &block) {
  while (llvm::isa<tile::IfOp>(block.innermost().owner))
    block.leave();
  return block.innermost().owner;
}

static LogicalResult execute(TileBlock &block, tile::BreakOp op) {
  SmallVector<Register> results = block.getAll(op.getOperands());
  auto loop = llvm::cast<tile::LoopOp>(leaveBranches(block));
  block.leave();
  block.defineAll(loop.getResultValues(), results);
  return llvm::success();
}

/// Whether the iteration changed nothing: the next one starts with the same values, memory is
/// unchanged, and no pending operation will change it.
static bool isIdle(TileBlock &block, mlir::ValueRange arguments, llvm::ArrayRef<Register> carried) {
  const Frame &loop = block.innermost();
  return loop.communicates && !loop.syncsWithHost && loop.changesBefore == block.launch().changes &&
         llvm::all_of(block.pending,
                      [](const SharedOperation &op) { return op->effect == Effect::Load; }) &&
         llvm::all_of(llvm::zip_equal(arguments, carried), [&](auto pair) {
           auto &[argument, next] = pair;
           return areEqual(block.get(argument), next);
         });
}

static LogicalResult execute(TileBlock &block, tile::ContinueOp op) {
  SmallVector<Register> carried = block.getAll(op.getOperands());
  mlir::Operation *loop = leaveBranches(block);
  if (auto counted = llvm::dyn_cast<tile::ForOp>(loop)) {
    nextIteration(block, counted, carried);
    return llvm::success();
  }
  auto arguments = llvm::cast<tile::LoopOp>(loop).body()->getArguments();
  block.startAgain(isIdle(block, arguments, carried) ? Restart::Idle : Restart::Other);
  block.defineAll(arguments, carried);
  return llvm::success();
}

static LogicalResult execute(TileBlock &block, tile::YieldOp op) {
  // The bodies of reduce and scan are never entered; Aggregates.cpp runs them.
  SmallVector<Register> results = block.getAll(op.getOperands());
  mlir::Operation *branch = block.innermost().owner;
  block.leave();
  block.defineAll(branch->getResults(), results);
  return llvm::success();
}

static LogicalResult execute(TileBlock &block, tile::ReturnOp op) {
  block.end();
  return llvm::success();
}

Execute reference::controlFlowExecutor(mlir::Operation *op) {
  return firstOf<tile::IfOp, tile::ForOp, tile::LoopOp, tile::BreakOp, tile::ContinueOp,
                 tile::YieldOp, tile::ReturnOp>(
      op, [](TileBlock &block, auto op) { return execute(block, op); });
}
