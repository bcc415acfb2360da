// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Aggregates.h.

#include "tilewright/nvidia/emit/Aggregates.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/elementwise/Literals.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

static mlir::Type elementTypeOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getElementType();
}

//===-- The body ------------------------------------------------------------------------------===//

/// What is pure may be in a body (operations, 4.11). We support what computes elements, without
/// control flow and products, of scalars and of tiles that are made in the body.
static bool isSupported(mlir::Operation &inner) {
  auto isElements = [](mlir::Type type) { return llvm::isa<tile::TileType>(type); };
  auto isAtHand = [&](Value operand) {
    return isElements(operand.getType()) &&
           (isScalar(operand) || operand.getParentBlock() == inner.getBlock());
  };
  return inner.getNumRegions() == 0 && !llvm::isa<tile::MatmulOpInterface>(inner) &&
         llvm::all_of(inner.getOperands(), isAtHand) &&
         llvm::all_of(inner.getResultTypes(), isElements);
}

LogicalResult Aggregates::checkBody(mlir::Operation *op) {
  mlir::Block &body = op->getRegion(0).front();
  for (mlir::Operation &inner : body.without_terminator())
    if (!isSupported(inner))
      return operations.unsupported(&inner, "this operation in the body of " +
                                                op->getName().stripDialect());
  for (Value yielded : body.getTerminator()->getOperands())
    if (!isScalar(yielded))
      return operations.unsupported(op, "a body that yields a tile of rank other than 0");
  return llvm::success();
}

SmallVector<Value> Aggregates::combine(mlir::Block &body, mlir::ValueRange elements,
                                       mlir::ValueRange accumulators) {
  for (size_t k = 0; k < elements.size(); ++k) {
    tiles.define(body.getArgument(2 * k), elements[k]);
    tiles.define(body.getArgument(2 * k + 1), accumulators[k]);
  }
  for (mlir::Operation &op : body.without_terminator())
    (void)operations.emit(&op); // nothing of what is in a body can fail
  return tiles.scalarsOf(body.getTerminator()->getOperands());
}

//===-- reduce --------------------------------------------------------------------------------===//

/// Combines neighbours along the rows of all operands.
void Aggregates::halve(mlir::Block &body, llvm::SmallVectorImpl<Home> &level, int64_t elements,
                       Row row, int64_t bytes) {
  TileLayout from = plan.layoutOf(elements), to = plan.layoutOf(elements / 2);
  // Of element (i, j, k) of the result, which are (i, 2 * j, k) and (i, 2 * j + 1, k).
  auto source = [&](const Own &own, int64_t which) {
    Value inner = b.modulo(own.index, row.run), pair = b.dividedBy(own.index, row.run);
    return b.add(b.times(b.add(b.times(pair, 2), b.i32(which)), row.run), inner);
  };
  SmallVector<Home> earlier, later;
  for (const Home &home : level) {
    earlier.push_back(tiles.newHome(home.elementType, to));
    later.push_back(tiles.newHome(home.elementType, to));
    auto element = [&](const Own &own) { return tiles.read(home, own); };
    auto first = [&](const Own &own) { return source(own, 0); };
    auto second = [&](const Own &own) { return source(own, 1); };
    auto takeFirst = [&](const Own &own, Value value) { tiles.write(earlier.back(), own, value); };
    auto takeSecond = [&](const Own &own, Value value) { tiles.write(later.back(), own, value); };
    shared.exchange({from, home.elementType, element},
                    {{to, first, takeFirst}, {to, second, takeSecond}}, bytes);
  }
  tiles.forEachOwn(to, [&](const Own &own) {
    SmallVector<Value> elementsHere, accumulators;
    for (size_t k = 0; k < level.size(); ++k) {
      elementsHere.push_back(tiles.read(later[k], own));
      accumulators.push_back(tiles.read(earlier[k], own));
    }
    for (auto [home, value] : llvm::zip_equal(earlier, combine(body, elementsHere, accumulators)))
      tiles.write(home, own, value);
  });
  level.assign(earlier.begin(), earlier.end());
}

LogicalResult Aggregates::emit(tile::ReduceOp op) {
  if (llvm::failed(checkBody(op)))
    return llvm::failure();
  auto shape = llvm::cast<tile::TileType>(op.getOperands()[0].getType()).getShape();
  Row row{shape[op.getDim()], support::strideOf(shape, op.getDim())};
  int64_t elements = elementCountOf(op.getOperands()[0]);
  SmallVector<Home> level;
  for (Value operand : op.getOperands())
    level.push_back(tiles.homeOf(operand));
  for (; row.extent > 1; row.extent /= 2, elements /= 2)
    halve(op.getBody().front(), level, elements, row, plan.exchangeOf(op)->bytes);
  for (auto [home, result] : llvm::zip_equal(level, op.getResults()))
    tiles.forEachOwn(plan.layoutOf(elements), [&, &home = home, result = result](const Own &own) {
      tiles.write(result, own, tiles.read(home, own));
    });
  return llvm::success();
}

//===-- scan ----------------------------------------------------------------------------------===//

/// Rows in one piece, in shared memory: each is scanned by one thread. A row that is longer than
/// the window goes on where the last window has ended.
void Aggregates::scanWindow(tile::ScanOp op, Value window, int64_t size,
                            llvm::ArrayRef<Value> bases, llvm::ArrayRef<Home> carried) {
  auto shape = llvm::cast<tile::TileType>(op.getOperands()[0].getType()).getShape();
  int64_t extent = shape[op.getDim()], length = std::min(extent, size), rows = size / length;
  mlir::Block &body = op.getBody().front();
  auto elementType = [&](size_t k) { return elementTypeOf(op.getOperands()[k]); };
  Own only{b.i32(0), b.i32(0)};
  TileLayout rowsOfThreads = plan.layoutOf(rows);
  b.branch(tiles.isOwner(rowsOfThreads), [&] {
    b.forEach(0, rowsOfThreads.slots(), [&](Value slot) {
      Value row = b.add(b.times(slot, plan.threads), tiles.thread);
      Value isFirst =
          length == extent ? Value() : b.isEqual(b.modulo(window, extent / length), b.i32(0));
      SmallVector<Value> sums;
      for (size_t k = 0; k < bases.size(); ++k) {
        Value identity =
            b.constantElement(elementType(k), identityBits(op.getIdentities()[k], elementType(k)));
        sums.push_back(isFirst ? b.select(isFirst, identity, tiles.read(carried[k], only))
                               : identity);
      }
      sums = b.carry(0, length, sums, [&](Value at, mlir::ValueRange soFar) {
        Value number = b.add(b.times(row, length), at);
        SmallVector<Value> elements;
        for (size_t k = 0; k < bases.size(); ++k)
          elements.push_back(b.readWord(bases[k], elementType(k), number));
        SmallVector<Value> next = combine(body, elements, soFar);
        for (size_t k = 0; k < bases.size(); ++k)
          b.writeWord(bases[k], elementType(k), number, next[k]);
        return next;
      });
      if (isFirst)
        for (auto [home, sum] : llvm::zip_equal(carried, sums))
          tiles.write(home, only, sum);
    });
  });
}

LogicalResult Aggregates::emit(tile::ScanOp op) {
  if (llvm::failed(checkBody(op)))
    return llvm::failure();
  auto shape = llvm::cast<tile::TileType>(op.getOperands()[0].getType()).getShape();
  int64_t extent = shape[op.getDim()], run = support::strideOf(shape, op.getDim());
  const Exchange &exchange = *plan.exchangeOf(op);
  TileLayout layout = tiles.layoutOf(op.getOperands()[0]);
  // Elements in the order in which they are scanned, row after row.
  auto numberOf = [&](const Own &own) {
    Value inner = b.modulo(own.index, run), rest = b.dividedBy(own.index, run);
    Value at = b.modulo(rest, extent), outer = b.dividedBy(rest, extent);
    if (op.getReverse())
      at = arith::SubIOp::create(b, b.i32(extent - 1), at);
    return b.add(b.times(b.add(b.times(outer, run), inner), extent), at);
  };
  SmallVector<Home> carried;
  for (Value operand : op.getOperands())
    carried.push_back(tiles.newHome(elementTypeOf(operand), plan.layoutOf(1)));
  Own only{b.i32(0), b.i32(0)};
  for (const Home &home : carried)
    tiles.write(home, only, b.constantElement(home.elementType, 0));

  b.forEach(0, exchange.windows, [&](Value window) {
    b.barrier();
    SmallVector<Value> bases;
    int64_t offset = 0;
    for (Value operand : op.getOperands()) {
      bases.push_back(b.byteOffset(shared.base(), b.i64(offset)));
      auto element = [&](const Own &own) { return tiles.read(operand, own); };
      shared.writeWindow({layout, elementTypeOf(operand), element, numberOf}, bases.back(), window,
                         exchange.window, exchange.windows);
      offset += llvm::alignTo(exchange.window * wordBytes(elementTypeOf(operand)), 8);
    }
    b.barrier();
    scanWindow(op, window, exchange.window, bases, carried);
    b.barrier();
    tiles.forEachOwn(layout, [&](const Own &own) {
      Value number = numberOf(own);
      Value isThere =
          exchange.windows == 1 ? Value() : b.isEqual(b.dividedBy(number, exchange.window), window);
      b.branch(isThere, [&] {
        for (auto [base, result] : llvm::zip_equal(bases, op.getResults()))
          tiles.write(result, own,
                      b.readWord(base, elementTypeOf(result), b.modulo(number, exchange.window)));
      });
    });
  });
  return llvm::success();
}
