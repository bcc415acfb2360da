// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is an element of a tile? `evaluate` answers for any tile and position: it reads the
// tile's buffer, or computes the operation that makes it from its operands at the positions
// that it needs. What was computed at the same position of the same loop body is remembered.

#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

using Shape = llvm::ArrayRef<int64_t>;

//===-- Nests ---------------------------------------------------------------------------------===//

void KernelEmitter::forEach(Shape shape, int64_t lanes,
                            llvm::function_ref<void(const Position &)> body, int64_t laneDim) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  Position position;
  position.lanes = laneDim >= 0 ? laneDim : lastWideDimension(shape);
  position.width = position.lanes >= 0 ? std::min(lanes, shape[position.lanes]) : 1;
  size_t before = known.size();
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    int64_t step = int64_t(dim) == position.lanes ? position.width : 1;
    if (step == extent) {
      position.at.push_back(i64(0));
      continue;
    }
    auto loop = mlir::scf::ForOp::create(builder, loc, i64(0), i64(extent), i64(step));
    position.at.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  // What the surrounding body knows is known here; what becomes known here is not outside.
  body(position);
  forget(before);
}

void KernelEmitter::forEachFrom(int64_t first, int64_t end, int64_t step,
                                llvm::function_ref<void(Value)> body) {
  if (first + step == end)
    return body(i64(first));
  auto loop = mlir::scf::ForOp::create(builder, loc, i64(first), i64(end), i64(step));
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

llvm::SmallVector<Value> KernelEmitter::carryFrom(
    int64_t first, int64_t end, int64_t step, llvm::ArrayRef<Value> carried,
    llvm::function_ref<llvm::SmallVector<Value>(Value, mlir::ValueRange)> body) {
  if (first == end)
    return llvm::to_vector(carried);
  if (first + step == end)
    return body(i64(first), carried);
  auto loop = mlir::scf::ForOp::create(builder, loc, i64(first), i64(end), i64(step), carried);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  llvm::SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty()) // else it is there
    mlir::scf::YieldOp::create(builder, loc, next);
  return llvm::SmallVector<Value>(loop.getResults());
}

//===-- Words in memory -----------------------------------------------------------------------===//

Value KernelEmitter::readWords(Value base, mlir::Type elementType, Value linear, int64_t stride,
                               int64_t width) {
  mlir::Type word = wordType(elementType);
  unsigned bytes = wordBytes(elementType);
  Value address = wordAddress(base, word, linear);
  if (width == 1 || stride == 1) {
    mlir::Type type = width == 1 ? word : mlir::Type(mlir::VectorType::get({width}, word));
    Value words = LLVM::LoadOp::create(builder, loc, type, address, bytes);
    return fromWord(builder, loc, words, elementType);
  }
  llvm::SmallVector<Value> lanes;
  for (int64_t i = 0; i < width; ++i)
    lanes.push_back(LLVM::LoadOp::create(builder, loc, word,
                                         wordAddress(address, word, i64(i * stride)), bytes));
  Value words = mlir::vector::FromElementsOp::create(builder, loc,
                                                     mlir::VectorType::get({width}, word), lanes);
  return fromWord(builder, loc, words, elementType);
}

void KernelEmitter::writeWords(Value base, mlir::Type elementType, Value linear, int64_t stride,
                               Value value) {
  mlir::Type word = wordType(elementType);
  unsigned bytes = wordBytes(elementType);
  Value words = toWord(builder, loc, value), address = wordAddress(base, word, linear);
  auto vector = llvm::dyn_cast<mlir::VectorType>(words.getType());
  if (!vector || stride == 1) {
    LLVM::StoreOp::create(builder, loc, words, address, bytes);
    return;
  }
  for (int64_t i = 0; i < vector.getNumElements(); ++i)
    LLVM::StoreOp::create(builder, loc, mlir::vector::ExtractOp::create(builder, loc, words, i),
                          wordAddress(address, word, i64(i * stride)), bytes);
}

std::pair<Value, int64_t> KernelEmitter::locate(Shape shape, const Position &position) {
  auto strides = support::rowMajorStrides<llvm::SmallVector<int64_t>>(shape);
  Value linear = i64(0);
  for (auto [at, stride] : llvm::zip_equal(position.at, strides))
    linear = add(linear, mul(at, i64(stride)));
  return {linear, position.width == 1 ? 1 : strides[position.lanes]};
}

Value KernelEmitter::bufferAddress(Value tile) { return arenaAddress(plan->offsetOf(tile)); }

Value KernelEmitter::memoryOf(Value tile) {
  tile = plan->reshapedFrom(tile);
  return plan->home(tile) == Home::Constant
             ? constantAddress(tile.getDefiningOp<tile::ConstantOp>())
             : bufferAddress(tile);
}

Value KernelEmitter::readBuffer(Value tile, const Position &position) {
  tile::TileType type = tileTypeOf(tile);
  assert(plan->home(tile) != Home::Loop && "known where it is computed, and read nowhere else");
  if (std::optional<unsigned> rowDim = plan->rowOnly(tile))
    return readWords(bufferAddress(tile), type.getElementType(), position.at[*rowDim], 1,
                     position.width);
  auto [linear, stride] = locate(type.getShape(), position);
  return readWords(memoryOf(tile), type.getElementType(), linear, stride, position.width);
}

void KernelEmitter::writeBuffer(Value base, tile::TileType type, const Position &position,
                                Value value) {
  auto [linear, stride] = locate(type.getShape(), position);
  writeWords(base, type.getElementType(), linear, stride, value);
}

void KernelEmitter::writeTile(Value tile, Position position, Value value) {
  while (tile::CatOp cat = catOf(tile)) {
    if (tile == cat.getRhs())
      position.at[cat.getDim()] =
          add(position.at[cat.getDim()], i64(cat.getLhs().getType().getShape()[cat.getDim()]));
    tile = cat.getResult();
  }
  writeBuffer(bufferAddress(tile), tileTypeOf(tile), position, value);
}

//===-- Constants -----------------------------------------------------------------------------===//

/// The register form's bits of element i; tf32 is kept in the upper 19 bits of an f32.
static uint64_t registerBits(mlir::DenseElementsAttr values, mlir::Type elementType, int64_t i) {
  if (llvm::isa<mlir::FloatType>(elementType)) {
    uint64_t bits = values.getValues<llvm::APFloat>()[i].bitcastToAPInt().getZExtValue();
    return llvm::isa<mlir::FloatTF32Type>(elementType) ? bits << 13 : bits;
  }
  return values.getValues<llvm::APInt>()[i].getZExtValue();
}

static mlir::DenseElementsAttr valuesOf(tile::ConstantOp op) {
  return llvm::cast<mlir::DenseElementsAttr>(op.getValue());
}

Value KernelEmitter::constantAddress(tile::ConstantOp op) {
  LLVM::GlobalOp &global = constants[op];
  if (!global) {
    mlir::Type element = llvm::cast<tile::TileType>(op.getType()).getElementType();
    std::string bytes;
    int64_t count = llvm::cast<tile::TileType>(op.getType()).getNumElements();
    for (int64_t i = 0; i < count; ++i) {
      uint64_t bits = registerBits(valuesOf(op), element, i);
      for (int64_t byte = 0; byte < wordBytes(element); ++byte)
        bytes += char(bits >> (8 * byte));
    }
    global = constantBytes("constant", bytes, Plan::alignment);
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

//===-- Evaluation ----------------------------------------------------------------------------===//

Value KernelEmitter::spread(Value scalar, int64_t width) {
  if (width == 1)
    return scalar;
  return mlir::vector::BroadcastOp::create(
      builder, loc, mlir::VectorType::get({width}, scalar.getType()), scalar);
}

Value KernelEmitter::counting(int64_t width) {
  llvm::SmallVector<int64_t> steps(width);
  std::iota(steps.begin(), steps.end(), 0);
  return arith::ConstantOp::create(builder, loc, builder.getI64VectorAttr(steps));
}

static bool isSame(const Position &a, const Position &b) {
  auto sameValue = [](Value x, Value y) {
    if (x == y)
      return true;
    llvm::APInt first, second;
    return mlir::matchPattern(x, mlir::m_ConstantInt(&first)) &&
           mlir::matchPattern(y, mlir::m_ConstantInt(&second)) && first == second;
  };
  return a.width == b.width && (a.width == 1 || a.lanes == b.lanes) &&
         llvm::equal(a.at, b.at, sameValue);
}

Value KernelEmitter::evaluate(Value tile, const Position &position) {
  if (!tileTypeOf(tile))
    return spread(scalar(tile), position.width);
  for (const Known &entry : known)
    if (entry.tile == tile && isSame(entry.position, position))
      return entry.value;
  Value value = plan->home(tile) == Home::Fused ? evaluateOp(tile.getDefiningOp(), position)
                                                : readBuffer(tile, position);
  known.push_back({tile, position, value});
  return value;
}

/// The source at a position of its own; if the lanes fall together there, one element for all.
Value KernelEmitter::evaluateCollapsed(Value source, const Position &position, int64_t width) {
  return position.width == width ? evaluate(source, position)
                                 : spread(evaluate(source, position), width);
}

Value KernelEmitter::evaluateOp(mlir::Operation *op, const Position &position) {
  using mlir::Operation;
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](tile::ConstantOp constant) {
        mlir::Type element = llvm::cast<tile::TileType>(constant.getType()).getElementType();
        uint64_t bits = registerBits(valuesOf(constant), element, 0);
        return spread(constantBits(builder, loc, registerType(element), bits), position.width);
      })
      .Case([&](tile::IotaOp iota) {
        mlir::Type type = registerType(llvm::cast<tile::TileType>(iota.getType()).getElementType());
        Value first = position.at[0];
        if (!type.isInteger(64))
          first = builder.createOrFold<arith::TruncIOp>(loc, type, first);
        if (position.width == 1)
          return first;
        llvm::SmallVector<mlir::Attribute> steps;
        for (int64_t i = 0; i < position.width; ++i)
          steps.push_back(mlir::IntegerAttr::get(
              type, llvm::APInt(type.getIntOrFloatBitWidth(), i, false, true)));
        auto vector = mlir::VectorType::get({position.width}, type);
        Value lanes = arith::ConstantOp::create(builder, loc, vector,
                                                mlir::DenseElementsAttr::get(vector, steps));
        return Value(arith::AddIOp::create(builder, loc, spread(first, position.width), lanes));
      })
      .Case([&](tile::BroadcastOp broadcast) {
        Position source = position;
        for (auto [dim, extent] : llvm::enumerate(broadcast.getSource().getType().getShape()))
          if (extent == 1) {
            source.at[dim] = i64(0);
            if (int64_t(dim) == position.lanes)
              source.width = 1;
          }
        return evaluateCollapsed(broadcast.getSource(), source, position.width);
      })
      .Case([&](tile::PermuteOp permute) {
        Position source = position;
        for (auto [dim, from] : llvm::enumerate(permute.getPermutation())) {
          source.at[from] = position.at[dim];
          if (int64_t(dim) == position.lanes)
            source.lanes = from;
        }
        return evaluate(permute.getSource(), source);
      })
      .Case([&](tile::ExtractOp extract) {
        Position source = position;
        for (auto [dim, index] : llvm::enumerate(extract.getIndices()))
          source.at[dim] =
              add(position.at[dim], mul(zeroExtended(scalar(index)),
                                        i64(extract.getResult().getType().getShape()[dim])));
        return evaluate(extract.getSource(), source);
      })
      .Case([&](tile::AssumeOp assume) { return evaluate(assume.getValue(), position); })
      .Case([&](tile::ReshapeOp reshape) { return evaluateReshape(reshape, position); })
      .Case([&](tile::LoadViewOp load) { return evaluateLoad(load, position); })
      .Default([&](Operation *elementwise) {
        llvm::SmallVector<Value> operands;
        for (Value operand : elementwise->getOperands())
          operands.push_back(evaluate(operand, position));
        return calls.emit(builder, target, elementwise, operands);
      });
}

Value KernelEmitter::evaluateReshape(tile::ReshapeOp op, const Position &position) {
  Shape to = op.getResult().getType().getShape(), from = op.getSource().getType().getShape();
  if (keepsCoordinates(op)) {
    // Dimensions of several elements follow each other in the same order.
    Position source;
    source.width = position.width;
    size_t dim = 0;
    for (auto [i, extent] : llvm::enumerate(from)) {
      if (extent == 1) {
        source.at.push_back(i64(0));
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
  auto [linear, stride] = locate(to, position);
  return readWords(memoryOf(op.getSource()), op.getSource().getType().getElementType(), linear,
                   stride, position.width);
}

//===-- Tiles that have a buffer --------------------------------------------------------------===//

/// Elements at a time: a vector register of words, and at least sixteen.
static constexpr int64_t laneCount = 16;

void KernelEmitter::materialise(Value tile, Value base) {
  tile::TileType type = tileTypeOf(tile);
  forEach(type.getShape(), laneCount, [&](const Position &position) {
    writeBuffer(base, type, position, evaluate(tile, position));
  });
}

llvm::LogicalResult KernelEmitter::emitCat(tile::CatOp op) {
  int64_t before = 0;
  for (Value part : {Value(op.getLhs()), Value(op.getRhs())}) {
    Shape shape = tileTypeOf(part).getShape();
    if (!catOf(part)) // else it is there already
      forEach(shape, laneCount, [&](const Position &position) {
        Position to = position;
        to.at[op.getDim()] = add(position.at[op.getDim()], i64(before));
        writeTile(op.getResult(), to, evaluate(part, position));
      });
    before += shape[op.getDim()];
  }
  return llvm::success();
}

/// Elements of one byte together: i1 and f4E2M1FN (arithmetic, 4.29); 1 for the others.
static int64_t elementsPerByte(tile::TileType type) {
  unsigned bits = numerics::info(*tile::formatOf(type.getElementType())).bits;
  return bits < 8 ? 8 / bits : 1;
}

/// `pack` and `unpack`: the words of a buffer are the bytes, but where elements share one.
llvm::LogicalResult KernelEmitter::emitBytes(mlir::Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  tile::TileType from = tileTypeOf(source), to = tileTypeOf(result);
  Value in = memoryOf(source);
  Value out = bufferAddress(result);
  mlir::Type byte = builder.getI8Type();
  auto bits = [&](uint64_t value) { return constantBits(builder, loc, byte, value); };
  if (int64_t count = elementsPerByte(from); count > 1) {
    forEach(to.getShape(), 1, [&](const Position &position) {
      Value first = mul(position.at[0], i64(count)), all = bits(0);
      for (int64_t i = 0; i < count; ++i) {
        Value one = readWords(in, byte, add(first, i64(i)), 1, 1);
        one = arith::ShLIOp::create(builder, loc, one, bits(i * 8 / count));
        all = arith::OrIOp::create(builder, loc, all, one);
      }
      writeWords(out, byte, position.at[0], 1, all);
    });
  } else if (int64_t count = elementsPerByte(to); count > 1) {
    forEach(from.getShape(), 1, [&](const Position &position) {
      Value all = readWords(in, byte, position.at[0], 1, 1),
            first = mul(position.at[0], i64(count));
      for (int64_t i = 0; i < count; ++i) {
        Value one = arith::ShRUIOp::create(builder, loc, all, bits(i * 8 / count));
        one = arith::AndIOp::create(builder, loc, one, bits((1 << (8 / count)) - 1));
        writeWords(out, byte, add(first, i64(i)), 1, one);
      }
    });
  } else {
    LLVM::MemcpyOp::create(builder, loc, out, in, i64(bufferBytes(from)), /*isVolatile=*/false);
    if (llvm::isa<mlir::FloatTF32Type>(to.getElementType()))
      forEach(to.getShape(), 1, [&](const Position &position) {
        mlir::Type word = builder.getI32Type();
        Value all = readWords(out, word, position.at[0], 1, 1);
        Value kept = constantBits(builder, loc, word, 0xFFFFE000);
        writeWords(out, word, position.at[0], 1, arith::AndIOp::create(builder, loc, all, kept));
      });
  }
  return llvm::success();
}
