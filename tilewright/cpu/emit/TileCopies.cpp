// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TileCopies.h.

#include "tilewright/cpu/emit/TileCopies.h"
#include "tilewright/cpu/plan/Placement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

void cpu::emitCat(LoopBuilder &b, Buffers &buffers, Evaluator &evaluator, tile::CatOp op) {
  int64_t before = 0;
  for (Value part : {Value(op.getLhs()), Value(op.getRhs())}) {
    auto shape = tileTypeOf(part).getShape();
    if (!catOf(part)) // otherwise it has been computed there
      evaluator.forEach(shape, [&](const Position &position) {
        Position to = position;
        to.at[op.getDim()] = b.add(position.at[op.getDim()], b.i64(before));
        buffers.writeTile(op.getResult(), to, evaluator.evaluate(part, position));
      });
    before += shape[op.getDim()];
  }
}

/// Whether slices with these unsigned numbers exist, as an i1.
static Value areSlices(LoopBuilder &b, llvm::ArrayRef<Value> slices, tile::TileType part,
                       tile::TileType whole) {
  Value all;
  for (auto [slice, small, large] : llvm::zip_equal(slices, part.getShape(), whole.getShape()))
    all = b.conjunction(
        all, arith::CmpIOp::create(b, arith::CmpIPredicate::ult, slice, b.i64(large / small)));
  return all;
}

void cpu::emitInsert(LoopBuilder &b, Frame &frame, Buffers &buffers, Evaluator &evaluator,
                     tile::InsertOp op) {
  Value result = op.getResult();
  tile::TileType part = tileTypeOf(op.getSource()), whole = tileTypeOf(result);
  if (!whole) {
    frame.scalars.define(result, frame.scalar(op.getSource()));
    return;
  }
  evaluator.forEach(whole.getShape(), [&](const Position &position) {
    buffers.writeTile(result, position, evaluator.evaluate(op.getDestination(), position));
  });
  llvm::SmallVector<Value> slices;
  for (Value index : op.getIndices())
    slices.push_back(b.zeroExtended(frame.scalar(index)));
  auto writeSlice = [&] {
    evaluator.forEach(part.getShape(), [&](const Position &position) {
      Position to = position;
      for (auto [at, slice, extent] : llvm::zip_equal(to.at, slices, part.getShape()))
        at = b.add(at, b.mul(slice, b.i64(extent)));
      buffers.writeTile(result, to, evaluator.evaluate(op.getSource(), position));
    });
  };
  // Where the specification leaves behaviour undefined, nothing is written, least of all to other
  // memory.
  b.branch(areSlices(b, slices, part, whole), writeSlice, [] {});
}

/// The elements that share a byte: several for i1 and f4E2M1FN (arithmetic, 4.29), 1 for other
/// types.
static int64_t elementsPerByte(tile::TileType type) {
  unsigned bits = numerics::info(*tile::formatOf(type.getElementType())).bits;
  return bits < 8 ? 8 / bits : 1;
}

void cpu::emitBytes(LoopBuilder &b, Buffers &buffers, mlir::Operation *op) {
  Value source = op->getOperand(0), result = op->getResult(0);
  tile::TileType from = tileTypeOf(source), to = tileTypeOf(result);
  Value in = buffers.memoryOf(source);
  Value out = buffers.addressOf(result);
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
}
