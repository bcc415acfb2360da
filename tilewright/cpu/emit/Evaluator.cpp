// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Evaluator.h.

#include "tilewright/cpu/emit/Evaluator.h"
#include "tilewright/analysis/Matmuls.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

/// Elements at a time: a vector register of words, and at least sixteen.
static constexpr int64_t laneCount = 16;

Value Evaluator::evaluate(Value tile, const Position &position) {
  if (!tileTypeOf(tile))
    return b.splat(frame.scalar(tile), position.width);
  if (Value known = cache.lookup(tile, position))
    return known;
  Value value = plan.home(tile) == Home::Fused ? evaluateOp(tile.getDefiningOp(), position)
                                               : buffers.read(tile, position);
  cache.insert(tile, position, value);
  return value;
}

SmallVector<Value> Evaluator::evaluateAll(mlir::ValueRange tiles, const Position &position) {
  SmallVector<Value> values;
  for (Value tile : tiles)
    values.push_back(evaluate(tile, position));
  return values;
}

void Evaluator::materialize(Value tile, Value base) {
  tile::TileType type = tileTypeOf(tile);
  b.forEach(type.getShape(), laneCount, [&](const Position &position) {
    buffers.write(base, type, position, evaluate(tile, position));
  });
}

Value Evaluator::evaluateOp(mlir::Operation *op, const Position &position) {
  return llvm::TypeSwitch<mlir::Operation *, Value>(op)
      .Case([&](tile::ConstantOp constant) {
        mlir::Type element = llvm::cast<tile::TileType>(constant.getType()).getElementType();
        return b.splat(b.constantBits(registerType(element), registerBits(constant, 0)),
                       position.width);
      })
      .Case([&](tile::IotaOp iota) { return evaluateIota(iota, position); })
      .Case([&](tile::BroadcastOp broadcast) { return evaluateBroadcast(broadcast, position); })
      .Case([&](tile::PermuteOp permute) { return evaluatePermute(permute, position); })
      .Case([&](tile::ExtractOp extract) { return evaluateExtract(extract, position); })
      .Case([&](tile::ReshapeOp reshape) { return evaluateReshape(reshape, position); })
      .Case([&](tile::AssumeOp assume) { return evaluate(assume.getValue(), position); })
      .Case([&](tile::LoadViewOp load) { return readLoad(load, position); })
      .Default([&](mlir::Operation *elementwise) {
        return calls.emit(elementwise, evaluateAll(elementwise->getOperands(), position));
      });
}

Value Evaluator::evaluateIota(tile::IotaOp op, const Position &position) {
  mlir::Type type = registerType(llvm::cast<tile::TileType>(op.getType()).getElementType());
  Value first = position.at[0];
  if (!type.isInteger(64))
    first = b.createOrFold<arith::TruncIOp>(type, first);
  if (position.width == 1)
    return first;
  SmallVector<mlir::Attribute> steps;
  for (int64_t i = 0; i < position.width; ++i)
    steps.push_back(
        mlir::IntegerAttr::get(type, llvm::APInt(type.getIntOrFloatBitWidth(), i, false, true)));
  auto vector = mlir::VectorType::get({position.width}, type);
  Value lanes = arith::ConstantOp::create(b, vector, mlir::DenseElementsAttr::get(vector, steps));
  return arith::AddIOp::create(b, b.splat(first, position.width), lanes);
}

//===-- Elements of another tile --------------------------------------------------------------===//

Value Evaluator::evaluateBroadcast(tile::BroadcastOp op, const Position &position) {
  Position source = position;
  for (auto [dim, extent] : llvm::enumerate(op.getSource().getType().getShape()))
    if (extent == 1) {
      source.at[dim] = b.i64(0);
      if (int64_t(dim) == position.lanes)
        source.width = 1; // all lanes are one element
    }
  Value value = evaluate(op.getSource(), source);
  return position.width == source.width ? value : b.splat(value, position.width);
}

Value Evaluator::evaluatePermute(tile::PermuteOp op, const Position &position) {
  Position source = position;
  for (auto [dim, from] : llvm::enumerate(op.getPermutation())) {
    source.at[from] = position.at[dim];
    if (int64_t(dim) == position.lanes)
      source.lanes = from;
  }
  return evaluate(op.getSource(), source);
}

Value Evaluator::evaluateExtract(tile::ExtractOp op, const Position &position) {
  Position source = position;
  for (auto [dim, index] : llvm::enumerate(op.getIndices()))
    source.at[dim] =
        b.add(position.at[dim], b.mul(b.zeroExtended(frame.scalar(index)),
                                      b.i64(op.getResult().getType().getShape()[dim])));
  return evaluate(op.getSource(), source);
}

Value Evaluator::evaluateReshape(tile::ReshapeOp op, const Position &position) {
  auto to = op.getResult().getType().getShape(), from = op.getSource().getType().getShape();
  if (analysis::keepsCoordinates(op)) {
    // Dimensions of several elements follow each other in the same order.
    Position source;
    source.width = position.width;
    size_t dim = 0;
    for (auto [i, extent] : llvm::enumerate(from)) {
      if (extent == 1) {
        source.at.push_back(b.i64(0));
        continue;
      }
      while (to[dim] == 1)
        ++dim;
      if (int64_t(dim) == position.lanes)
        source.lanes = i;
      source.at.push_back(position.at[dim++]);
    }
    return evaluate(op.getSource(), source);
  }
  // The source is in memory, where both have the same order.
  auto [linear, stride] = b.locate(to, position);
  return b.readWords(buffers.memoryOf(op.getSource()), op.getSource().getType().getElementType(),
                     linear, stride, position.width);
}
