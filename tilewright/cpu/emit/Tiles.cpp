// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is an element of a tile? `evaluate` answers for any tile and position: it reads the
// tile's buffer, or computes the operation that makes it from its operands at the positions
// that it needs. What was computed at the same position of the same loop body is remembered.

#include "tilewright/analysis/Matmuls.h"
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

//===-- Words in memory -----------------------------------------------------------------------===//

Value KernelEmitter::arenaAddress(int64_t offset) { return b.byteAddress(arena, b.i64(offset)); }

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
    return b.readWords(bufferAddress(tile), type.getElementType(), position.at[*rowDim], 1,
                       position.width);
  auto [linear, stride] = b.locate(type.getShape(), position);
  return b.readWords(memoryOf(tile), type.getElementType(), linear, stride, position.width);
}

void KernelEmitter::writeBuffer(Value base, tile::TileType type, const Position &position,
                                Value value) {
  auto [linear, stride] = b.locate(type.getShape(), position);
  b.writeWords(base, type.getElementType(), linear, stride, value);
}

void KernelEmitter::writeTile(Value tile, Position position, Value value) {
  while (tile::CatOp cat = catOf(tile)) {
    if (tile == cat.getRhs())
      position.at[cat.getDim()] =
          b.add(position.at[cat.getDim()], b.i64(cat.getLhs().getType().getShape()[cat.getDim()]));
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
    global = globals.constantBytes("constant", bytes, Plan::alignment);
  }
  return LLVM::AddressOfOp::create(b, global);
}

//===-- Evaluation ----------------------------------------------------------------------------===//

Value KernelEmitter::evaluate(Value tile, const Position &position) {
  if (!tileTypeOf(tile))
    return b.splat(scalar(tile), position.width);
  if (Value known = cache.lookup(tile, position))
    return known;
  Value value = plan->home(tile) == Home::Fused ? evaluateOp(tile.getDefiningOp(), position)
                                                : readBuffer(tile, position);
  cache.insert(tile, position, value);
  return value;
}

/// The source at a position of its own; if the lanes fall together there, one element for all.
Value KernelEmitter::evaluateCollapsed(Value source, const Position &position, int64_t width) {
  return position.width == width ? evaluate(source, position)
                                 : b.splat(evaluate(source, position), width);
}

Value KernelEmitter::evaluateOp(mlir::Operation *op, const Position &position) {
  using mlir::Operation;
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](tile::ConstantOp constant) {
        mlir::Type element = llvm::cast<tile::TileType>(constant.getType()).getElementType();
        uint64_t bits = registerBits(valuesOf(constant), element, 0);
        return b.splat(b.constantBits(registerType(element), bits), position.width);
      })
      .Case([&](tile::IotaOp iota) {
        mlir::Type type = registerType(llvm::cast<tile::TileType>(iota.getType()).getElementType());
        Value first = position.at[0];
        if (!type.isInteger(64))
          first = b.createOrFold<arith::TruncIOp>(type, first);
        if (position.width == 1)
          return first;
        llvm::SmallVector<mlir::Attribute> steps;
        for (int64_t i = 0; i < position.width; ++i)
          steps.push_back(mlir::IntegerAttr::get(
              type, llvm::APInt(type.getIntOrFloatBitWidth(), i, false, true)));
        auto vector = mlir::VectorType::get({position.width}, type);
        Value lanes =
            arith::ConstantOp::create(b, vector, mlir::DenseElementsAttr::get(vector, steps));
        return Value(arith::AddIOp::create(b, b.splat(first, position.width), lanes));
      })
      .Case([&](tile::BroadcastOp broadcast) {
        Position source = position;
        for (auto [dim, extent] : llvm::enumerate(broadcast.getSource().getType().getShape()))
          if (extent == 1) {
            source.at[dim] = b.i64(0);
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
              b.add(position.at[dim], b.mul(b.zeroExtended(scalar(index)),
                                            b.i64(extract.getResult().getType().getShape()[dim])));
        return evaluate(extract.getSource(), source);
      })
      .Case([&](tile::AssumeOp assume) { return evaluate(assume.getValue(), position); })
      .Case([&](tile::ReshapeOp reshape) { return evaluateReshape(reshape, position); })
      .Case([&](tile::LoadViewOp load) { return evaluateLoad(load, position); })
      .Default([&](Operation *elementwise) {
        llvm::SmallVector<Value> operands;
        for (Value operand : elementwise->getOperands())
          operands.push_back(evaluate(operand, position));
        return calls.emit(b, target, elementwise, operands);
      });
}

Value KernelEmitter::evaluateReshape(tile::ReshapeOp op, const Position &position) {
  Shape to = op.getResult().getType().getShape(), from = op.getSource().getType().getShape();
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
  return b.readWords(memoryOf(op.getSource()), op.getSource().getType().getElementType(), linear,
                     stride, position.width);
}

//===-- Tiles that have a buffer --------------------------------------------------------------===//

/// Elements at a time: a vector register of words, and at least sixteen.
static constexpr int64_t laneCount = 16;

void KernelEmitter::materialise(Value tile, Value base) {
  tile::TileType type = tileTypeOf(tile);
  b.forEach(type.getShape(), laneCount, [&](const Position &position) {
    writeBuffer(base, type, position, evaluate(tile, position));
  });
}

llvm::LogicalResult KernelEmitter::emitCat(tile::CatOp op) {
  int64_t before = 0;
  for (Value part : {Value(op.getLhs()), Value(op.getRhs())}) {
    Shape shape = tileTypeOf(part).getShape();
    if (!catOf(part)) // else it is there already
      b.forEach(shape, laneCount, [&](const Position &position) {
        Position to = position;
        to.at[op.getDim()] = b.add(position.at[op.getDim()], b.i64(before));
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
  mlir::Type byte = b.getI8Type();
  auto bits = [&](uint64_t value) { return b.constantBits(byte, value); };
  if (int64_t count = elementsPerByte(from); count > 1) {
    b.forEach(to.getShape(), 1, [&](const Position &position) {
      Value first = b.mul(position.at[0], b.i64(count)), all = bits(0);
      for (int64_t i = 0; i < count; ++i) {
        Value one = b.readWords(in, byte, b.add(first, b.i64(i)), 1, 1);
        one = arith::ShLIOp::create(b, one, bits(i * 8 / count));
        all = arith::OrIOp::create(b, all, one);
      }
      b.writeWords(out, byte, position.at[0], 1, all);
    });
  } else if (int64_t count = elementsPerByte(to); count > 1) {
    b.forEach(from.getShape(), 1, [&](const Position &position) {
      Value all = b.readWords(in, byte, position.at[0], 1, 1),
            first = b.mul(position.at[0], b.i64(count));
      for (int64_t i = 0; i < count; ++i) {
        Value one = arith::ShRUIOp::create(b, all, bits(i * 8 / count));
        one = arith::AndIOp::create(b, one, bits((1 << (8 / count)) - 1));
        b.writeWords(out, byte, b.add(first, b.i64(i)), 1, one);
      }
    });
  } else {
    LLVM::MemcpyOp::create(b, out, in, b.i64(bufferBytes(from)), /*isVolatile=*/false);
    if (llvm::isa<mlir::FloatTF32Type>(to.getElementType()))
      b.forEach(to.getShape(), 1, [&](const Position &position) {
        mlir::Type word = b.getI32Type();
        Value all = b.readWords(out, word, position.at[0], 1, 1);
        Value kept = b.constantBits(word, 0xFFFFE000);
        b.writeWords(out, word, position.at[0], 1, arith::AndIOp::create(b, all, kept));
      });
  }
  return llvm::success();
}
