// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scans.h.

#include "tilewright/cpu/emit/Scans.h"
#include "tilewright/analysis/Combiners.h"
#include "tilewright/cpu/Remarks.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/numerics/Convert.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

/// The bits of an identity as an element; one of type f16 may stand for one of bf16, and the other
/// way round (operations, 4.11).
static uint64_t identityBits(mlir::Attribute identity, mlir::Type elementType) {
  numerics::Format format = *tile::formatOf(elementType);
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(identity)) {
    uint64_t bits = number.getValue().bitcastToAPInt().getZExtValue();
    numerics::Format from = *tile::formatOf(number.getType());
    numerics::Element element = numerics::Element::fromBits(from, bits);
    if (from != format)
      element = numerics::floatToFloat(element, format);
    return element.bits;
  }
  return llvm::cast<mlir::IntegerAttr>(identity).getValue().getSExtValue();
}

Value Scans::identityOf(tile::ScanOp op, size_t operand, int64_t width) {
  mlir::Type elementType = tileTypeOf(op.getOperands()[operand]).getElementType();
  uint64_t bits = identityBits(op.getIdentities()[operand], elementType);
  return b.splat(b.constantElement(elementType, bits), width);
}

/// A register of elements: a scan combines them with each other before it adds what comes before.
static int64_t chunkOf(tile::ScanOp op, int64_t width, const Target &target) {
  mlir::Type type = tileTypeOf(op.getOperands()[0]).getElementType();
  int64_t bytes = target.vectorBytes == 64 ? 64 : 32;
  return std::min(width, bytes / wordBytes(type));
}

void Scans::begin(const InnerLoop &loop, int64_t width) {
  scanned.clear();
  for (mlir::Operation *step : loop.members)
    if (auto scan = llvm::dyn_cast<tile::ScanOp>(step)) {
      int64_t chunk = chunkOf(scan, width, target);
      remark(scan->getLoc(), llvm::Twine("scan: by vectors of ") + llvm::Twine(chunk) +
                                 " elements, whose lanes are combined at distances 1, 2, 4, ...");
      scanned[scan] = identityOf(scan, 0, chunk);
    }
}

SmallVector<Value> Scans::accumulators() const {
  return llvm::to_vector(llvm::make_second_range(scanned));
}

void Scans::setAccumulators(mlir::ValueRange values) {
  for (auto [entry, soFar] : llvm::zip_equal(scanned, values))
    entry.second = soFar;
}

/// Whether the body gives any element back where what is accumulated is 0. It is one operation on
/// its element and accumulator, in any order. Three samples tell sums, unions and unsigned maxima
/// from products, intersections, minima and signed maxima, which are all that there are.
static bool isZeroIdentity(mlir::Block &body) {
  Value result = body.getTerminator()->getOperand(0);
  auto combine = llvm::cast<tile::ElementwiseOpInterface>(result.getDefiningOp());
  numerics::Format format =
      *tile::formatOf(llvm::cast<tile::TileType>(result.getType()).getElementType());
  auto element = [&](uint64_t bits) { return numerics::Element::fromBits(format, bits); };
  uint64_t sign = uint64_t(1) << (numerics::info(format).bits - 1);
  return llvm::all_of(llvm::ArrayRef<uint64_t>{1, sign, sign | 1}, [&](uint64_t bits) {
    numerics::Element sum = combine.evalElement({element(bits), element(0)});
    return !sum.poison && sum.bits == bits;
  });
}

/// Each lane with those before it. First every lane has its own element, then what comes to it
/// from the one before, then from the two before that, ...
Value Scans::scanChunk(tile::ScanOp op, Value elements) {
  mlir::Block &body = op.getBody().front();
  auto type = llvm::cast<mlir::VectorType>(elements.getType());
  int64_t width = type.getNumElements();
  auto laneAt = [&](int64_t number) { return op.getReverse() ? width - 1 - number : number; };
  bool fillsIn = isZeroIdentity(body);
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
    Value combined = bodies.emit(body, elements, before)[0];
    if (!fillsIn) {
      Value isThere = arith::ConstantOp::create(b, b.getBoolVectorAttr(has));
      combined = arith::SelectOp::create(b, isThere, combined, elements);
    }
    elements = combined;
  }
  return elements;
}

/// Chunk after chunk, each with all that was before it.
Value Scans::scanLanes(tile::ScanOp op, Value elements) {
  mlir::Block &body = op.getBody().front();
  auto type = llvm::cast<mlir::VectorType>(elements.getType());
  int64_t chunk = chunkOf(op, type.getNumElements(), target), count = type.getNumElements() / chunk;
  Value &soFar = scanned[op], result = b.constantBits(type, 0);
  for (int64_t number = 0; number < count; ++number) {
    int64_t first = (op.getReverse() ? count - 1 - number : number) * chunk;
    Value mine = mlir::vector::ExtractStridedSliceOp::create(b, elements, {first}, {chunk}, {1});
    mine = scanChunk(op, mine);
    Value last = mlir::vector::ExtractOp::create(b, mine, op.getReverse() ? 0 : chunk - 1);
    Value sums = bodies.emit(body, mine, soFar)[0];
    // The same as the last of the sums, without waiting for them.
    soFar = bodies.emit(body, b.splat(last, chunk), soFar)[0];
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
        sums = bodies.emit(body, evaluator.evaluateAll(op.getOperands(), here), soFar);
      }
      defineAll(frame, buffers, op.getResults(), here, sums);
      return sums;
    });
  });
}
