// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are elements along a dimension combined? Where the order does not matter, `reduce` goes
// through them one after the other, the result so far in a register, or is a step of a group
// (FusionGroups.cpp). Where it does, neighbours are combined first, as on the reference machine.
// Lanes are along another dimension where there is one, so that each lane has a result of
// its own. `scan` is a left fold that starts from the identity; along rows, where the order
// does not matter, it goes vector by vector, as a step of a group. The specification allows
// these orders (operations, 4.11 and 4.12); they depend on nothing but the shape.

#include "tilewright/analysis/Combiners.h"
#include "tilewright/cpu/Remarks.h"
#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Scratch.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/numerics/Convert.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

//===-- Bodies --------------------------------------------------------------------------------===//

/// Whatever is pure may be in a body (operations, 4.11); nothing of it can fail to be emitted.
LogicalResult KernelEmitter::checkBody(mlir::Operation *op, mlir::Block &body) {
  for (mlir::Operation &inner : body.without_terminator())
    if (!llvm::isa<tile::ElementwiseOpInterface, tile::ConstantOp, tile::IotaOp, tile::BroadcastOp,
                   tile::ReshapeOp, tile::PermuteOp, tile::ExtractOp, tile::CatOp, tile::PackOp,
                   tile::UnpackOp, tile::MmaFOp, tile::MmaIOp, tile::MmaFScaledOp,
                   tile::GetTileBlockIdOp, tile::GetNumTileBlocksOp, tile::GetGlobalOp,
                   tile::MakeTokenOp, tile::JoinTokensOp>(inner))
      return unsupported(&inner, "this operation in the body of " + op->getName().stripDialect());
  for (mlir::Type type : body.getTerminator()->getOperandTypes())
    if (llvm::cast<tile::TileType>(type).getRank() != 0)
      return unsupported(op, "a body that yields a tile of rank other than 0");
  return llvm::success();
}

SmallVector<Value> KernelEmitter::emitBody(mlir::Block &body, mlir::ValueRange elements,
                                           mlir::ValueRange accumulators) {
  llvm::DenseMap<Value, Value> values;
  for (size_t k = 0; k < elements.size(); ++k) {
    values[body.getArgument(2 * k)] = elements[k];
    values[body.getArgument(2 * k + 1)] = accumulators[k];
  }
  auto vector = llvm::dyn_cast<mlir::VectorType>(elements.front().getType());
  int64_t width = vector ? vector.getNumElements() : 1;
  auto get = [&](Value value) {
    Value known = values.lookup(value);
    return known ? known : b.splat(scalar(value), width);
  };
  bool isElementwise = analysis::isElementwiseBody(body);
  if (!isElementwise)
    for (auto [argument, value] : values)
      scalars[argument] = value;
  for (mlir::Operation &op : body.without_terminator()) {
    if (!isElementwise || llvm::isa<tile::ConstantOp>(op)) {
      (void)emit(&op); // tiles of its own are as anywhere else
      continue;
    }
    SmallVector<Value> operands(llvm::map_range(op.getOperands(), get));
    values[op.getResult(0)] = calls.emit(b, target, &op, operands);
  }
  return SmallVector<Value>(llvm::map_range(body.getTerminator()->getOperands(), get));
}

//===-- Common steps --------------------------------------------------------------------------===//

SmallVector<Value> KernelEmitter::evaluateAll(mlir::ValueRange tiles, const Position &position) {
  SmallVector<Value> values;
  for (Value tile : tiles)
    values.push_back(evaluate(tile, position));
  return values;
}

void KernelEmitter::defineAll(mlir::ValueRange results, const Position &position,
                              mlir::ValueRange values) {
  for (auto [result, value] : llvm::zip_equal(results, values)) {
    if (tile::TileType type = tileTypeOf(result))
      writeBuffer(bufferAddress(result), type, position, value);
    else
      scalars[result] = value;
  }
}

/// The position of an operand's element, from that of a result and the place along `dim`.
static Position inserted(Position position, int64_t dim, Value at) {
  position.at.insert(position.at.begin() + dim, at);
  if (position.lanes >= dim)
    ++position.lanes;
  return position;
}

//===-- reduce --------------------------------------------------------------------------------===//

/// One element after the other. `position` is that of the results.
SmallVector<Value> KernelEmitter::reduceInOrder(tile::ReduceOp op, Position position) {
  int64_t dim = op.getDim(), extent = tileTypeOf(op.getOperands()[0]).getShape()[dim];
  SmallVector<Value> first = evaluateAll(op.getOperands(), inserted(position, dim, b.i64(0)));
  if (extent == 1)
    return first;
  auto loop = mlir::scf::ForOp::create(b, b.i64(1), b.i64(extent), b.i64(1), first);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> elements;
  {
    ValueCache::Scope scope(cache);
    elements = evaluateAll(op.getOperands(), inserted(position, dim, loop.getInductionVar()));
  }
  mlir::scf::YieldOp::create(b, emitBody(op.getBody().front(), elements, loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

/// By a tree: neighbours with each other, the earlier one as accumulator, then the results of
/// those, and so on. That is the order of the reference machine.
SmallVector<Value> KernelEmitter::reduceByTree(tile::ReduceOp op, Position position) {
  int64_t dim = op.getDim(), extent = tileTypeOf(op.getOperands()[0]).getShape()[dim];
  if (extent == 1)
    return evaluateAll(op.getOperands(), inserted(position, dim, b.i64(0)));
  mlir::Block &body = op.getBody().front();
  int64_t width = position.width;
  SmallVector<Value> levels; // where the results of a level are, for each operand
  int64_t offset = plan->scratchOffset(op);
  for (Value operand : op.getOperands()) {
    levels.push_back(arenaAddress(offset));
    mlir::Type type = tileTypeOf(operand).getElementType();
    offset += llvm::alignTo(extent / 2 * treeWidth(op) * wordBytes(type), Plan::alignment);
  }
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
    writeLevel(number, emitBody(body, later, earlier));
  };

  b.forEachFrom(0, extent / 2, 1, [&](Value number) {
    pair(number,
         [&](Value at) { return evaluateAll(op.getOperands(), inserted(position, dim, at)); });
  });
  // What is written lies before what is still to be read.
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

LogicalResult KernelEmitter::emitReduce(tile::ReduceOp op) {
  SmallVector<int64_t> resultShape(tileTypeOf(op.getOperands()[0]).getShape());
  resultShape.erase(resultShape.begin() + op.getDim());
  bool inOrder = analysis::isOrderFree(op.getBody().front());
  b.forEach(resultShape, treeWidth(op), [&](const Position &position) {
    defineAll(op.getResults(), position,
              inOrder ? reduceInOrder(op, position) : reduceByTree(op, position));
  });
  return llvm::success();
}

//===-- scan ----------------------------------------------------------------------------------===//

/// The register form of an identity; one of type f16 may stand for one of bf16, and the other
/// way round (operations, 4.11).
static uint64_t identityBits(mlir::Attribute identity, mlir::Type elementType) {
  numerics::Format format = *tile::formatOf(elementType);
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(identity)) {
    uint64_t bits = number.getValue().bitcastToAPInt().getZExtValue();
    numerics::Format from = *tile::formatOf(number.getType());
    numerics::Element element = numerics::Element::fromBits(from, bits);
    if (from != format)
      element = numerics::floatToFloat(element, format);
    return element.bits << (format == numerics::Format::TF32 ? 13 : 0);
  }
  return llvm::cast<mlir::IntegerAttr>(identity).getValue().getSExtValue();
}

Value KernelEmitter::identityOf(tile::ScanOp op, size_t operand, int64_t width) {
  mlir::Type elementType = tileTypeOf(op.getOperands()[operand]).getElementType();
  uint64_t bits = identityBits(op.getIdentities()[operand], elementType);
  return b.splat(b.constantBits(registerType(elementType), bits), width);
}

/// A register of elements: a scan combines them with each other before it adds what comes before.
static int64_t chunkOf(tile::ScanOp op, int64_t width, const Target &target) {
  mlir::Type type = tileTypeOf(op.getOperands()[0]).getElementType();
  int64_t bytes = target.vectorBytes == 64 ? 64 : 32;
  return std::min(width, bytes / wordBytes(type));
}

void KernelEmitter::beginScans(const Run &run, int64_t width) {
  scanned.clear();
  for (mlir::Operation *step : run.steps)
    if (auto scan = llvm::dyn_cast<tile::ScanOp>(step)) {
      int64_t chunk = chunkOf(scan, width, target);
      remark(scan->getLoc(), llvm::Twine("scan: by vectors of ") + llvm::Twine(chunk) +
                                 " elements, whose lanes are combined at distances 1, 2, 4, ...");
      scanned[scan] = identityOf(scan, 0, chunk);
    }
}

/// Whether the body gives any element back where what is accumulated is 0.
static bool isZeroNeutral(mlir::Block &body) {
  return llvm::isa<tile::AddIOp, tile::OrIOp, tile::XOrIOp>(
      body.getTerminator()->getOperand(0).getDefiningOp());
}

/// Each lane with those before it. First every lane has its own element, then what comes to it
/// from the one before, then from the two before that, ...
Value KernelEmitter::scanChunk(tile::ScanOp op, Value elements) {
  mlir::Block &body = op.getBody().front();
  auto type = llvm::cast<mlir::VectorType>(elements.getType());
  int64_t width = type.getNumElements();
  auto laneAt = [&](int64_t number) { return op.getReverse() ? width - 1 - number : number; };
  bool fillsIn = isZeroNeutral(body);
  for (int64_t distance = 1; distance < width; distance *= 2) {
    SmallVector<int64_t> from(width);
    SmallVector<bool> has(width);
    for (int64_t number = 0; number < width; ++number) {
      bool isThere = number >= distance;
      from[laneAt(number)] =
          laneAt((number + width - distance) % width) + (isThere || !fillsIn ? 0 : width);
      has[laneAt(number)] = isThere;
    }
    Value filling = fillsIn ? b.constantBits(type, 0) : elements;
    Value before = mlir::vector::ShuffleOp::create(b, elements, filling, from);
    Value combined = emitBody(body, elements, before)[0];
    if (!fillsIn) {
      Value isThere = arith::ConstantOp::create(b, b.getBoolVectorAttr(has));
      combined = arith::SelectOp::create(b, isThere, combined, elements);
    }
    elements = combined;
  }
  return elements;
}

/// Chunk after chunk, each with all that was before it.
Value KernelEmitter::scanLanes(tile::ScanOp op, Value elements) {
  mlir::Block &body = op.getBody().front();
  auto type = llvm::cast<mlir::VectorType>(elements.getType());
  int64_t chunk = chunkOf(op, type.getNumElements(), target), count = type.getNumElements() / chunk;
  Value &soFar = scanned[op], result = b.constantBits(type, 0);
  for (int64_t number = 0; number < count; ++number) {
    int64_t first = (op.getReverse() ? count - 1 - number : number) * chunk;
    Value mine = mlir::vector::ExtractStridedSliceOp::create(b, elements, {first}, {chunk}, {1});
    mine = scanChunk(op, mine);
    Value last = mlir::vector::ExtractOp::create(b, mine, op.getReverse() ? 0 : chunk - 1);
    Value sums = emitBody(body, mine, soFar)[0];
    // The same as the last of the sums, without waiting for them.
    soFar = emitBody(body, b.splat(last, chunk), soFar)[0];
    if (count == 1)
      return sums;
    result = mlir::vector::InsertStridedSliceOp::create(b, sums, result, {first}, {1});
  }
  return result;
}

LogicalResult KernelEmitter::emitScan(tile::ScanOp op) {
  mlir::Block &body = op.getBody().front();
  int64_t dim = op.getDim();
  auto shape = tileTypeOf(op.getOperands()[0]).getShape();
  SmallVector<int64_t> otherShape(shape);
  otherShape.erase(otherShape.begin() + dim);
  bool oneByOne = lastWideDimension(shape) <= dim || !analysis::isElementwiseBody(body);
  remark(op->getLoc(), oneByOne ? "scan: element after element"
                                : "scan: one after the other, with lanes along another dimension");
  b.forEach(otherShape, oneByOne ? 1 : 16, [&](const Position &position) {
    SmallVector<Value> identities;
    for (size_t operand = 0; operand < op.getNumOperands(); ++operand)
      identities.push_back(identityOf(op, operand, position.width));
    b.carryFrom(0, shape[dim], 1, identities, [&](Value at, mlir::ValueRange soFar) {
      if (op.getReverse())
        at = arith::SubIOp::create(b, b.i64(shape[dim] - 1), at);
      Position here = inserted(position, dim, at);
      SmallVector<Value> sums;
      {
        ValueCache::Scope scope(cache);
        sums = emitBody(body, evaluateAll(op.getOperands(), here), soFar);
      }
      defineAll(op.getResults(), here, sums);
      return sums;
    });
  });
  return llvm::success();
}
