// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Matmul.h.

#include "tilewright/cpu/emit/matmul/Matmul.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
using numerics::Format;
namespace arith = mlir::arith;

void Matmul::emit(mlir::Operation *op, const MatmulPlan &plan) {
  MatmulProduct product(op, plan);
  operands.provide(product);
  if (const OpenStore *open = finalStores.ofProduct(op)) {
    Value isLast =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, frame.loops.back().left, b.i64(1));
    product.finalStore = open;
    product.isFinal = arith::AndIOp::create(b, isLast, open->isOpen);
  }
  Value steps = b.i64(product.stepsPerIteration());
  if (product.iterations == 1) {
    multiply(product, steps);
  } else {
    // When enough iterations are packed, or in the last one.
    auto is = [&](Value number, int64_t value) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, number, b.i64(value));
    };
    Value enough = arith::OrIOp::create(b, is(product.iteration, product.iterations - 1),
                                        is(frame.loops.back().left, 1));
    b.branch(
        enough,
        [&] {
          ValueCache::FreshScope fresh(cache);
          multiply(product, b.mul(b.add(product.iteration, b.i64(1)), steps));
        },
        [] {});
  }
}

void Matmul::multiply(const MatmulProduct &product, Value steps) {
  if (product.form.usesTiles())
    return amx.multiply(product, steps);
  forEachBlock(b, product, [&](const BlockOfSums &block) { multiplyBlock(product, steps, block); });
}

/// Broadcasts a word of a row of lhs to all columns. VPDPBUSD multiplies unsigned by signed bytes:
/// if both operands are signed, or both unsigned, 128 is added to or subtracted from each element
/// of lhs, and the accumulators are corrected for that.
Value Matmul::leftWord(const MatmulProduct &product, Value row, Value step) {
  const MatmulForm &form = product.form;
  mlir::Type word = form.word();
  // In a tensor, words of several elements may be unaligned.
  unsigned alignment = word.getIntOrFloatBitWidth() / 8 / form.perWord;
  Value one = mlir::LLVM::LoadOp::create(b, word, b.wordAddress(row, word, step), alignment);
  Value repeated = b.splat(one, product.width);
  if (!product.corrections)
    return repeated;
  // Flip bits by bytes: with words, LLVM would flip the bits first and then broadcast a register,
  // which takes one more instruction than broadcasting from memory.
  auto bytes = mlir::VectorType::get({product.width * form.perWord}, form.operand);
  Value factors = mlir::vector::BitCastOp::create(b, bytes, repeated);
  return arith::XOrIOp::create(b, factors, b.constantBits(bytes, 0x80));
}

void Matmul::multiplyBlock(const MatmulProduct &product, Value steps, const BlockOfSums &block) {
  ValueCache::Scope scope(cache);
  mlir::Operation *op = product.op;
  tile::TileType type = tileTypeOf(op->getResult(0));
  Format format = *tile::formatOf(type.getElementType());
  bool isNarrow = registerType(type.getElementType()) != product.form.accumulator;
  auto positionFrom = [&](Value row, int64_t vector) {
    Position at;
    if (type.getRank() == 3)
      at.at.push_back(block.batch);
    at.at.append({b.add(block.row, row), b.add(block.column, b.i64(vector * product.width))});
    at.lanes = at.at.size() - 1;
    at.width = product.width;
    return at;
  };
  auto position = [&](int64_t row, int64_t vector) { return positionFrom(b.i64(row), vector); };
  SmallVector<Value> corrections;
  if (product.corrections) {
    Value first = b.add(b.mul(block.batch, b.i64(product.n)), block.column);
    for (int64_t vector = 0; vector < product.vectors; ++vector)
      corrections.push_back(b.readWords(product.corrections, product.form.accumulator,
                                        b.add(first, b.i64(vector * product.width)), 1,
                                        product.width));
  }
  auto sumsFrom = [&](llvm::function_ref<Value(const Position &)> read) {
    SmallVector<Value> sums;
    for (int64_t row = 0; row < block.rows; ++row)
      for (int64_t vector = 0; vector < product.vectors; ++vector) {
        Value sum = read(position(row, vector));
        if (product.corrections)
          sum = arith::SubIOp::create(b, sum, corrections[vector]);
        sums.push_back(isNarrow ? widen(b, b.getLoc(), target, format, sum) : sum);
      }
    return sums;
  };
  auto carried = [&](const Position &at) { return evaluator.evaluate(op->getOperand(2), at); };
  auto initial = [&](const Position &at) {
    return evaluator.evaluateOp(product.plan.initialAccumulator, at);
  };
  SmallVector<Value> sums = product.isFirst
                                ? b.choose(
                                      product.isFirst, [&] { return sumsFrom(initial); },
                                      [&] { return sumsFrom(carried); })
                                : sumsFrom(carried);

  auto forEachPlace = [&](llvm::function_ref<void(const Position &, size_t)> visit) {
    for (int64_t row = 0; row < block.rows; ++row)
      for (int64_t vector = 0; vector < product.vectors; ++vector)
        visit(position(row, vector), row * product.vectors + vector);
  };
  if (product.isFinal) // the lines arrive while products are accumulated
    b.branch(
        product.isFinal,
        [&] {
          b.forEachFrom(0, block.rows, 1, [&](Value row) {
            for (int64_t vector = 0; vector < product.vectors; ++vector)
              finalStores.prefetch(*product.finalStore, positionFrom(row, vector));
          });
        },
        [] {});
  const MatmulProduct::Words &right = product.right;
  mlir::Type word = product.form.word();
  SmallVector<Value> leftRows;
  for (int64_t row = 0; row < block.rows; ++row)
    leftRows.push_back(product.leftRows.at(b, block.batch, b.add(block.row, b.i64(row))));
  Value rhs =
      b.add(b.mul(block.batch, b.i64(right.perBatch)), b.mul(block.panel, b.i64(right.perPanel)));
  auto loop = mlir::scf::ForOp::create(b, b.i64(0), steps, b.i64(block.unroll), sums);
  {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next(loop.getRegionIterArgs());
    // Between products, so that only a few prefetches are in flight at a time.
    int64_t parts = product.iterations * product.stepsPerIteration() / block.unroll;
    Value part = b.createOrFold<arith::DivUIOp>(loop.getInductionVar(), b.i64(block.unroll));
    prefetchStreams(b, hints, product, b.add(b.mul(block.number, b.i64(parts)), part),
                    product.blockCount() * parts);
    for (int64_t i = 0; i < block.unroll; ++i) {
      Value at = b.add(loop.getInductionVar(), b.i64(i));
      Value row = b.add(rhs, b.mul(at, b.i64(right.perRow)));
      SmallVector<Value> columns;
      for (int64_t vector = 0; vector < product.vectors; ++vector)
        columns.push_back(b.readWords(right.base, word, b.add(row, b.i64(vector * product.width)),
                                      1, product.width));
      for (int64_t row = 0; row < block.rows; ++row) {
        Value repeated = leftWord(product, leftRows[row], at);
        for (int64_t vector = 0; vector < product.vectors; ++vector) {
          Value &sum = next[row * product.vectors + vector];
          sum = multiplyAdd(b, target, product, repeated, columns[vector], sum);
        }
      }
    }
    mlir::scf::YieldOp::create(b, next);
  }
  Value base = buffers.addressOf(op->getResult(0));
  auto sumAt = [&](size_t i) {
    Value sum = loop.getResult(i);
    return isNarrow ? narrow(b, b.getLoc(), target, format, sum) : sum;
  };
  auto keep = [&] {
    forEachPlace([&](const Position &at, size_t i) { buffers.write(base, type, at, sumAt(i)); });
  };
  auto store = [&] {
    forEachPlace([&](const Position &at, size_t i) {
      finalStores.store(*product.finalStore, at, sumAt(i));
    });
  };
  if (product.isFinal)
    b.branch(product.isFinal, store, keep);
  else
    keep();
}
