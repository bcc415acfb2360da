// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MatrixProducts.h.

#include "tilewright/nvidia/emit/MatrixProducts.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
using numerics::Format;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

static tile::TileType typeOf(Value value) { return llvm::cast<tile::TileType>(value.getType()); }
static Format formatOf(Value value) { return *tile::formatOf(typeOf(value).getElementType()); }

//===-- Fragments -----------------------------------------------------------------------------===//

/// Loads four matrices of 8 rows of 16 bytes; each lane provides the address of a row.
MatrixProducts::Words MatrixProducts::loadFragments(Value address, bool isTransposed) {
  std::string name = "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4";
  name += isTransposed ? ".trans.b16" : ".b16";
  SmallVector<mlir::Type> four(4, b.getI32Type());
  Value all =
      LLVM::CallIntrinsicOp::create(b, LLVM::LLVMStructType::getLiteral(b.getContext(), four),
                                    b.getStringAttr(name), mlir::ValueRange{address})
          .getResults();
  Words words;
  for (int64_t at = 0; at < 4; ++at)
    words.push_back(LLVM::ExtractValueOp::create(b, all, at));
  return words;
}

/// For 16 rows: the upper and lower 8 rows of the first 16 bytes along k, then of the next; for
/// f64, one element of 8 rows.
MatrixProducts::Words MatrixProducts::fragmentsOfLhs(const MatrixProduct &product,
                                                     const Matrix &matrix, Value row, Value step) {
  Value lane = b.modulo(tiles.thread, 32), begin = b.times(step, MatrixForm::bytesAlongK);
  if (product.elementBytes == 8) {
    Value byte = b.add(begin, b.times(b.modulo(lane, 4), 8));
    Value address = operands.addressIn(matrix, b.add(row, b.dividedBy(lane, 4)), byte);
    return {LLVM::LoadOp::create(b, b.getF64Type(), address, 8)};
  }
  Value byte = b.add(begin, b.times(b.dividedBy(lane, 16), SharedImage::pieceBytes));
  return loadFragments(operands.addressIn(matrix, b.add(row, b.modulo(lane, 16)), byte), false);
}

/// For 16 columns, two fragments: each has the first 16 bytes along k, then the next. If shared
/// memory has the rows of the tile, `ldmatrix` transposes them.
MatrixProducts::Words MatrixProducts::fragmentsOfRhs(const MatrixProduct &product,
                                                     const Matrix &matrix, Value column,
                                                     Value step) {
  Value lane = b.modulo(tiles.thread, 32);
  if (product.elementBytes == 8)
    return fragmentsOfLhs(product, matrix, column, step);
  // A warp with 8 columns reads them twice.
  Value half = b.modulo(b.dividedBy(lane, 8), 2);
  Value second = product.fragmentsAlongN() == 1 ? b.i32(0) : b.dividedBy(lane, 16);
  if (matrix.isAlongK) {
    Value row = b.add(b.add(column, b.modulo(lane, 8)), b.times(second, 8));
    Value byte =
        b.add(b.times(step, MatrixForm::bytesAlongK), b.times(half, SharedImage::pieceBytes));
    return loadFragments(operands.addressIn(matrix, row, byte), false);
  }
  if (product.isPaired)
    return pairedFragments(matrix, column, b.times(step, product.steps()));
  Value row = b.add(b.times(step, product.steps()), b.modulo(lane, 16));
  Value byte = b.times(b.add(column, b.times(second, 8)), product.elementBytes);
  return loadFragments(operands.addressIn(matrix, row, byte), true);
}

/// For 16 columns: a fragment with the even columns, then one with the odd ones. `ldmatrix`
/// transposes pairs of columns: a lane gets two columns of two rows. A fragment needs four rows of
/// one column: two from the first matrix, and two from the second one. In the upper half of the 16
/// rows, the matrices change places, so that each has eight rows with different numbers modulo 8,
/// whose pieces are in different banks.
MatrixProducts::Words MatrixProducts::pairedFragments(const Matrix &matrix, Value column,
                                                      Value row) {
  Value lane = b.modulo(tiles.thread, 32), ofMatrix = b.modulo(lane, 8);
  Value number = b.dividedBy(lane, 8);
  Value second = b.createOrFold<arith::XOrIOp>(b.modulo(number, 2), b.dividedBy(ofMatrix, 4));
  row = b.add(row, b.add(b.times(b.dividedBy(ofMatrix, 2), 4), b.modulo(ofMatrix, 2)));
  row = b.add(row, b.add(b.times(b.dividedBy(number, 2), 16), b.times(second, 2)));
  Words pairs = loadFragments(operands.addressIn(matrix, row, column), true), words;
  // The even columns of both rows of the first matrix, then of the second one, or the reverse.
  Value isLower = b.isBelow(b.modulo(lane, 4), b.i32(2)); // of the rows
  Value even = b.select(isLower, b.i32(0x6420), b.i32(0x2064));
  for (int64_t odd : {0x0000, 0x1111})
    for (int64_t half : {0, 2})
      words.push_back(LLVM::CallIntrinsicOp::create(
                          b, b.getI32Type(), b.getStringAttr("llvm.nvvm.prmt"),
                          mlir::ValueRange{pairs[half], pairs[half + 1], b.add(even, b.i32(odd))})
                          .getResults());
  return words;
}

//===-- Products ------------------------------------------------------------------------------===//

/// Calls the instruction with fragments in LLVM's types.
MatrixProducts::Words MatrixProducts::multiplyAdd(const MatrixForm &form, mlir::ValueRange lhs,
                                                  mlir::ValueRange rhs, mlir::ValueRange sums,
                                                  mlir::ValueRange scales) {
  bool isHalf = llvm::StringRef(form.name).ends_with("row.col.f32.f32");
  auto half = mlir::VectorType::get({2}, b.getF16Type());
  SmallVector<Value> operands;
  for (mlir::ValueRange words : {lhs, rhs})
    for (Value word : words)
      operands.push_back(isHalf ? Value(LLVM::BitcastOp::create(b, half, word)) : word);
  llvm::append_range(operands, sums);
  llvm::append_range(operands, scales);
  SmallVector<mlir::Type> types(sums.getTypes());
  Value all =
      LLVM::CallIntrinsicOp::create(b, LLVM::LLVMStructType::getLiteral(b.getContext(), types),
                                    b.getStringAttr("llvm.nvvm.mma." + form.name), operands)
          .getResults();
  Words results;
  for (size_t at = 0; at < sums.size(); ++at)
    results.push_back(LLVM::ExtractValueOp::create(b, all, at));
  return results;
}

void MatrixProducts::multiplyAdd(const MatrixForm &form, mlir::ValueRange lhs, mlir::ValueRange rhs,
                                 const Home &sums, llvm::ArrayRef<int64_t> slots) {
  auto before =
      llvm::map_to_vector(slots, [&](int64_t slot) { return tiles.read(sums, {b.i32(slot), {}}); });
  const Words after = multiplyAdd(form, lhs, rhs, before);
  for (auto [slot, sum] : llvm::zip_equal(slots, after))
    tiles.write(sums, {b.i32(slot), {}}, sum);
}

/// The first row, among those of the CTA, or column of the result that the warp computes.
Value MatrixProducts::firstRow(const MatrixProduct &product) {
  Value warp = b.dividedBy(b.dividedBy(tiles.thread, 32), product.warpsAlongN);
  return b.times(b.modulo(warp, product.warpsAlongM / product.ctas),
                 product.fragmentsAlongM() * product.form.rows);
}

Value MatrixProducts::firstColumn(const MatrixProduct &product) {
  Value warpN = b.modulo(b.dividedBy(tiles.thread, 32), product.warpsAlongN);
  return b.times(warpN, product.fragmentsAlongN() * MatrixProduct::columns);
}

/// Those of rhs, one after the other.
SmallVector<MatrixProducts::Words> MatrixProducts::rights(const Inputs &inputs, Value step,
                                                          const Piece &piece) {
  const MatrixProduct &product = inputs.product;
  const int64_t n = product.fragmentsAlongN();
  Value column = firstColumn(product);
  Matrix right = inputs.rhs;
  // Batches are successive rows.
  right.base =
      b.byteOffset(right.base, b.i32(piece.batch * right.image.rows * right.image.rowBytes));
  SmallVector<Words> all;
  int64_t pair = product.elementBytes == 8 || n == 1 ? 1 : 2;
  for (int64_t at = 0; at < n; at += pair) {
    Value first = b.add(column, b.i32(at * MatrixProduct::columns));
    Words words = fragmentsOfRhs(product, right, first, step);
    int64_t each = product.elementBytes == 8 ? 1 : 2;
    for (int64_t of = 0; of < pair; ++of)
      all.push_back(Words(words.begin() + of * each, words.begin() + (of + 1) * each));
  }
  return all;
}

/// That of lhs for the row `i` of a piece's fragments. In registers, the words of a step are those
/// of its two fragments along k (MatrixProduct::lhsLayout); steps are then unrolled.
MatrixProducts::Words MatrixProducts::left(const Inputs &inputs, Value step, const Piece &piece,
                                           int64_t i) {
  const MatrixProduct &product = inputs.product;
  const int64_t m = product.fragmentsAlongM(), rows = product.form.rows;
  if (!inputs.lhs) {
    constexpr int64_t wordsOfStep = 4;
    const int64_t row = piece.batch * m + piece.firstRow + i;
    const int64_t at = row * (product.k / product.steps()) + *mlir::getConstantIntValue(step);
    return Words(llvm::ArrayRef(inputs.lhsWords).slice(at * wordsOfStep, wordsOfStep));
  }
  Value first =
      b.add(firstRow(product), b.i32(piece.batch * inputs.lhs->image.rows + piece.firstRow * rows));
  return fragmentsOfLhs(product, *inputs.lhs, b.add(first, b.i32(i * rows)), step);
}

MatrixProducts::Fragments MatrixProducts::fragments(const Inputs &inputs, Value step,
                                                    const Piece &piece) {
  Fragments all{{}, rights(inputs, step, piece)};
  for (int64_t i = 0; i < piece.rows; ++i)
    all.lefts.push_back(left(inputs, step, piece, i));
  return all;
}

/// Multiplies a row of fragments. If the instruction takes only half of the bytes along k, it is
/// called for each half.
void MatrixProducts::multiplyRow(const Inputs &inputs, const Words &left,
                                 llvm::ArrayRef<Words> rights, const Piece &piece, int64_t i) {
  const MatrixForm &form = inputs.product.form;
  const int64_t parts = MatrixForm::bytesAlongK / form.bytesOfOne;
  for (auto [j, right] : llvm::enumerate(rights)) {
    auto slots = piece.slotsOf(inputs.product, i, int64_t(j));
    for (int64_t part = 0; part < parts; ++part) {
      auto partOf = [&](const Words &words) {
        return llvm::ArrayRef(words).slice(part * words.size() / parts, words.size() / parts);
      };
      multiplyAdd(form, partOf(left), partOf(right), piece.sums, slots);
    }
  }
}

void MatrixProducts::multiply(const Inputs &inputs, Value step, const Piece &piece) {
  if (inputs.product.isScaled())
    return multiplyScaled(inputs, step, piece);
  const SmallVector<Words> columns = rights(inputs, step, piece);
  for (int64_t i = 0; i < piece.rows; ++i)
    multiplyRow(inputs, left(inputs, step, piece, i), columns, piece, i);
}

/// Double buffering: the fragments of the next step are loaded before this step is multiplied.
void MatrixProducts::multiplyAhead(const Inputs &inputs, int64_t count, const Piece &piece) {
  Fragments next = fragments(inputs, b.i32(0), piece);
  for (int64_t step = 0; step < count; ++step) {
    const Fragments now = std::move(next);
    if (step + 1 < count)
      next = fragments(inputs, b.i32(step + 1), piece);
    for (int64_t i = 0; i < piece.rows; ++i)
      multiplyRow(inputs, now.lefts[i], now.rights, piece, i);
  }
}

void MatrixProducts::multiplySteps(const Inputs &inputs, int64_t count, const Piece &piece) {
  if (plan.staged.find(inputs.op)->second.loadsFragmentsAhead)
    return multiplyAhead(inputs, count, piece);
  if (inputs.lhs)
    return b.forEach(0, count, [&](Value step) { multiply(inputs, step, piece); });
  for (int64_t step = 0; step < count; ++step)
    multiply(inputs, b.i32(step), piece);
}

/// Copies a piece from the array of all accumulators, or back.
void MatrixProducts::copyPiece(const MatrixProduct &product, const Piece &piece, const Home &sums,
                               bool isBack) {
  for (int64_t i = 0; i < piece.rows; ++i)
    for (int64_t j = 0; j < product.fragmentsAlongN(); ++j)
      for (auto [there, here] : llvm::zip_equal(product.slotsOf(piece.batch, piece.firstRow + i, j),
                                                piece.slotsOf(product, i, j))) {
        Own from{b.i32(isBack ? here : there), {}}, to{b.i32(isBack ? there : here), {}};
        tiles.write(isBack ? sums : piece.sums, to, tiles.read(isBack ? piece.sums : sums, from));
      }
}

void MatrixProducts::multiplyPieces(const Inputs &inputs, int64_t steps, const Home &sums) {
  const MatrixProduct &product = inputs.product;
  const int64_t rows = product.rowsOfPiece(plan.threads);
  const bool areApart = !product.layout(plan.threads).isInRegisters();
  for (int64_t batch = 0; batch < product.batches; ++batch)
    for (int64_t first = 0; first < product.fragmentsAlongM(); first += rows) {
      Piece piece{sums, batch, first, rows, areApart};
      if (areApart) {
        mlir::Type word = wordType(sums.elementType);
        piece.sums.base = b.localArray(word, rows * product.sumsOfRow());
        copyPiece(product, piece, sums, /*isBack=*/false);
      }
      multiplySteps(inputs, steps / product.steps(), piece);
      if (areApart)
        copyPiece(product, piece, sums, /*isBack=*/true);
    }
}

void MatrixProducts::emit(tile::MatmulOpInterface op) {
  const MatrixProduct &product = plan.matrices.find(op)->second;
  const Exchange *exchange = plan.exchangeOf(op);
  int64_t steps = exchange ? exchange->window : product.k;
  Value acc = op.getAcc(), result = op->getResult(0);
  TileLayout layout = tiles.layoutOf(result);
  Format format = formatOf(acc);
  // f16 accumulators are rounded at the end.
  const bool isNarrow = format == Format::F16;
  Home sums = isNarrow ? tiles.newHome(b.getF32Type(), layout) : tiles.homeOf(result);
  const bool beginsWithZeros =
      product.form.isOfWarpgroup() && !product.isPromoted && steps == product.k && isZero(acc);
  if (!beginsWithZeros && (isNarrow || isRecomputed(acc) || tiles.homeOf(acc).base != sums.base))
    tiles.forEachOwn(layout, [&](const Own &own) {
      Value start = tiles.read(acc, own);
      tiles.write(sums, own, isNarrow ? widen(b, b.getLoc(), plan.target, format, start) : start);
    });
  if (product.isScaled())
    scales.write(llvm::cast<tile::MmaFScaledOp>(op.getOperation()));
  if (product.isScaled() && plan.roles.ringOf(op)) // threads wait for a ring without a barrier
    b.barrier();
  b.forEach(0, product.k / steps, [&](Value window) {
    auto [lhs, rhs] = operands.bring(op, window, steps);
    Words words = lhs ? Words() : warpgroups.wordsOfLhs(op.getLhs());
    if (product.form.isOfWarpgroup())
      warpgroups.multiply({op, lhs, rhs, words, steps, sums, beginsWithZeros});
    else
      multiplyPieces({op, product, lhs, rhs, words, b.times(window, steps / product.steps())},
                     steps, sums);
  });
  operands.release(op);
  if (isNarrow)
    tiles.forEachOwn(layout, [&](const Own &own) {
      Value sum = tiles.read(sums, own);
      tiles.write(result, own, narrow(b, b.getLoc(), plan.target, format, sum));
    });
}
