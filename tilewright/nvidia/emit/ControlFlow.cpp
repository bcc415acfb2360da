// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ControlFlow.h.

#include "tilewright/nvidia/emit/ControlFlow.h"
#include "tilewright/emit/Iterations.h"
#include "tilewright/tile/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

/// Copies values to the values that they become, and jumps to a block that takes the scalars.
void ControlFlow::carry(mlir::ValueRange from, mlir::ValueRange to, mlir::Block *block) {
  tiles.copy(from, to);
  b.jump(block, tiles.scalars.among(from));
}

void ControlFlow::emit(tile::IfOp op) {
  Value thread = tiles.thread;
  mlir::Block *after = b.newBlock(emit::Scalars::typesAmong(op.getResults()));
  mlir::Block *then = b.newBlock(), *otherwise = op.elseBlock() ? b.newBlock() : after;
  b.jumpIf(tiles.scalar(op.getCondition()), then, {}, otherwise, {});
  branches.push_back({op, after});
  b.setInsertionPointToStart(then);
  operations.emit(*op.thenBlock());
  tiles.thread = thread;
  if (op.elseBlock()) {
    b.setInsertionPointToStart(otherwise);
    operations.emit(*op.elseBlock());
    tiles.thread = thread;
  }
  branches.pop_back();
  b.setInsertionPointToStart(after);
  tiles.scalars.bind(op.getResults(), after);
}

void ControlFlow::emit(tile::ForOp op) {
  auto [lower, runs, tripCount] = emit::emitIterations(b, tiles.scalars, op);

  // If no iteration runs, the initial values are the results. Block arguments of the body:
  // iterations left, the induction variable, the pipeline stage, loop-carried values.
  SmallVector<mlir::Type> carried = emit::Scalars::typesAmong(op.getInitValues());
  SmallVector<mlir::Type> types = {b.getI64Type(), lower.getType()};
  SmallVector<Value> initial = {tripCount, lower};
  bool hasStages = operands.copiesAhead(op);
  operands.fill(op, lower, runs, tripCount);
  if (hasStages) {
    types.push_back(b.getI32Type());
    initial.push_back(b.i32(0));
  }
  llvm::append_range(types, carried);
  mlir::Block *body = b.newBlock(types), *next = b.newBlock(carried);
  mlir::Block *done = b.newBlock(carried), *after = b.newBlock(carried);
  mlir::Block *last = delayed.areIn(op) ? b.newBlock(carried) : done;
  tiles.copy(op.getInitValues(), op.iterArgs());
  tensor.enter(op, runs);
  delayed.enter(op);
  llvm::append_range(initial, tiles.scalars.among(op.getInitValues()));
  b.jumpIf(runs, body, initial, done, tiles.scalars.among(op.getInitValues()));

  b.setInsertionPointToStart(next);
  Value left = arith::SubIOp::create(b, body->getArgument(0), b.i64(1));
  Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, left, b.i64(0));
  SmallVector<Value> again = {
      left, arith::AddIOp::create(b, body->getArgument(1), tiles.scalar(op.getStep()))};
  if (hasStages) {
    operands.begin(op, {body->getArgument(0), body->getArgument(1), body->getArgument(2)});
    again.push_back(operands.nextStage(op));
  }
  llvm::append_range(again, next->getArguments());
  b.jumpIf(more, body, again, last, next->getArguments());

  b.setInsertionPointToStart(body);
  tiles.define(op.inductionVar(), body->getArgument(1));
  tiles.scalars.bind(op.iterArgs(), body, types.size() - carried.size());
  Value thread = tiles.thread;
  if (plan.addressedAnew.contains(op))
    tiles.beginAnew(thread);
  loops.push_back({op, next, after});
  operations.emit(*op.body());
  loops.pop_back();

  if (last != done) {
    b.setInsertionPointToStart(last);
    tiles.beginAnew(thread);
    delayed.leave(op);
    b.jump(done, last->getArguments());
  }
  b.setInsertionPointToStart(done);
  tiles.beginAnew(thread);
  tensor.leave(op, runs);
  tiles.copy(op.iterArgs(), op.getResultValues());
  b.jump(after, done->getArguments());
  b.setInsertionPointToStart(after);
  tiles.scalars.bind(op.getResultValues(), after);
}

void ControlFlow::emit(tile::LoopOp op) {
  mlir::ValueRange carried = op.body()->getArguments();
  mlir::Block *body = b.newBlock(emit::Scalars::typesAmong(carried));
  mlir::Block *after = b.newBlock(emit::Scalars::typesAmong(op.getResultValues()));
  carry(op.getInitValues(), carried, body);
  b.setInsertionPointToStart(body);
  tiles.scalars.bind(carried, body);
  Value thread = tiles.thread;
  if (plan.addressedAnew.contains(op))
    tiles.beginAnew(thread);
  loops.push_back({op, body, after});
  operations.emit(*op.body());
  loops.pop_back();
  b.setInsertionPointToStart(after);
  tiles.beginAnew(thread);
  tiles.scalars.bind(op.getResultValues(), after);
}

void ControlFlow::emitTerminator(mlir::Operation *op) {
  mlir::ValueRange operands = op->getOperands();
  if (llvm::isa<tile::ReturnOp>(op))
    return b.jump(exit);
  if (llvm::isa<tile::YieldOp>(op))
    return carry(operands, branches.back().op.getResults(), branches.back().after);
  const Loop &loop = loops.back();
  if (llvm::isa<tile::BreakOp>(op))
    return carry(operands, loop.op->getResults(), loop.after);
  mlir::ValueRange carried = loop.op->getRegion(0).front().getArguments();
  carry(operands, llvm::isa<tile::ForOp>(loop.op) ? carried.drop_front() : carried, loop.next);
}
