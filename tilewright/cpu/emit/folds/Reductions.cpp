// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reductions.h.

#include "tilewright/cpu/emit/folds/Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

/// Reduces one element after the other. `position` is that of the results.
SmallVector<Value> Reductions::reduceInOrder(tile::ReduceOp op, Position position) {
  int64_t dim = op.getDim(), extent = tileTypeOf(op.getOperands()[0]).getShape()[dim];
  SmallVector<Value> first =
      evaluator.evaluateAll(op.getOperands(), inserted(position, dim, b.i64(0)));
  if (extent == 1)
    return first;
  auto loop = mlir::scf::ForOp::create(b, b.i64(1), b.i64(extent), b.i64(1), first);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> elements;
  {
    ValueCache::Scope scope(cache);
    elements =
        evaluator.evaluateAll(op.getOperands(), inserted(position, dim, loop.getInductionVar()));
  }
  mlir::scf::YieldOp::create(b,
                             bodies.emit(op.getBody().front(), elements, loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

/// Reduces by a tree: combines neighbours, the earlier one as accumulator, then the results, and so
/// on, in the order of the reference machine.
SmallVector<Value> Reductions::reduceByTree(tile::ReduceOp op, Position position) {
  int64_t dim = op.getDim(), extent = tileTypeOf(op.getOperands()[0]).getShape()[dim];
  if (extent == 1)
    return evaluator.evaluateAll(op.getOperands(), inserted(position, dim, b.i64(0)));
  mlir::Block &body = op.getBody().front();
  int64_t width = position.width;
  SmallVector<Value> levels; // the results of a level, for each operand
  for (size_t operand = 0; operand < op.getNumOperands(); ++operand)
    levels.push_back(buffers.scratch(op, operand));
  auto typeOf = [&](size_t k) { return tileTypeOf(op.getOperands()[k]).getElementType(); };
  auto readLevel = [&](Value number) {
    SmallVector<Value> values;
    for (size_t k = 0; k < levels.size(); ++k)
      values.push_back(b.readWords(levels[k], typeOf(k), b.mul(number, b.i64(width)), 1, width));
    return values;
  };
  auto writeLevel = [&](Value number, mlir::ValueRange values) {
    for (auto [k, value] : llvm::enumerate(values))
      b.writeWords(levels[k], typeOf(k), b.mul(number, b.i64(width)), 1, value);
  };
  auto pair = [&](Value number, llvm::function_ref<SmallVector<Value>(Value)> read) {
    ValueCache::Scope scope(cache);
    Value first = b.mul(number, b.i64(2));
    SmallVector<Value> earlier = read(first), later = read(b.add(first, b.i64(1)));
    writeLevel(number, bodies.emit(body, later, earlier));
  };

  b.forEachFrom(0, extent / 2, 1, [&](Value number) {
    pair(number, [&](Value at) {
      return evaluator.evaluateAll(op.getOperands(), inserted(position, dim, at));
    });
  });
  // In place: results are written at lower positions than the elements that are still to be read.
  auto level = mlir::scf::ForOp::create(b, b.i64(2), b.i64(llvm::Log2_64(extent) + 1), b.i64(1));
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(level.getBody());
    Value pairs = arith::ShRUIOp::create(b, b.i64(extent), level.getInductionVar());
    auto loop = mlir::scf::ForOp::create(b, b.i64(0), pairs, b.i64(1));
    b.setInsertionPointToStart(loop.getBody());
    pair(loop.getInductionVar(), readLevel);
  }
  return readLevel(b.i64(0));
}

void Reductions::emit(tile::ReduceOp op, const Fold &fold) {
  SmallVector<int64_t> resultShape(tileTypeOf(op.getOperands()[0]).getShape());
  resultShape.erase(resultShape.begin() + op.getDim());
  b.forEach(resultShape, fold.width, [&](const Position &position) {
    defineAll(frame, buffers, op.getResults(), position,
              fold.form == FoldForm::InOrder ? reduceInOrder(op, position)
                                             : reduceByTree(op, position));
  });
}
