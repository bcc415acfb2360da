// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Transposes.h.

#include "tilewright/cpu/emit/Transposes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::SmallVector;
using mlir::Value;

//===-- Shuffles ------------------------------------------------------------------------------===//

/// Shuffles two vectors of `width` lanes: lane i of the result is lane `mask(i)`.
static Value shuffled(LoopBuilder &b, Value lhs, Value rhs, int64_t width,
                      llvm::function_ref<int64_t(int64_t)> mask) {
  SmallVector<int64_t> lanes(llvm::map_range(llvm::seq<int64_t>(0, width), mask));
  return mlir::vector::ShuffleOp::create(b, lhs, rhs, lanes);
}

/// Takes vectors of `width` lanes as the rows of a matrix; returns its columns, concatenated.
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

/// The inverse: deals the lanes of all vectors out to the results, round robin.
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

/// The source position for this position of the result, with lanes along the source's rows.
static Position inSource(tile::PermuteOp op, const Transpose &form, const Position &position) {
  Position source = position;
  for (auto [dim, from] : llvm::enumerate(op.getPermutation()))
    source.at[from] = position.at[dim];
  source.lanes = op.getPermutation()[form.sourceRow];
  return source;
}

/// Transposes square blocks of as many rows as a vector has lanes, unless these are too many.
void Transposes::transposeBlocks(tile::PermuteOp op, const Transpose &form) {
  tile::TileType type = op.getResult().getType();
  SmallVector<int64_t> blocks(type.getShape());
  const int64_t side = form.lanes;
  blocks[form.sourceRow] /= side;
  Value base = buffers.addressOf(op.getResult());
  b.forEach(
      blocks, side,
      [&](Position position) {
        Value column = b.mul(position.at[form.sourceRow], b.i64(side));
        Value row = position.at[form.resultRow];
        position.at[form.sourceRow] = column;
        SmallVector<Value> rows;
        for (int64_t i = 0; i < side; ++i) {
          position.at[form.resultRow] = b.add(row, b.i64(i));
          rows.push_back(evaluator.evaluate(op.getSource(), inSource(op, form, position)));
        }
        position.at[form.resultRow] = row;
        for (auto [i, value] : llvm::enumerate(interleaved(b, rows, side))) {
          position.at[form.sourceRow] = b.add(column, b.i64(i));
          buffers.write(base, type, position, value);
        }
      },
      form.resultRow);
}

/// Interleaves a few rows: their columns are consecutive in the result.
void Transposes::interleave(tile::PermuteOp op, const Transpose &form) {
  tile::TileType type = op.getResult().getType();
  SmallVector<int64_t> rest(type.getShape());
  int64_t count = std::exchange(rest[form.resultRow], 1);
  Value base = buffers.addressOf(op.getResult());
  b.forEach(
      rest, form.lanes,
      [&](Position position) {
        Value first = b.locate(type.getShape(), position).first;
        SmallVector<Value> rows;
        for (int64_t i = 0; i < count; ++i) {
          position.at[form.resultRow] = b.i64(i);
          rows.push_back(evaluator.evaluate(op.getSource(), inSource(op, form, position)));
        }
        for (auto [i, value] : llvm::enumerate(interleaved(b, rows, position.width)))
          b.writeWords(base, type.getElementType(), b.add(first, b.i64(i * position.width)), 1,
                       value);
      },
      form.sourceRow);
}

/// The inverse of interleave; the source is in memory.
void Transposes::separate(tile::PermuteOp op, const Transpose &form) {
  tile::TileType type = op.getResult().getType();
  SmallVector<int64_t> rest(type.getShape());
  int64_t count = std::exchange(rest[form.sourceRow], 1);
  Value from = buffers.memoryOf(op.getSource()), base = buffers.addressOf(op.getResult());
  b.forEach(
      rest, form.lanes,
      [&](Position position) {
        Value first =
            b.locate(op.getSource().getType().getShape(), inSource(op, form, position)).first;
        SmallVector<Value> rows;
        for (int64_t i = 0; i < count; ++i)
          rows.push_back(b.readWords(from, type.getElementType(),
                                     b.add(first, b.i64(i * position.width)), 1, position.width));
        for (auto [i, value] : llvm::enumerate(separated(b, rows, position.width))) {
          position.at[form.sourceRow] = b.i64(i);
          buffers.write(base, type, position, value);
        }
      },
      form.resultRow);
}

void Transposes::emit(tile::PermuteOp op, const Transpose &form) {
  if (form.form == Transpose::Form::Separate)
    return separate(op, form);
  loads.forEachVersion(form.loads, [&] {
    if (form.form == Transpose::Form::Interleave)
      interleave(op, form);
    else
      transposeBlocks(op, form);
  });
}
