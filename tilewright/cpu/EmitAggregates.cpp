// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are elements along a dimension combined? `reduce` goes through them in order, the
// results so far in registers; lanes are along another dimension where there is one, so
// that each lane has a result of its own. Along the last dimension, a body that commutes
// combines whole vectors in four chains, and in the end their lanes with each other; any
// other body goes element by element. `scan` is a left fold that starts from the identity.
// Both orders are among those that the specification allows (operations, 4.11 and 4.12),
// and depend on nothing but the shape.

#include "tilewright/cpu/Arithmetic.h"
#include "tilewright/cpu/Elements.h"
#include "tilewright/cpu/KernelEmitter.h"
#include "tilewright/numerics/Convert.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

//===-- Bodies --------------------------------------------------------------------------------===//

bool cpu::isElementwiseBody(mlir::Block &body) {
  return llvm::all_of(body.without_terminator(), [](mlir::Operation &op) {
    return llvm::isa<tile::ElementwiseOpInterface, tile::ConstantOp>(op) &&
           !tileTypeOf(op.getResult(0));
  });
}

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
    return known ? known : spread(scalar(value), width);
  };
  bool isElementwise = isElementwiseBody(body);
  if (!isElementwise)
    for (auto [argument, value] : values)
      scalars[argument] = value;
  for (mlir::Operation &op : body.without_terminator()) {
    if (!isElementwise || llvm::isa<tile::ConstantOp>(op)) {
      (void)emit(&op); // tiles of its own are as anywhere else
      continue;
    }
    SmallVector<Value> operands(llvm::map_range(op.getOperands(), get));
    values[op.getResult(0)] = emitElementwise(builder, target, &op, operands);
  }
  return SmallVector<Value>(llvm::map_range(body.getTerminator()->getOperands(), get));
}

/// Whether every result is one operation that commutes, on its own element and accumulator.
static bool commutes(mlir::Block &body) {
  for (auto [k, yielded] : llvm::enumerate(body.getTerminator()->getOperands())) {
    mlir::Operation *op = yielded.getDefiningOp();
    if (!op || op->getBlock() != &body ||
        !llvm::isa<tile::AddFOp, tile::MulFOp, tile::MaxFOp, tile::MinFOp, tile::AddIOp,
                   tile::MulIOp, tile::MaxIOp, tile::MinIOp, tile::AndIOp, tile::OrIOp,
                   tile::XOrIOp>(op))
      return false;
    Value element = body.getArgument(2 * k), accumulator = body.getArgument(2 * k + 1);
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    if (!(lhs == element && rhs == accumulator) && !(lhs == accumulator && rhs == element))
      return false;
  }
  return true;
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

/// `position` is that of the results.
SmallVector<Value> KernelEmitter::reduceInOrder(tile::ReduceOp op, Position position) {
  int64_t dim = op.getDim(), extent = tileTypeOf(op.getOperands()[0]).getShape()[dim];
  SmallVector<Value> first = evaluateAll(op.getOperands(), inserted(position, dim, i64(0)));
  if (extent == 1)
    return first;
  auto loop = mlir::scf::ForOp::create(builder, loc, i64(1), i64(extent), i64(1), first);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  size_t before = known.size();
  SmallVector<Value> elements =
      evaluateAll(op.getOperands(), inserted(position, dim, loop.getInductionVar()));
  forget(before);
  mlir::scf::YieldOp::create(builder, loc,
                             emitBody(op.getBody().front(), elements, loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

/// Vectors that are combined independently: additions take several cycles, but several can
/// be under way.
static constexpr int64_t chainCount = 4;

SmallVector<Value> KernelEmitter::reduceLanes(tile::ReduceOp op, Position position) {
  int64_t dim = op.getDim(), extent = tileTypeOf(op.getOperands()[0]).getShape()[dim];
  mlir::Block &body = op.getBody().front();
  int64_t width = std::min<int64_t>(16, extent);
  int64_t chains = std::min(chainCount, extent / width);
  auto chunk = [&](Value first, int64_t number) {
    Position at = inserted(position, dim, add(first, i64(number * width)));
    at.lanes = dim;
    at.width = width;
    return evaluateAll(op.getOperands(), at);
  };
  size_t count = op.getNumOperands();
  SmallVector<Value> sums; // of chain 0, of chain 1, ...
  for (int64_t chain = 0; chain < chains; ++chain)
    llvm::append_range(sums, chunk(i64(0), chain));
  if (chains * width < extent) {
    auto loop = mlir::scf::ForOp::create(builder, loc, i64(chains * width), i64(extent),
                                         i64(chains * width), sums);
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    size_t before = known.size();
    SmallVector<Value> next;
    for (int64_t chain = 0; chain < chains; ++chain)
      llvm::append_range(next, emitBody(body, chunk(loop.getInductionVar(), chain),
                                        loop.getRegionIterArgs().slice(chain * count, count)));
    forget(before);
    mlir::scf::YieldOp::create(builder, loc, next);
    sums.assign(loop.result_begin(), loop.result_end());
  }
  // The chains with each other, then the halves of what is left.
  for (; chains > 1; chains /= 2) {
    SmallVector<Value> next;
    llvm::ArrayRef<Value> all = sums;
    for (int64_t chain = 0; chain < chains / 2; ++chain)
      llvm::append_range(next, emitBody(body, all.slice((chain + chains / 2) * count, count),
                                        all.slice(chain * count, count)));
    sums = next;
  }
  for (; width > 1; width /= 2) {
    auto half = [&](int64_t first) {
      SmallVector<Value> halves;
      for (Value sum : sums)
        halves.push_back(width == 2
                             ? mlir::vector::ExtractOp::create(builder, loc, sum, first).getResult()
                             : mlir::vector::ExtractStridedSliceOp::create(
                                   builder, loc, sum, {first}, {width / 2}, {1})
                                   .getResult());
      return halves;
    };
    sums = emitBody(body, half(width / 2), half(0));
  }
  return sums;
}

LogicalResult KernelEmitter::emitReduce(tile::ReduceOp op) {
  mlir::Block &body = op.getBody().front();
  if (llvm::failed(checkBody(op, body)))
    return llvm::failure();
  auto shape = tileTypeOf(op.getOperands()[0]).getShape();
  SmallVector<int64_t> resultShape(shape);
  resultShape.erase(resultShape.begin() + op.getDim());
  bool isInnermost =
      llvm::all_of(shape.drop_front(op.getDim() + 1), [](int64_t extent) { return extent == 1; });
  bool acrossLanes = isInnermost && commutes(body) && shape[op.getDim()] > 1;
  forEach(resultShape,
          acrossLanes   ? 1
          : isInnermost ? 1
                        : 16,
          [&](const Position &position) {
            defineAll(op.getResults(), position,
                      acrossLanes ? reduceLanes(op, position) : reduceInOrder(op, position));
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

LogicalResult KernelEmitter::emitScan(tile::ScanOp op) {
  mlir::Block &body = op.getBody().front();
  if (llvm::failed(checkBody(op, body)))
    return llvm::failure();
  int64_t dim = op.getDim();
  auto shape = tileTypeOf(op.getOperands()[0]).getShape();
  SmallVector<int64_t> otherShape(shape);
  otherShape.erase(otherShape.begin() + dim);
  bool isInnermost =
      llvm::all_of(shape.drop_front(dim + 1), [](int64_t extent) { return extent == 1; });
  forEach(otherShape, isInnermost || !isElementwiseBody(body) ? 1 : 16,
          [&](const Position &position) {
            SmallVector<Value> identities;
            for (auto [operand, identity] : llvm::zip_equal(op.getOperands(), op.getIdentities())) {
              mlir::Type elementType = tileTypeOf(operand).getElementType();
              identities.push_back(spread(constantBits(builder, loc, registerType(elementType),
                                                       identityBits(identity, elementType)),
                                          position.width));
            }
            auto loop =
                mlir::scf::ForOp::create(builder, loc, i64(0), i64(shape[dim]), i64(1), identities);
            mlir::OpBuilder::InsertionGuard guard(builder);
            builder.setInsertionPointToStart(loop.getBody());
            Value at = loop.getInductionVar();
            if (op.getReverse())
              at = arith::SubIOp::create(builder, loc, i64(shape[dim] - 1), at);
            Position here = inserted(position, dim, at);
            size_t before = known.size();
            SmallVector<Value> sums =
                emitBody(body, evaluateAll(op.getOperands(), here), loop.getRegionIterArgs());
            forget(before);
            defineAll(op.getResults(), here, sums);
            mlir::scf::YieldOp::create(builder, loc, sums);
          });
  return llvm::success();
}
