// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Operands.h.

#include "tilewright/nvidia/emit/Operands.h"
#include "tilewright/elementwise/Elements.h"
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

//===-- Rows ----------------------------------------------------------------------------------===//

static constexpr int64_t pieceBytes = SharedImage::pieceBytes;

/// In eight successive rows, pieces with the same number are in eight different groups of banks, or
/// as many as fit in 128 bytes.
Value Operands::addressIn(const Matrix &matrix, Value row, Value byte) {
  const SharedImage &image = matrix.image;
  Value panel = image.panels() == 1 ? Value() : b.dividedBy(byte, image.span);
  if (panel)
    byte = b.modulo(byte, image.span);
  Value piece = b.dividedBy(byte, pieceBytes);
  Value moved = b.modulo(b.dividedBy(row, image.rowsOfPermutation()), image.swizzledPieces());
  piece = b.createOrFold<arith::XOrIOp>(piece, moved);
  Value offset = b.add(b.times(piece, pieceBytes), b.modulo(byte, pieceBytes));
  offset = b.add(b.times(row, image.span), offset);
  if (panel)
    offset = b.add(b.times(panel, image.panelBytes()), offset);
  return b.byteOffset(matrix.base, offset);
}

Matrix Operands::matrixOf(tile::MatmulOpInterface op, bool isLhs, Value base, int64_t steps) {
  const MatrixProduct &product = plan.matrices.find(op)->second;
  bool isAlongK = plan.staged.find(op)->second.isAlongK(isLhs);
  return {isLhs ? op.getLhs() : op.getRhs(), base, isLhs, isAlongK,
          imageOf(product, isLhs, isAlongK, steps)};
}

/// The dimensions of an operand along and across the rows of shared memory.
static std::pair<size_t, size_t> dimensionsOf(const Matrix &matrix) {
  size_t rank = typeOf(matrix.tile).getShape().size();
  size_t inRow = matrix.isLhs == matrix.isAlongK ? rank - 1 : rank - 2;
  return {inRow, inRow == rank - 1 ? rank - 2 : rank - 1};
}

/// The row of an element: batches are successive rows.
Value Operands::rowOf(const Matrix &matrix, llvm::ArrayRef<Value> at) {
  Value row = at[dimensionsOf(matrix).second];
  return at.size() == 3 ? b.add(row, b.times(at[0], matrix.image.rows)) : row;
}

/// The coordinates of an element among those of the CTA, which has some rows of lhs.
SmallVector<Value> Operands::coordinatesInCta(const MatrixProduct &product, const Matrix &matrix,
                                              Value index) {
  auto shape = typeOf(matrix.tile).getShape();
  SmallVector<Value> at = tiles.coordinatesOf(index, shape);
  if (matrix.isLhs && product.ctas > 1)
    at[shape.size() - 2] = b.modulo(at[shape.size() - 2], product.rowsOfCta());
  return at;
}

//===-- Writing and copying -------------------------------------------------------------------===//

/// Writes the steps of the chunk, for all batches. Contiguous elements of a thread are written
/// together.
void Operands::write(const MatrixProduct &product, const Matrix &matrix, Value window,
                     int64_t steps) {
  auto shape = typeOf(matrix.tile).getShape();
  size_t rank = shape.size(), alongK = rank - (matrix.isLhs ? 1 : 2);
  size_t inRow = dimensionsOf(matrix).first;
  TileLayout layout = layoutOfWritten(plan, matrix.tile, matrix.isLhs);
  bool isRun = layout.step() == support::strideOf(shape, inRow) && !isRecomputed(matrix.tile);
  int64_t width = isRun ? std::min({layout.width(), pieceBytes / product.elementBytes, shape[inRow],
                                    inRow == alongK ? steps : shape[inRow]})
                        : 1;
  b.branch(tiles.isOwnerInCta(layout), [&] {
    tiles.forEachRun(layout, width, [&](const Own &own) {
      SmallVector<Value> at = coordinatesInCta(product, matrix, own.index);
      Value isThere =
          steps == product.k ? Value() : b.isEqual(b.dividedBy(at[alongK], steps), window);
      at[alongK] = b.modulo(at[alongK], steps);
      b.branch(isThere, [&] {
        SmallVector<Value> words;
        for (int64_t number = 0; number < width; ++number) {
          Own next{b.add(own.slot, b.i32(number)), b.add(own.index, b.i32(number * layout.step()))};
          words.push_back(toWord(b, b.getLoc(), tiles.read(matrix.tile, next)));
        }
        Value byte = b.times(at[inRow], product.elementBytes);
        b.writeWords(addressIn(matrix, rowOf(matrix, at), byte), words);
      });
    });
  });
}

/// Moves the bits of an element number to other places.
static Value permuted(ThreadBuilder &b, Value number, llvm::ArrayRef<unsigned> bits) {
  Value result = b.i32(0);
  for (size_t at = 0; at < bits.size();) {
    size_t end = at + 1;
    while (end < bits.size() && bits[end] == bits[at] + (end - at))
      ++end;
    Value run = b.modulo(b.dividedBy(number, int64_t(1) << at), int64_t(1) << (end - at));
    result = b.add(result, b.times(run, int64_t(1) << bits[at]));
    at = end;
  }
  return result;
}

void Operands::copy(const MatrixProduct &product, const Matrix &matrix, tile::LoadViewOp load) {
  int64_t bytes = wordBytes(typeOf(matrix.tile).getElementType());
  const SmallVector<unsigned> bits = operandBitsOf(matrix.tile);
  atPlace(b, load.getLoc(), [&] {
    views.copy(load, [&](Value index) {
      SmallVector<Value> at = coordinatesInCta(product, matrix, permuted(b, index, bits));
      Value byte = b.times(at[dimensionsOf(matrix).first], bytes);
      return addressIn(matrix, rowOf(matrix, at), byte);
    });
  });
}

void Operands::commit() {
  if (plan.target.capability >= 80)
    LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.nvvm.cp.async.commit.group"), {});
}

/// Waits for the thread's copies, except those of this many later groups.
static void waitForGroups(ThreadBuilder &b, int64_t later) {
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.nvvm.cp.async.wait.group"),
                                mlir::ValueRange{b.i32(later)});
}

//===-- Products ------------------------------------------------------------------------------===//

/// The operands in shared memory, and the bytes of those in the memory of exchanges.
Operands::Placed Operands::place(tile::MatmulOpInterface op, Value stage, int64_t steps) {
  const MatrixProduct &product = plan.matrices.find(op)->second;
  const Staging &staging = plan.staged.find(op)->second;
  int64_t exchanged = 0;
  auto placed = [&](const StagedOperand &operand, bool isLhs) {
    int64_t stepsBytes = operand.bytes / product.k * steps;
    int64_t offset = operand.isOfExchange() ? exchanged : operand.offset;
    exchanged += operand.isOfExchange() ? stepsBytes : 0;
    Value base = b.byteOffset(shared.base(), b.i32(offset));
    if (operand.way == StagedOperand::CopiedAhead && stage)
      base = b.byteOffset(base, b.mul(stage, b.i32(operand.bytes)));
    return matrixOf(op, isLhs, base, steps);
  };
  std::optional<Matrix> lhs;
  if (staging.lhs.isInShared())
    lhs = placed(staging.lhs, true);
  Matrix rhs = placed(staging.rhs, false);
  return {lhs, rhs, exchanged};
}

/// Writes or copies the operands in the memory of exchanges. Returns whether copies are in flight.
bool Operands::fillExchanged(tile::MatmulOpInterface op, const Placed &placed, Value window,
                             int64_t steps) {
  const MatrixProduct &product = plan.matrices.find(op)->second;
  const Staging &staging = plan.staged.find(op)->second;
  if (placed.exchanged)
    b.barrier();
  bool isCopied = false;
  auto fill = [&](const StagedOperand &operand, const Matrix &matrix) {
    isCopied |= operand.way == StagedOperand::Copied;
    if (operand.way == StagedOperand::Written)
      write(product, matrix, window, steps);
    else if (operand.way == StagedOperand::Copied)
      copy(product, matrix, operand.load);
  };
  if (placed.lhs)
    fill(staging.lhs, *placed.lhs);
  fill(staging.rhs, placed.rhs);
  if (isCopied)
    commit();
  return isCopied;
}

void Operands::give(tile::MatmulOpInterface op) {
  const int64_t steps = plan.matrices.find(op)->second.k;
  const Placed placed = place(op, {}, steps);
  if (fillExchanged(op, placed, b.i32(0), steps))
    waitForGroups(b, 0);
  if (placed.exchanged)
    b.instruction("fence.proxy.async.shared::cta;");
}

std::pair<std::optional<Matrix>, Matrix> Operands::take(tile::MatmulOpInterface op) {
  const Placed placed = place(op, rings.wait(op), plan.matrices.find(op)->second.k);
  return {placed.lhs, placed.rhs};
}

std::pair<std::optional<Matrix>, Matrix> Operands::bring(tile::MatmulOpInterface op, Value window,
                                                         int64_t steps, Value condition) {
  const MatrixProduct &product = plan.matrices.find(op)->second;
  auto loop = llvm::dyn_cast<tile::ForOp>(op->getParentOp());
  auto pipeline = plan.pipelines.find(loop);
  const bool hasRing = plan.roles.ringOf(op);
  bool isAhead = !hasRing && pipeline != plan.pipelines.end() &&
                 llvm::is_contained(pipeline->second.products, op);
  Value stage = hasRing ? rings.wait(op, condition) : isAhead ? turns.at(loop).stage : Value();
  const Placed placed = place(op, stage, steps);
  const bool isCopied = fillExchanged(op, placed, window, steps);
  if (hasRing && !placed.exchanged)
    return {placed.lhs, placed.rhs}; // no thread has written any of it
  if (plan.target.capability >= 80 && (isCopied || isAhead))
    waitForGroups(b, isCopied ? 0 : pipeline->second.laterGroups());
  // `wgmma` reads by the asynchronous proxy what threads have written or copied by the generic one.
  if (product.form.isOfWarpgroup())
    b.instruction("fence.proxy.async.shared::cta;");
  b.barrier();
  if (isAhead)
    copyNext(op, pipeline->second);
  return {placed.lhs, placed.rhs};
}

//===-- Loops ---------------------------------------------------------------------------------===//

void Operands::copyAhead(tile::MatmulOpInterface product, Value stage) {
  const MatrixProduct &matrices = plan.matrices.find(product)->second;
  const Staging &staging = plan.staged.find(product)->second;
  for (bool isLhs : {true, false}) {
    const StagedOperand &operand = isLhs ? staging.lhs : staging.rhs;
    if (operand.way != StagedOperand::CopiedAhead)
      continue;
    Value offset = b.add(b.mul(stage, b.i32(operand.bytes)), b.i32(operand.offset));
    copy(matrices, matrixOf(product, isLhs, b.byteOffset(shared.base(), offset), matrices.k),
         operand.load);
  }
}

/// Truncates an i64 to the type of the induction variable.
static Value truncated(ThreadBuilder &b, Value value, mlir::Type type) {
  return type.isInteger(64) ? value : arith::TruncIOp::create(b, type, value).getResult();
}

/// Begins the copies for the farthest prefetched iteration, if it exists, into the stage of the
/// previous one.
void Operands::copyNext(tile::MatmulOpInterface product, const Pipeline &pipeline) {
  auto loop = llvm::cast<tile::ForOp>(product->getParentOp());
  const Turn &turn = turns.at(loop);
  b.branch(b.isBelow(b.i64(pipeline.ahead()), turn.left), [&] {
    Value step = tiles.scalar(loop.getStep());
    Value distance = truncated(b, b.i64(pipeline.ahead()), step.getType());
    inIteration(loop, b.add(turn.induction, b.mul(step, distance)), [&] {
      Value isFirst = b.isEqual(turn.stage, b.i32(0));
      Value above = b.select(isFirst, b.i32(pipeline.stages), turn.stage);
      copyAhead(product, b.add(above, b.i32(-1)));
    });
  });
  commit();
}

/// Emits `body` with the values that follow from another induction variable, then restores the
/// previous ones.
void Operands::inIteration(tile::ForOp loop, Value induction, llvm::function_ref<void()> body) {
  const auto &indices = plan.pipelines.find(loop)->second.indices;
  SmallVector<std::pair<Value, Value>> scalars = {
      {loop.inductionVar(), tiles.scalar(loop.inductionVar())}};
  SmallVector<std::pair<Value, ViewValue>> before;
  for (mlir::Operation *op : indices)
    for (Value result : op->getResults()) {
      scalars.push_back({result, tiles.scalar(result)});
      before.push_back({result, views.valueOf(result)});
    }
  tiles.define(loop.inductionVar(), induction);
  atPlace(b, b.getLoc(), [&] {
    for (mlir::Operation *op : indices)
      operations.emit(op);
  });
  body();
  for (auto [value, scalar] : scalars)
    tiles.define(value, scalar);
  for (auto &[value, view] : before)
    views.define(value, view);
}

/// Stages loop-invariant operands. Their copies belong to the next group.
void Operands::keep(tile::MatmulOpInterface product) {
  const Staging &staging = plan.staged.find(product)->second;
  const MatrixProduct &matrices = plan.matrices.find(product)->second;
  for (bool isLhs : {true, false}) {
    const StagedOperand &operand = isLhs ? staging.lhs : staging.rhs;
    if (operand.way != StagedOperand::Kept)
      continue;
    Value base = b.byteOffset(shared.base(), b.i32(operand.offset));
    Matrix matrix = matrixOf(product, isLhs, base, matrices.k);
    if (operand.load)
      copy(matrices, matrix, operand.load);
    else
      write(matrices, matrix, {}, matrices.k);
  }
}

bool Operands::keepsAny(const Pipeline &pipeline) const {
  return llvm::any_of(pipeline.products, [&](tile::MatmulOpInterface product) {
    const Staging &staging = plan.staged.find(product)->second;
    return staging.lhs.way == StagedOperand::Kept || staging.rhs.way == StagedOperand::Kept;
  });
}

/// In a loop that a producer fills: consumers stage what is loop-invariant, and wait until it is
/// there.
void Operands::keepAll(const Pipeline &pipeline, Value runs) {
  if (!keepsAny(pipeline))
    return;
  b.barrier();
  b.branch(runs, [&] { llvm::for_each(pipeline.products, [&](auto product) { keep(product); }); });
  commit();
  waitForGroups(b, 0);
  b.instruction("fence.proxy.async.shared::cta;");
  b.barrier();
}

/// The barrier ensures that no thread still reads the stages of an earlier execution of the loop.
void Operands::fill(tile::ForOp loop, Value lower, Value runs, Value tripCount) {
  auto found = plan.pipelines.find(loop);
  if (found == plan.pipelines.end() || rings.runsSlice())
    return;
  const Pipeline &pipeline = found->second;
  if (!copiesAhead(loop))
    return keepAll(pipeline, runs);
  b.barrier();
  b.branch(runs, [&] { llvm::for_each(pipeline.products, [&](auto product) { keep(product); }); });
  b.forEach(0, pipeline.ahead(), [&](Value stage) {
    Value isThere = b.conjunction(runs, b.isBelow(b.zeroExtended(stage), tripCount));
    for (tile::MatmulOpInterface product : pipeline.products) {
      b.branch(isThere, [&] {
        Value number = truncated(b, b.zeroExtended(stage), lower.getType());
        Value induction = b.add(lower, b.mul(number, tiles.scalar(loop.getStep())));
        inIteration(loop, induction, [&] { copyAhead(product, stage); });
      });
      commit();
    }
  });
}

Value Operands::nextStage(tile::ForOp loop) {
  Value next = b.add(turns.at(loop).stage, b.i32(1));
  Value isLast = b.isEqual(next, b.i32(plan.pipelines.find(loop)->second.stages));
  return b.select(isLast, b.i32(0), next);
}
