// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are rows turned into columns? By shuffles that interleave two vectors: after log2(n) rounds
// of them n vectors, one behind the other, are the transpose. The other way round even and odd
// elements are separated.

#include "tilewright/cpu/plan/Transposes.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;

//===-- Shuffles ------------------------------------------------------------------------------===//

/// Of two vectors of `width` lanes: `mask(i)` is the number of the i-th lane of the result.
static Value shuffled(LoopBuilder &b, Value lhs, Value rhs, int64_t width,
                      llvm::function_ref<int64_t(int64_t)> mask) {
  SmallVector<int64_t> lanes(llvm::map_range(llvm::seq<int64_t>(0, width), mask));
  return mlir::vector::ShuffleOp::create(b, lhs, rhs, lanes);
}

/// Vectors of `width` lanes as the rows of a matrix; its columns, one behind the other.
static SmallVector<Value> interleaved(LoopBuilder &b, SmallVector<Value> rows, int64_t width) {
  size_t count = rows.size();
  for (size_t round = 1; round < count; round *= 2) {
    SmallVector<Value> next;
    for (size_t i = 0; i < count / 2; ++i)
      for (int64_t first : {int64_t(0), width / 2})
        next.push_back(shuffled(b, rows[i], rows[i + count / 2], width,
                                [=](int64_t k) { return first + k / 2 + (k % 2) * width; }));
    rows = std::move(next);
  }
  return rows;
}

/// The other way round: the lanes of all vectors are those of the result's, in turn.
static SmallVector<Value> separated(LoopBuilder &b, SmallVector<Value> rows, int64_t width) {
  size_t count = rows.size();
  for (size_t round = 1; round < count; round *= 2) {
    SmallVector<Value> next;
    for (int64_t odd : {0, 1})
      for (size_t i = 0; i < count; i += 2)
        next.push_back(
            shuffled(b, rows[i], rows[i + 1], width, [=](int64_t k) { return 2 * k + odd; }));
    rows = std::move(next);
  }
  return rows;
}

//===-- Loops ---------------------------------------------------------------------------------===//

/// Where the source is read for this position of the result: along its own rows.
static Position inSource(tile::PermuteOp op, const Turn &turn, const Position &position) {
  Position source = position;
  for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
    source.at[from] = position.at[dim];
  source.lanes = op.getPermutation()[turn.sourceRow];
  return source;
}

/// Lanes of a vector of the element's words, but no more than `most`.
static int64_t lanesOf(tile::TileType type, const Target &target, int64_t most) {
  return std::min<int64_t>(target.vectorBytes / wordBytes(type.getElementType()), most);
}

/// Square blocks, of 16 x 16 at most: that many vectors are alive at a time.
void KernelEmitter::turnBlocks(tile::PermuteOp op, const Turn &turn) {
  tile::TileType type = op.getResult().getType();
  SmallVector<int64_t> blocks(type.getShape());
  int64_t side =
      std::min({lanesOf(type, target, 16), blocks[turn.sourceRow], blocks[turn.resultRow]});
  blocks[turn.sourceRow] /= side;
  Value base = bufferAddress(op.getResult());
  b.forEach(
      blocks, side,
      [&](Position position) {
        Value column = b.mul(position.at[turn.sourceRow], b.i64(side));
        Value row = position.at[turn.resultRow];
        position.at[turn.sourceRow] = column;
        SmallVector<Value> rows;
        for (int64_t i = 0; i < side; ++i) {
          position.at[turn.resultRow] = b.add(row, b.i64(i));
          rows.push_back(evaluate(op.getSource(), inSource(op, turn, position)));
        }
        position.at[turn.resultRow] = row;
        for (auto [i, value] : llvm::enumerate(interleaved(b, rows, side))) {
          position.at[turn.sourceRow] = b.add(column, b.i64(i));
          writeBuffer(base, type, position, value);
        }
      },
      turn.resultRow);
}

/// The columns of a few rows lie one behind the other in the result.
void KernelEmitter::turnInterleaving(tile::PermuteOp op, const Turn &turn) {
  tile::TileType type = op.getResult().getType();
  SmallVector<int64_t> rest(type.getShape());
  int64_t count = std::exchange(rest[turn.resultRow], 1);
  Value base = bufferAddress(op.getResult());
  b.forEach(
      rest, lanesOf(type, target, rest[turn.sourceRow]),
      [&](Position position) {
        Value first = b.locate(type.getShape(), position).first;
        SmallVector<Value> rows;
        for (int64_t i = 0; i < count; ++i) {
          position.at[turn.resultRow] = b.i64(i);
          rows.push_back(evaluate(op.getSource(), inSource(op, turn, position)));
        }
        for (auto [i, value] : llvm::enumerate(interleaved(b, rows, position.width)))
          b.writeWords(base, type.getElementType(), b.add(first, b.i64(i * position.width)), 1,
                       value);
      },
      turn.sourceRow);
}

/// The same the other way round; the source is in memory.
void KernelEmitter::turnSeparating(tile::PermuteOp op, const Turn &turn) {
  tile::TileType type = op.getResult().getType();
  SmallVector<int64_t> rest(type.getShape());
  int64_t count = std::exchange(rest[turn.sourceRow], 1);
  Value from = memoryOf(op.getSource()), base = bufferAddress(op.getResult());
  b.forEach(
      rest, lanesOf(type, target, rest[turn.resultRow]),
      [&](Position position) {
        Value first =
            b.locate(op.getSource().getType().getShape(), inSource(op, turn, position)).first;
        SmallVector<Value> rows;
        for (int64_t i = 0; i < count; ++i)
          rows.push_back(b.readWords(from, type.getElementType(),
                                     b.add(first, b.i64(i * position.width)), 1, position.width));
        for (auto [i, value] : llvm::enumerate(separated(b, rows, position.width))) {
          position.at[turn.sourceRow] = b.i64(i);
          writeBuffer(base, type, position, value);
        }
      },
      turn.resultRow);
}

void KernelEmitter::emitTurn(tile::PermuteOp op) {
  Turn turn = *turnOf(op);
  if (turn.form == Turn::Form::Separate && plan->isRowMajor(op.getSource()))
    return turnSeparating(op, turn);
  withLoads(op.getSource(), [&] {
    if (turn.form == Turn::Form::Interleave)
      turnInterleaving(op, turn);
    else
      turnBlocks(op, turn);
  });
}
