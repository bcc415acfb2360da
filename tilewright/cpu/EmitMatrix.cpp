// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are matrices multiplied? Each sum is a chain of fused multiply-adds with k ascending,
// that starts from the accumulator and is kept in f32, f64 or i32: the bits of the reference
// machine (arithmetic, 4.30 to 4.32). A block of rows and vectors of columns, as many as
// registers can hold, goes through all of k before it is written. Factors of narrower
// formats are converted beforehand, once per element, into scratch memory.

#include "tilewright/cpu/ArithmeticFormats.h"
#include "tilewright/cpu/Elements.h"
#include "tilewright/cpu/KernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::LogicalResult;
using llvm::SmallVector;
using mlir::Value;
using numerics::Format;
namespace arith = mlir::arith;

/// A product of matrices, maybe one of several that lie one behind the other.
struct KernelEmitter::Product {
  mlir::Operation *op;
  int64_t batches, m, n, k;
  mlir::Type chain;             ///< In which sums are kept.
  mlir::Type factor;            ///< To which factors are converted.
  Value lhs, rhs;               ///< Where they are.
  int64_t rows, vectors, width; ///< A block of sums: rows times vectors of so many columns.
};

//===-- Factors -------------------------------------------------------------------------------===//

mlir::Type cpu::factorType(mlir::Operation *mma) {
  mlir::MLIRContext *context = mma->getContext();
  mlir::Type element = llvm::cast<tile::TileType>(mma->getOperand(0).getType()).getElementType();
  if (llvm::isa<tile::MmaIOp>(mma))
    return mlir::IntegerType::get(context, 32);
  // A scaled factor may be outside of the range of f32.
  if (llvm::isa<tile::MmaFScaledOp>(mma) || element.isF64())
    return mlir::Float64Type::get(context);
  return mlir::Float32Type::get(context);
}

/// Whether the words of the operand are what the sums need.
static bool isFactor(mlir::Operation *mma, unsigned operand) {
  auto type = llvm::cast<tile::TileType>(mma->getOperand(operand).getType());
  return !llvm::isa<tile::MmaFScaledOp>(mma) &&
         registerType(type.getElementType()) == factorType(mma);
}

int64_t cpu::factorScratchBytes(mlir::Operation *mma) {
  int64_t bytes = 0;
  for (unsigned operand : {0, 1})
    if (!isFactor(mma, operand)) {
      auto type = llvm::cast<tile::TileType>(mma->getOperand(operand).getType());
      bytes += llvm::alignTo(type.getNumElements() * factorType(mma).getIntOrFloatBitWidth() / 8,
                             Plan::alignment);
    }
  return bytes;
}

/// The operand's elements as factors: where they are, or converted into scratch memory.
Value KernelEmitter::factorsInMemory(const Product &product, unsigned operand, int64_t &offset) {
  mlir::Operation *op = product.op;
  Value tile = op->getOperand(operand);
  if (isFactor(op, operand))
    return plan->home(tile) == Home::Constant
               ? constantAddress(tile.getDefiningOp<tile::ConstantOp>())
               : bufferAddress(tile);

  tile::TileType type = tileTypeOf(tile);
  Format format = *tile::formatOf(type.getElementType());
  Value to = arenaAddress(offset);
  offset += llvm::alignTo(type.getNumElements() * product.factor.getIntOrFloatBitWidth() / 8,
                          Plan::alignment);
  auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(op);
  Value scale = scaled ? (operand == 0 ? scaled.getLhsScale() : scaled.getRhsScale()) : Value();
  // One scale for a block of elements along k.
  int64_t along = type.getRank() - (operand == 0 ? 1 : 2);
  int64_t block = scale ? type.getShape()[along] / tileTypeOf(scale).getShape()[along] : 1;
  auto wide = [&](Value element, Format from, Value like) -> Value {
    Value single = widen(builder, loc, target, from, element);
    if (!product.factor.isF64())
      return single;
    return arith::ExtFOp::create(builder, loc, shapedLike(product.factor, like.getType()), single);
  };
  bool scalesPerLane = scale && operand == 0;
  forEach(type.getShape(), scalesPerLane ? std::min<int64_t>(block, 16) : 16,
          [&](const Position &position) {
            Value element = evaluate(tile, position), factor;
            if (auto mma = llvm::dyn_cast<tile::MmaIOp>(op)) {
              auto sign = operand == 0 ? mma.getSignednessLhs() : mma.getSignednessRhs();
              mlir::Type type = shapedLike(product.factor, element.getType());
              factor = sign == tile::Signedness::Signed
                           ? Value(arith::ExtSIOp::create(builder, loc, type, element))
                           : Value(arith::ExtUIOp::create(builder, loc, type, element));
            } else {
              factor = wide(element, format, element);
            }
            if (scale) {
              Position at = position;
              at.at[along] =
                  builder.createOrFold<arith::DivUIOp>(loc, position.at[along], i64(block));
              Format scaleFormat = *tile::formatOf(tileTypeOf(scale).getElementType());
              if (position.width > 1 && position.lanes == along)
                at.width = 1; // the lanes share a scale
              Value one = evaluate(scale, at);
              one = wide(one, scaleFormat, one);
              if (at.width != position.width)
                one = spread(one, position.width);
              factor = arith::MulFOp::create(builder, loc, factor, one);
            }
            auto [linear, stride] = locate(type.getShape(), position);
            writeWords(to, product.factor, linear, stride, factor);
          });
  return to;
}

//===-- Sums ----------------------------------------------------------------------------------===//

/// round(lhs * rhs + sum).
static Value step(mlir::OpBuilder &builder, mlir::Location loc, const Target &target, Value lhs,
                  Value rhs, Value sum, bool productIsExactInF64) {
  if (llvm::isa<mlir::IntegerType>(mlir::getElementTypeOrSelf(sum))) {
    Value product = arith::MulIOp::create(builder, loc, lhs, rhs);
    return arith::AddIOp::create(builder, loc, sum, product);
  }
  bool isMixed = lhs.getType() != sum.getType();
  if (!isMixed && (target.hasFma || !productIsExactInF64))
    return mlir::math::FmaOp::create(builder, loc, lhs, rhs, sum);
  // A product of few bits is exact in f64, and so far from the sum or so close to it that
  // adding in f64 does not disturb the rounding to f32.
  mlir::Type wide = shapedLike(builder.getF64Type(), sum.getType());
  auto widened = [&](Value value) -> Value {
    return value.getType() == wide ? value
                                   : arith::ExtFOp::create(builder, loc, wide, value).getResult();
  };
  Value product = arith::MulFOp::create(builder, loc, widened(lhs), widened(rhs));
  Value exact = arith::AddFOp::create(builder, loc, widened(sum), product);
  return arith::TruncFOp::create(builder, loc, sum.getType(), exact);
}

KernelEmitter::Product KernelEmitter::productOf(mlir::Operation *op) {
  auto lhs = tileTypeOf(op->getOperand(0)).getShape(),
       rhs = tileTypeOf(op->getOperand(1)).getShape();
  size_t rank = lhs.size();
  Product product{op,
                  rank == 3 ? lhs[0] : 1,
                  lhs[rank - 2],
                  rhs[rank - 1],
                  lhs[rank - 1],
                  {},
                  factorType(op),
                  {},
                  {},
                  1,
                  1,
                  1};
  product.chain = product.factor.isF64() && llvm::isa<tile::MmaFScaledOp>(op) ? builder.getF32Type()
                                                                              : product.factor;
  int64_t offset = plan->hasScratch(op) ? plan->scratchOffset(op) : 0;
  product.lhs = factorsInMemory(product, 0, offset);
  product.rhs = factorsInMemory(product, 1, offset);

  // Sixteen registers of sums of thirty-two, or eight of sixteen.
  int64_t lanes = target.vectorBytes / (product.factor.getIntOrFloatBitWidth() / 8);
  product.width = std::min(product.n, lanes);
  product.vectors = std::min<int64_t>(product.n / product.width, target.hasAvx512 ? 4 : 2);
  product.rows = std::min<int64_t>(product.m, 4);
  return product;
}

/// The sums of rows * vectors * width elements from `corner` (batch, row, column) on.
void KernelEmitter::multiplyTile(const Product &product, llvm::ArrayRef<Value> corner) {
  mlir::Operation *op = product.op;
  tile::TileType type = tileTypeOf(op->getResult(0));
  Format format = *tile::formatOf(type.getElementType());
  bool isNarrow = registerType(type.getElementType()) != product.chain;
  auto position = [&](int64_t row, int64_t vector) {
    Position at;
    if (type.getRank() == 3)
      at.at.push_back(corner[0]);
    at.at.append({add(corner[1], i64(row)), add(corner[2], i64(vector * product.width))});
    at.lanes = at.at.size() - 1;
    at.width = product.width;
    return at;
  };
  SmallVector<Value> sums;
  for (int64_t row = 0; row < product.rows; ++row)
    for (int64_t vector = 0; vector < product.vectors; ++vector) {
      Value sum = evaluate(op->getOperand(2), position(row, vector));
      sums.push_back(isNarrow ? widen(builder, loc, target, format, sum) : sum);
    }

  Value lhs = add(mul(add(mul(corner[0], i64(product.m)), corner[1]), i64(product.k)), i64(0));
  Value rhs = add(mul(corner[0], i64(product.k * product.n)), corner[2]);
  bool exactInF64 = registerType(tileTypeOf(op->getOperand(0)).getElementType()) != product.factor;
  int64_t unroll = std::min<int64_t>(product.k, 4);
  auto loop = mlir::scf::ForOp::create(builder, loc, i64(0), i64(product.k), i64(unroll), sums);
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next(loop.getRegionIterArgs());
    for (int64_t i = 0; i < unroll; ++i) {
      Value k = add(loop.getInductionVar(), i64(i));
      SmallVector<Value> columns;
      for (int64_t vector = 0; vector < product.vectors; ++vector)
        columns.push_back(readWords(
            product.rhs, product.factor,
            add(add(rhs, mul(k, i64(product.n))), i64(vector * product.width)), 1, product.width));
      for (int64_t row = 0; row < product.rows; ++row) {
        Value element =
            readWords(product.lhs, product.factor, add(add(lhs, i64(row * product.k)), k), 1, 1);
        Value repeated = spread(element, product.width);
        for (int64_t vector = 0; vector < product.vectors; ++vector) {
          Value &sum = next[row * product.vectors + vector];
          sum = step(builder, loc, target, repeated, columns[vector], sum, exactInF64);
        }
      }
    }
    mlir::scf::YieldOp::create(builder, loc, next);
  }
  Value base = bufferAddress(op->getResult(0));
  for (int64_t row = 0; row < product.rows; ++row)
    for (int64_t vector = 0; vector < product.vectors; ++vector) {
      Value sum = loop.getResult(row * product.vectors + vector);
      writeBuffer(base, type, position(row, vector),
                  isNarrow ? narrow(builder, loc, target, format, sum) : sum);
    }
}

LogicalResult KernelEmitter::emitMma(mlir::Operation *op) {
  Product product = productOf(op);
  // Columns outside: a panel of rhs stays in the cache while all rows go over it.
  mlir::OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value, 3> corner(3);
  auto loop = [&](unsigned which, int64_t extent, int64_t by) {
    if (extent == by) {
      corner[which] = i64(0);
      return;
    }
    auto loop = mlir::scf::ForOp::create(builder, loc, i64(0), i64(extent), i64(by));
    builder.setInsertionPointToStart(loop.getBody());
    corner[which] = loop.getInductionVar();
  };
  loop(0, product.batches, 1);
  loop(2, product.n, product.vectors * product.width);
  loop(1, product.m, product.rows);
  multiplyTile(product, corner);
  known.clear();
  return llvm::success();
}
