// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ControlFlow.h.

#include "tilewright/cpu/emit/ControlFlow.h"
#include "tilewright/cpu/emit/RowLoops.h"
#include "tilewright/cpu/emit/ViewAccess.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/emit/Iterations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace cf = mlir::cf;
namespace LLVM = mlir::LLVM;

LogicalResult ControlFlow::emit(tile::IfOp op) {
  mlir::Block *after = b.newBlock(emit::Scalars::typesAmong(op.getResults()));
  mlir::Block *then = b.newBlock(), *otherwise = op.elseBlock() ? b.newBlock() : after;
  b.jumpIf(frame.scalar(op.getCondition()), then, otherwise);
  branches.push_back({op, after});
  b.setInsertionPointToStart(then);
  if (llvm::failed(operations.emit(*op.thenBlock())))
    return llvm::failure();
  if (op.elseBlock()) {
    b.setInsertionPointToStart(otherwise);
    if (llvm::failed(operations.emit(*op.elseBlock())))
      return llvm::failure();
  }
  branches.pop_back();
  b.setInsertionPointToStart(after);
  frame.scalars.bind(op.getResults(), after);
  return llvm::success();
}

LogicalResult ControlFlow::emit(tile::ForOp op) {
  auto [lower, runs, tripCount] = emit::emitIterations(b, frame.scalars, op);
  SmallVector<Value> from, to, sums, initialSums;
  for (auto [value, argument] : llvm::zip_equal(op.getInitValues(), op.iterArgs())) {
    bool isKnown = bool(plan.initialConstant(llvm::cast<mlir::BlockArgument>(argument)));
    (isKnown ? initialSums : from).push_back(value);
    (isKnown ? sums : to).push_back(argument);
  }
  copyTiles(from, to, nullptr);
  if (!sums.empty()) // the first iteration uses it as its initial accumulator
    b.branch(runs, [] {}, [&] { copyTiles(initialSums, sums, nullptr); });
  if (llvm::failed(finalStores.open(op, runs)))
    return llvm::failure();
  sharedFactors.open(op, tripCount, runs);

  // Block arguments: iterations left, the induction variable, loop-carried scalars, and the vectors
  // of register-resident accumulators.
  const std::optional<RowLoop> &rows = plan.loopOf(op).rows;
  SmallVector<mlir::Type> scalars = emit::Scalars::typesAmong(op.getInitValues()),
                          carried = scalars;
  if (rows)
    llvm::append_range(carried, typesOfHeld(*rows));
  SmallVector<mlir::Type> types = {b.getI64Type(), lower.getType()};
  llvm::append_range(types, carried);
  mlir::Block *body = b.newBlock(types), *next = b.newBlock(carried);
  mlir::Block *after = b.newBlock(scalars);
  SmallVector<Value> initial = {tripCount, lower};
  llvm::append_range(initial, frame.scalars.among(op.getInitValues()));
  LoopFrame self = {op, next, after, tripCount, body->getArgument(0)};
  mlir::Block *done = after;
  if (rows) {
    mlir::Block *begin = b.newBlock(b.getI64Type()), *first = body;
    done = b.newBlock(carried);
    self.rows = &*rows;
    self.block = begin->getArgument(0);
    llvm::append_range(self.held, body->getArguments().drop_front(2 + scalars.size()));
    Value whole;
    if (rows->hasWholeLoop)
      whole = views.wholeIterations(op, rows->group->viewAccesses(), tripCount);
    cf::CondBranchOp::create(b, runs, begin, mlir::ValueRange(b.i64(0)), after,
                             frame.scalars.among(op.getInitValues()));
    if (whole) {
      first = b.newBlock(types);
      if (llvm::failed(emitWholeIterations(self, first, whole, body, done)))
        return llvm::failure();
      self.areWhole = false;
    }
    emitRowBlocks(self, begin, first, initial, done);
  } else {
    cf::CondBranchOp::create(b, runs, body, initial, after,
                             frame.scalars.among(op.getInitValues()));
  }

  SmallVector<Value> again = advance(op, body, next);
  Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, again[0], b.i64(0));
  cf::CondBranchOp::create(b, more, body, again, done, next->getArguments());
  if (llvm::failed(emitIterations(op, self, body)))
    return llvm::failure();
  b.setInsertionPointToStart(after);
  frame.scalars.bind(op.getResultValues(), after);
  return llvm::success();
}

/// Emits the body of the loop into `body`, with its block arguments.
LogicalResult ControlFlow::emitIterations(tile::ForOp op, const LoopFrame &loop,
                                          mlir::Block *body) {
  b.setInsertionPointToStart(body);
  frame.scalars.define(op.inductionVar(), body->getArgument(1));
  frame.scalars.bind(op.iterArgs(), body, 2);
  frame.loops.push_back(loop);
  if (llvm::failed(operations.emit(*op.body())))
    return llvm::failure();
  frame.loops.pop_back();
  return llvm::success();
}

/// In `next`: computes the block arguments of the next iteration.
SmallVector<Value> ControlFlow::advance(tile::ForOp op, mlir::Block *body, mlir::Block *next) {
  b.setInsertionPointToStart(next);
  SmallVector<Value> again = {
      arith::SubIOp::create(b, body->getArgument(0), b.i64(1)),
      arith::AddIOp::create(b, body->getArgument(1), frame.scalar(op.getStep()))};
  llvm::append_range(again, next->getArguments());
  return again;
}

/// Peels the first `whole` iterations, whose tiles are known to be contiguous and inside, into a
/// loop of their own without tests. `first` is where iterations begin; the remaining ones run in
/// `body`.
LogicalResult ControlFlow::emitWholeIterations(LoopFrame loop, mlir::Block *first, Value whole,
                                               mlir::Block *body, mlir::Block *done) {
  auto op = llvm::cast<tile::ForOp>(loop.op);
  auto newBlockLike = [&](mlir::Block *block) {
    return b.newBlock(llvm::to_vector(block->getArgumentTypes()));
  };
  mlir::Block *wholeBody = newBlockLike(body), *next = newBlockLike(loop.next),
              *others = newBlockLike(body);
  auto jumpIf = [&](arith::CmpIPredicate how, Value lhs, Value rhs, mlir::Block *then,
                    mlir::ValueRange given, mlir::Block *otherwise, mlir::ValueRange left) {
    Value condition = arith::CmpIOp::create(b, how, lhs, rhs);
    return cf::CondBranchOp::create(b, condition, then, given, otherwise, left);
  };
  b.setInsertionPointToStart(first);
  auto begin = jumpIf(arith::CmpIPredicate::ne, whole, b.i64(0), wholeBody, first->getArguments(),
                      body, first->getArguments());
  // Without these weights, LLVM spills registers of the loop without tests for the code around it.
  begin.setBranchWeights(llvm::ArrayRef<int32_t>{1000, 1});

  loop.next = next;
  loop.left = wholeBody->getArgument(0);
  loop.held.assign(wholeBody->args_end() - loop.held.size(), wholeBody->args_end());
  loop.areWhole = true;
  SmallVector<Value> again = advance(op, wholeBody, next);
  Value rest = arith::SubIOp::create(b, loop.tripCount, whole);
  jumpIf(arith::CmpIPredicate::ugt, again[0], rest, wholeBody, again, others, again);

  b.setInsertionPointToStart(others);
  mlir::ValueRange arguments = others->getArguments();
  jumpIf(arith::CmpIPredicate::ne, arguments[0], b.i64(0), body, arguments, done,
         arguments.drop_front(2));
  return emitIterations(op, loop, wholeBody);
}

/// Runs all iterations for one block of register-resident accumulators, then for the next block.
/// Loop-carried scalars take the same values each time.
void ControlFlow::emitRowBlocks(const LoopFrame &loop, mlir::Block *begin, mlir::Block *body,
                                SmallVector<Value> initial, mlir::Block *done) {
  const RowLoop &rows = *loop.rows;
  b.setInsertionPointToStart(begin);
  llvm::append_range(initial, loadHeld(b, buffers, rows, loop.block));
  b.jump(body, initial);
  b.setInsertionPointToStart(done);
  mlir::ValueRange arguments = done->getArguments();
  storeHeld(b, buffers, rows, loop.block, arguments.take_back(loop.held.size()));
  Value next = b.add(loop.block, b.i64(1));
  Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, next, b.i64(rows.blocks()));
  cf::CondBranchOp::create(b, more, begin, next, loop.after, arguments.drop_back(loop.held.size()));
}

LogicalResult ControlFlow::emit(tile::LoopOp op) {
  mlir::ValueRange carried = op.body()->getArguments();
  copyTiles(op.getInitValues(), carried, nullptr);
  mlir::Block *body = b.newBlock(emit::Scalars::typesAmong(carried));
  mlir::Block *after = b.newBlock(emit::Scalars::typesAmong(op.getResultValues()));
  b.jump(body, frame.scalars.among(op.getInitValues()));
  b.setInsertionPointToStart(body);
  frame.scalars.bind(carried, body);
  frame.loops.push_back({op, body, after, {}, {}});
  if (llvm::failed(operations.emit(*op.body())))
    return llvm::failure();
  frame.loops.pop_back();
  b.setInsertionPointToStart(after);
  frame.scalars.bind(op.getResultValues(), after);
  return llvm::success();
}

void ControlFlow::emitTerminator(mlir::Operation *op) {
  mlir::ValueRange operands = op->getOperands();
  if (llvm::isa<tile::ReturnOp>(op)) {
    b.jump(frame.blockEnd);
  } else if (llvm::isa<tile::YieldOp>(op)) {
    copyTiles(operands, branches.back().op.getResults(), nullptr);
    b.jump(branches.back().after, frame.scalars.among(operands));
  } else if (llvm::isa<tile::BreakOp>(op)) {
    copyTiles(operands, frame.loops.back().op->getResults(), nullptr);
    b.jump(frame.loops.back().after, frame.scalars.among(operands));
  } else {
    mlir::Operation *loop = frame.loops.back().op;
    mlir::ValueRange carried = loop->getRegion(0).front().getArguments();
    copyTiles(operands, llvm::isa<tile::ForOp>(loop) ? carried.drop_front() : carried, op);
    if (llvm::isa<tile::LoopOp>(loop) && mayWait)
      host.emitYield();
    SmallVector<Value> next = frame.scalars.among(operands);
    llvm::append_range(next, frame.loops.back().held);
    b.jump(frame.loops.back().next, next);
  }
}

//===-- Values carried by control flow --------------------------------------------------------===//

/// Copies tiles into the buffers of the values that they become.
void ControlFlow::copyTiles(mlir::ValueRange from, mlir::ValueRange to, mlir::Operation *op) {
  // Many copies can be a long kernel by themselves. Inside an `scf.if`, there are no blocks of the
  // function to outline.
  bool mayCut = b.getInsertionBlock()->getParent() == &frame.function.getBody();
  Outliner::Start start = outliner.start();
  auto cut = [&] {
    if (!mayCut || !outliner.isLong(start))
      return;
    outliner.end(start);
    start = outliner.start();
  };
  // A parallel assignment: sources that are overwritten are copied to scratch memory first.
  SmallVector<Value> aside;
  if (op && buffers.hasScratch(op))
    for (auto [source, target] : llvm::zip_equal(from, to)) {
      if (!tileTypeOf(source) || source == target || !llvm::is_contained(to, source))
        continue;
      evaluator.materialize(source, buffers.scratch(op, aside.size()));
      cut();
      aside.push_back(target);
    }
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (tileTypeOf(source) && source != target && !buffers.areShared(source, target) &&
        !llvm::is_contained(aside, target)) {
      evaluator.materialize(source, buffers.addressOf(target));
      cut();
    }
  for (auto [part, target] : llvm::enumerate(aside)) {
    LLVM::MemcpyOp::create(b, buffers.addressOf(target), buffers.scratch(op, part),
                           b.i64(bufferBytes(tileTypeOf(target))), /*isVolatile=*/false);
    cut();
  }
}
