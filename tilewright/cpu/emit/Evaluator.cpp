// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Evaluator.h.

#include "tilewright/cpu/emit/Evaluator.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/elementwise/Literals.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

Value Evaluator::evaluate(Value tile, const Position &position) {
  if (!tileTypeOf(tile))
    return b.splat(frame.scalar(tile), position.width);
  if (Value known = cache.lookup(tile, position))
    return known;
  // Values in registers are computed again at another position, namely where a row of pointers
  // begins.
  mlir::Operation *op = tile.getDefiningOp();
  Placement placement = plan.placements.of(tile);
  bool isComputed =
      placement == Placement::Fused || (placement == Placement::InLoop && canFuse(op));
  Value value = isComputed ? evaluateOp(op, position) : buffers.read(tile, position);
  cache.insert(tile, position, value);
  return value;
}

SmallVector<Value> Evaluator::evaluateAll(mlir::ValueRange tiles, const Position &position) {
  SmallVector<Value> values;
  for (Value tile : tiles)
    values.push_back(evaluate(tile, position));
  return values;
}

/// Whether the tile is a constant whose bits are all 0.
static bool isAllZeros(Value tile, const Placements &placements) {
  auto constant = tile.getDefiningOp<tile::ConstantOp>();
  return constant && placements.of(tile) == Placement::Fused && registerBits(constant, 0) == 0;
}

void Evaluator::forEach(llvm::ArrayRef<int64_t> shape,
                        llvm::function_ref<void(const Position &)> body) {
  b.forEach(shape, plan.tileLanes, body);
}

void Evaluator::materialize(Value tile, Value base) {
  tile::TileType type = tileTypeOf(tile);
  if (isAllZeros(tile, plan.placements)) { // a memset takes no loops to compile
    mlir::LLVM::MemsetOp::create(b, base, b.constantBits(b.getI8Type(), 0),
                                 b.i64(bufferBytes(type)), /*isVolatile=*/false);
    return;
  }
  forEach(type.getShape(), [&](const Position &position) {
    buffers.write(base, type, position, evaluate(tile, position));
  });
}

Value Evaluator::evaluateOp(mlir::Operation *op, const Position &position) {
  return llvm::TypeSwitch<mlir::Operation *, Value>(op)
      .Case([&](tile::ConstantOp constant) { return b.splatOf(constant, position.width); })
      .Case([&](tile::IotaOp iota) { return evaluateIota(iota, position); })
      .Case([&](tile::ExtractOp extract) { return evaluateExtract(extract, position); })
      .Case([&](tile::RearrangementOpInterface moved) { return evaluateMoved(moved, position); })
      .Case([&](tile::AssumeOp assume) { return evaluate(assume.getValue(), position); })
      .Case<tile::LoadViewOp, tile::LoadPtrOp>(
          [&](mlir::Operation *load) { return readLoad(load, position); })
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

//===-- Rearrangements ------------------------------------------------------------------------===//

/// Also works for scalars, which have no dimensions.
static llvm::ArrayRef<int64_t> shapeOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getShape();
}

/// The source position of the elements at a position of the result, if each dimension of the result
/// maps to one of the source, or repeats an element. Repeated lanes collapse into one.
static std::optional<Position> sourcePosition(LoopBuilder &b, tile::RearrangementOpInterface op,
                                              const Position &position) {
  auto to = shapeOf(op->getResult(0)), from = shapeOf(op.getMoved());
  auto strides = support::rowMajorStrides<SmallVector<int64_t>>(from);
  Position source;
  source.at.resize(from.size());
  source.width = position.width;
  for (auto [dim, step] : llvm::enumerate(op.getElementSteps())) {
    if (to[dim] == 1)
      continue;
    bool isLanes = int64_t(dim) == position.lanes;
    if (step == 0) {
      source.width = isLanes ? 1 : source.width;
      continue;
    }
    size_t along = 0;
    while (along < from.size() && (from[along] != to[dim] || strides[along] != step))
      ++along;
    if (along == from.size())
      return std::nullopt;
    source.at[along] = position.at[dim];
    source.lanes = isLanes ? along : source.lanes;
  }
  for (Value &at : source.at)
    at = at ? at : b.i64(0);
  return source;
}

Value Evaluator::evaluateMoved(tile::RearrangementOpInterface op, const Position &position) {
  Value moved = op.getMoved();
  if (std::optional<Position> source = sourcePosition(b, op, position)) {
    Value value = evaluate(moved, *source);
    return position.width == source->width ? value : b.splat(value, position.width);
  }
  // The source is in memory, in the same order as the reshaped tile.
  auto [linear, stride] = b.locate(shapeOf(op->getResult(0)), position);
  return b.readWords(buffers.memoryOf(moved), tileTypeOf(moved).getElementType(), linear, stride,
                     position.width);
}

Value Evaluator::evaluateExtract(tile::ExtractOp op, const Position &position) {
  Position source = position;
  for (auto [dim, index] : llvm::enumerate(op.getIndices()))
    source.at[dim] =
        b.add(position.at[dim], b.mul(b.zeroExtended(frame.scalar(index)),
                                      b.i64(op.getResult().getType().getShape()[dim])));
  return evaluate(op.getSource(), source);
}
