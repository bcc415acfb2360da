// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scans.h.

#include "tilewright/cpu/emit/folds/Scans.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/elementwise/Literals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

Value Scans::identityOf(tile::ScanOp op, size_t operand, int64_t width) {
  mlir::Type elementType = tileTypeOf(op.getOperands()[operand]).getElementType();
  uint64_t bits = identityBits(op.getIdentities()[operand], elementType);
  return b.splat(b.constantElement(elementType, bits), width);
}

Scans::Prefixes Scans::identitiesOf(const InnerLoop &loop) {
  Prefixes identities;
  for (mlir::Operation *step : loop.members)
    if (auto scan = llvm::dyn_cast<tile::ScanOp>(step))
      identities[scan] = identityOf(scan, 0, plan.folds.find(scan)->second.width);
  return identities;
}

/// The prefixes within a chunk, in log2 steps: each lane first combines with the one before it,
/// then with the result two lanes before, and so on.
Value Scans::scanChunk(tile::ScanOp op, Value elements) {
  mlir::Block &body = op.getBody().front();
  auto type = llvm::cast<mlir::VectorType>(elements.getType());
  int64_t width = type.getNumElements();
  auto laneAt = [&](int64_t number) { return op.getReverse() ? width - 1 - number : number; };
  std::optional<uint64_t> neutral = plan.folds.find(op)->second.neutral;
  for (int64_t distance = 1; distance < width; distance *= 2) {
    SmallVector<int64_t> from(width);
    SmallVector<bool> has(width);
    for (int64_t number = 0; number < width; ++number) {
      bool isThere = number >= distance;
      from[laneAt(number)] =
          laneAt((number + width - distance) % width) + (isThere || !neutral ? 0 : width);
      has[laneAt(number)] = isThere;
    }
    Value filling = neutral ? b.constantBits(type, *neutral) : elements;
    Value before = mlir::vector::ShuffleOp::create(b, elements, filling, from);
    Value combined = bodies.emit(body, elements, before)[0];
    if (!neutral) {
      Value isThere = arith::ConstantOp::create(b, b.getBoolVectorAttr(has));
      combined = arith::SelectOp::create(b, isThere, combined, elements);
    }
    elements = combined;
  }
  return elements;
}

/// Scans chunk by chunk, each with the prefix of all earlier ones.
Value Scans::scanLanes(tile::ScanOp op, Value elements, Value &prefix) {
  mlir::Block &body = op.getBody().front();
  auto type = llvm::cast<mlir::VectorType>(elements.getType());
  int64_t chunk = plan.folds.find(op)->second.width, count = type.getNumElements() / chunk;
  Value result = b.constantBits(type, 0);
  for (int64_t number = 0; number < count; ++number) {
    int64_t first = (op.getReverse() ? count - 1 - number : number) * chunk;
    Value mine = mlir::vector::ExtractStridedSliceOp::create(b, elements, {first}, {chunk}, {1});
    mine = scanChunk(op, mine);
    Value last = mlir::vector::ExtractOp::create(b, mine, op.getReverse() ? 0 : chunk - 1);
    Value sums = bodies.emit(body, mine, prefix)[0];
    // Equal to the last prefix, but does not wait for it.
    prefix = bodies.emit(body, b.splat(last, chunk), prefix)[0];
    if (count == 1)
      return sums;
    result = mlir::vector::InsertStridedSliceOp::create(b, sums, result, {first}, {1});
  }
  return result;
}

void Scans::emit(tile::ScanOp op) {
  mlir::Block &body = op.getBody().front();
  int64_t dim = op.getDim();
  auto shape = tileTypeOf(op.getOperands()[0]).getShape();
  SmallVector<int64_t> otherShape(shape);
  otherShape.erase(otherShape.begin() + dim);
  b.forEach(otherShape, plan.folds.find(op)->second.width, [&](const Position &position) {
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
        sums = bodies.emit(body, evaluator.evaluateAll(op.getOperands(), here), soFar);
      }
      defineAll(frame, buffers, op.getResults(), here, sums);
      return sums;
    });
  });
}
