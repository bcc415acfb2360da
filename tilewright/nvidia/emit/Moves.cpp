// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Moves.h.

#include "tilewright/nvidia/emit/Moves.h"
#include "tilewright/elementwise/Arithmetic.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/elementwise/Literals.h"
#include "tilewright/nvidia/emit/FastMath.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

static tile::TileType typeOf(Value value) { return llvm::cast<tile::TileType>(value.getType()); }

//===-- Elements ------------------------------------------------------------------------------===//

void Moves::emit(tile::ConstantOp op) {
  if (isRecomputed(op.getResult()))
    return;
  auto values = llvm::dyn_cast<mlir::DenseElementsAttr>(mlir::Attribute(op.getValue()));
  if (values && !values.isSplat())
    return emitLiterals(op);
  mlir::Type word = registerType(typeOf(op).getElementType());
  Value element = b.constantBits(word, registerBits(op, 0));
  tiles.forEachOwn(tiles.layoutOf(op), [&](const Own &own) { tiles.write(op, own, element); });
}

/// Loads the elements from an array in global memory.
void Moves::emitLiterals(tile::ConstantOp op) {
  LLVM::GlobalOp global;
  {
    auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<mlir::ModuleOp>();
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    std::string bytes = wordsOf(op);
    std::string name = b.symbols.next("tw_literal");
    global = LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
                                    /*isConstant=*/true, LLVM::Linkage::Internal, name,
                                    b.getStringAttr(bytes), /*alignment=*/16, GlobalSpace);
  }
  Value base = LLVM::AddressOfOp::create(b, global);
  tiles.forEachOwn(tiles.layoutOf(op), [&](const Own &own) {
    tiles.write(op, own, b.readWord(base, typeOf(op).getElementType(), own.index));
  });
}

/// Only assumptions about scalars from which view addresses are computed (types, 8.1).
void Moves::emitAssumption(tile::AssumeOp op) {
  auto divBy = llvm::dyn_cast<tile::DivByAttr>(op.getPredicate());
  if (!divBy || !isScalar(op.getValue()))
    return;
  Value value = tiles.scalar(op.getValue());
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  if (bits < 64 && divBy.getDivisor() >> bits)
    return;
  Value rest = b.modulo(value, divBy.getDivisor());
  b.assume(b.isEqual(rest, b.constantBits(value.getType(), 0)));
}

void Moves::emitElement(mlir::Operation *op, const Own &own) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(tiles.read(operand, own));
  Value element =
      llvm::isa<tile::AssumeOp>(op) ? operands[0] : emitFunction(b, plan.target, op, operands);
  if (!element)
    element = emitElementwise(b, plan.target, op, operands);
  tiles.write(op->getResult(0), own, element);
}

void Moves::emitElements(llvm::ArrayRef<mlir::Operation *> ops,
                         llvm::function_ref<void(int64_t)> before) {
  Value first = ops.front()->getResult(0);
  if (!llvm::isa<tile::TileType>(first.getType()))
    return; // an assumption about a token
  if (auto assumption = llvm::dyn_cast<tile::AssumeOp>(ops.front()))
    emitAssumption(assumption);
  int64_t slot = 0;
  tiles.forEachOwn(tiles.layoutOf(first), [&](const Own &own) {
    before(slot++);
    for (mlir::Operation *op : ops) {
      b.setPlace(op->getLoc());
      emitElement(op, own);
    }
  });
}

//===-- Rearrangements of one tile ------------------------------------------------------------===//

/// Maps the register bits of the result to those of the source.
static Value sourceSlot(ThreadBuilder &b, Value slot,
                        llvm::ArrayRef<std::pair<unsigned, unsigned>> bits) {
  Value source = b.i32(0);
  for (auto [from, to] : bits)
    source = b.add(source,
                   b.times(b.modulo(b.dividedBy(slot, int64_t(1) << from), 2), int64_t(1) << to));
  return source;
}

void Moves::emit(tile::RearrangementOpInterface op) {
  Value source = op.getMoved(), result = op->getResult(0);
  if (isRecomputed(result))
    return;
  TileLayout layout = tiles.layoutOf(result);
  if (elementCountOf(source) == 1) {
    Value only = tiles.read(source, {b.i32(0), b.i32(0)});
    tiles.forEachOwn(layout, [&](const Own &own) { tiles.write(result, own, only); });
    return;
  }
  if (auto bits = slotBitsWithinThread(plan, op); bits && !isRecomputed(source)) {
    tiles.forEachOwn(layout, [&](const Own &own) {
      tiles.write(result, own, tiles.read(source, {sourceSlot(b, own.slot, *bits), own.index}));
    });
    return;
  }
  Value part = b.i32(0);
  for (auto [selector, step] : llvm::zip_equal(op.getSelectors(), op.getSelectorSteps()))
    part = b.add(part, b.times(tiles.scalar(selector), step));
  int64_t count = elementCountOf(source);
  auto number = [&](const Own &own) {
    Value number = part;
    for (auto [at, step] : llvm::zip_equal(
             tiles.coordinatesOf(own.index, typeOf(result).getShape()), op.getElementSteps()))
      number = b.add(number, b.times(at, step));
    // A slice that does not exist is undefined; the number wraps around, so that no other memory is
    // read.
    return op.getSelectors().empty() ? number : b.modulo(number, count);
  };
  auto receive = [&](const Own &own, Value element) { tiles.write(result, own, element); };
  SmallVector<int> sourceBits = sourceBitsOf(op).value_or(SmallVector<int>());
  shared.gather(source, {{layout, number, receive, nullptr, sourceBits}}, bytesOf(op));
}

//===-- Rearrangements of two tiles -----------------------------------------------------------===//

static Value numberOf(ThreadBuilder &b, llvm::ArrayRef<Value> coordinates,
                      llvm::ArrayRef<int64_t> shape) {
  auto strides = support::rowMajorStrides<SmallVector<int64_t>>(shape);
  Value number = b.i32(0);
  for (auto [at, stride] : llvm::zip_equal(coordinates, strides))
    number = b.add(number, b.times(at, stride));
  return number;
}

void Moves::emit(tile::CatOp op) {
  Value result = op.getResult();
  auto shape = typeOf(result).getShape();
  int64_t dim = op.getDim(), before = 0;
  for (Value part : {Value(op.getLhs()), Value(op.getRhs())}) {
    auto partShape = typeOf(part).getShape();
    auto along = [&](const Own &own) {
      SmallVector<Value> at = tiles.coordinatesOf(own.index, shape);
      at[dim] = b.add(at[dim], b.i32(-before));
      return at;
    };
    auto number = [&](const Own &own) { return numberOf(b, along(own), partShape); };
    auto isPart = [&](const Own &own) { return b.isBelow(along(own)[dim], b.i32(partShape[dim])); };
    auto receive = [&](const Own &own, Value element) { tiles.write(result, own, element); };
    shared.gather(part, {{tiles.layoutOf(result), number, receive, isPart}}, bytesOf(op));
    before += partShape[dim];
  }
}

void Moves::emit(tile::InsertOp op) {
  Value result = op.getResult(), source = op.getSource();
  TileLayout layout = tiles.layoutOf(result);
  tiles.forEachOwn(layout, [&](const Own &own) {
    tiles.write(result, own, tiles.read(op.getDestination(), own));
  });
  if (isScalar(result))
    return tiles.define(result, tiles.scalar(source));
  auto shape = typeOf(result).getShape(), part = typeOf(source).getShape();
  auto number = [&](const Own &own) {
    SmallVector<Value> at = tiles.coordinatesOf(own.index, shape);
    for (auto [coordinate, extent] : llvm::zip_equal(at, part))
      coordinate = b.modulo(coordinate, extent);
    return numberOf(b, at, part);
  };
  auto isPart = [&](const Own &own) {
    Value all;
    for (auto [at, extent, slice] :
         llvm::zip_equal(tiles.coordinatesOf(own.index, shape), part, op.getIndices()))
      all = b.conjunction(all, b.isEqual(b.dividedBy(at, extent), tiles.scalar(slice)));
    return all;
  };
  auto receive = [&](const Own &own, Value element) { tiles.write(result, own, element); };
  shared.gather(source, {{layout, number, receive, isPart}}, bytesOf(op));
}

//===-- Bytes ---------------------------------------------------------------------------------===//

/// Bits of an element in an array of bytes, and of the word that it is computed with.
static unsigned bitsOf(Value tile) {
  return numerics::info(*tile::formatOf(typeOf(tile).getElementType())).bits;
}

/// The bits of an element as an integer of the same width.
static Value toBits(ThreadBuilder &b, Value element, unsigned bits) {
  mlir::Type type = element.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value integer = b.createOrFold<arith::BitcastOp>(b.getIntegerType(width), element);
  return width == bits ? integer : b.createOrFold<arith::TruncIOp>(b.getIntegerType(bits), integer);
}

/// Converts elements to bytes (arithmetic, 4.29): each byte is part of one wide element, or holds
/// several narrow ones, the first in its lowest bits.
void Moves::emit(tile::PackOp op) {
  Value source = op.getSource(), result = op.getResult();
  TileLayout layout = tiles.layoutOf(result);
  unsigned bits = bitsOf(source);
  mlir::Type byte = b.getI8Type();
  if (bits >= 8) {
    int64_t bytes = llvm::divideCeil(bits, 8);
    bytes = llvm::PowerOf2Ceil(bytes);
    auto number = [&](const Own &own) { return b.dividedBy(own.index, bytes); };
    auto receive = [&](const Own &own, Value element) {
      Value all = toBits(b, element, element.getType().getIntOrFloatBitWidth());
      Value shift = b.times(b.modulo(own.index, bytes), 8);
      mlir::Type type = all.getType();
      unsigned width = type.getIntOrFloatBitWidth();
      if (width > 32)
        shift = b.createOrFold<arith::ExtUIOp>(type, shift);
      else if (width < 32)
        shift = b.createOrFold<arith::TruncIOp>(type, shift);
      all = arith::ShRUIOp::create(b, all, shift);
      tiles.write(result, own, width == 8 ? all : b.createOrFold<arith::TruncIOp>(byte, all));
    };
    return shared.gather(source, {{layout, number, receive}}, bytesOf(op));
  }
  int64_t perByte = 8 / bits;
  tiles.forEachOwn(layout,
                   [&](const Own &own) { tiles.write(result, own, b.constantBits(byte, 0)); });
  SmallVector<std::function<Value(const Own &)>> numbers;
  SmallVector<std::function<void(const Own &, Value)>> receivers;
  for (int64_t i = 0; i < perByte; ++i) {
    numbers.push_back(
        [&, i](const Own &own) { return b.add(b.times(own.index, perByte), b.i32(i)); });
    receivers.push_back([&, i](const Own &own, Value element) {
      Value part =
          element.getType() == byte ? element : b.createOrFold<arith::ExtUIOp>(byte, element);
      part = arith::ShLIOp::create(b, part, b.constantBits(byte, i * bits));
      tiles.write(result, own, arith::OrIOp::create(b, tiles.read(result, own), part));
    });
  }
  SmallVector<Wanted> wanted;
  for (int64_t i = 0; i < perByte; ++i)
    wanted.push_back({layout, numbers[i], receivers[i]});
  shared.gather(source, wanted, bytesOf(op));
}

void Moves::emit(tile::UnpackOp op) {
  Value source = op.getSource(), result = op.getResult();
  TileLayout layout = tiles.layoutOf(result);
  unsigned bits = bitsOf(result);
  mlir::Type elementType = typeOf(result).getElementType(), type = registerType(elementType);
  mlir::Type byte = b.getI8Type();
  if (bits < 8) {
    int64_t perByte = 8 / bits;
    auto number = [&](const Own &own) { return b.dividedBy(own.index, perByte); };
    auto receive = [&](const Own &own, Value all) {
      Value shift = b.times(b.modulo(own.index, perByte), bits);
      all = arith::ShRUIOp::create(b, all, b.createOrFold<arith::TruncIOp>(byte, shift));
      all = b.modulo(all, int64_t(1) << bits);
      tiles.write(result, own, type == byte ? all : b.createOrFold<arith::TruncIOp>(type, all));
    };
    return shared.gather(source, {{layout, number, receive}}, bytesOf(op));
  }
  int64_t bytes = wordBytes(elementType);
  mlir::Type word = b.getIntegerType(8 * bytes);
  Home parts = tiles.newHome(word, layout);
  tiles.forEachOwn(layout,
                   [&](const Own &own) { tiles.write(parts, own, b.constantBits(word, 0)); });
  SmallVector<std::function<Value(const Own &)>> numbers;
  SmallVector<std::function<void(const Own &, Value)>> receivers;
  for (int64_t i = 0; i < bytes; ++i) {
    numbers.push_back(
        [&, i](const Own &own) { return b.add(b.times(own.index, bytes), b.i32(i)); });
    receivers.push_back([&, i](const Own &own, Value part) {
      if (word != byte)
        part = b.createOrFold<arith::ExtUIOp>(word, part);
      part = arith::ShLIOp::create(b, part, b.constantBits(word, 8 * i));
      tiles.write(parts, own, arith::OrIOp::create(b, tiles.read(parts, own), part));
    });
  }
  SmallVector<Wanted> wanted;
  for (int64_t i = 0; i < bytes; ++i)
    wanted.push_back({layout, numbers[i], receivers[i]});
  shared.gather(source, wanted, bytesOf(op));
  tiles.forEachOwn(layout, [&](const Own &own) {
    Value all = b.createOrFold<arith::BitcastOp>(type, tiles.read(parts, own));
    tiles.write(result, own, fromMemory(b, b.getLoc(), all, elementType));
  });
}
