// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block-scaled products by `mma.sync` (MatrixProducts.h, BlockScales.h). Some instructions take
// scales. Others multiply the unscaled operands of a block along k, beginning with zeros; then both
// scales multiply the sums. Elements that no instruction takes are converted to f16, which is
// exact.

#include "tilewright/nvidia/emit/MatrixProducts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;
using numerics::Format;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Conversion to f16 ---------------------------------------------------------------------===//

/// Moves the bits of `mask` by some places: to the left, or to the right if negative.
static Value moved(ThreadBuilder &b, Value word, int64_t mask, int64_t places) {
  Value kept = arith::AndIOp::create(b, word, b.i32(int32_t(mask)));
  if (places >= 0)
    return arith::ShLIOp::create(b, kept, b.i32(places));
  return arith::ShRUIOp::create(b, kept, b.i32(-places));
}

/// Multiplies both f16 of a word by a power of two.
static Value scaled(ThreadBuilder &b, Value word, double power) {
  auto pair = mlir::VectorType::get({2}, b.getF16Type());
  Value numbers = LLVM::BitcastOp::create(b, pair, word);
  const mlir::Attribute factor =
      mlir::DenseElementsAttr::get(pair, b.getFloatAttr(b.getF16Type(), power));
  Value factors = LLVM::ConstantOp::create(b, pair, factor);
  return LLVM::BitcastOp::create(b, b.getI32Type(), LLVM::FMulOp::create(b, numbers, factors));
}

/// Two f16 from two elements in the upper bytes of both halves. Exponent and mantissa move to
/// their places; the product by a power of two corrects the bias of the exponent, also of
/// subnormals. NaN of f8E4M3FN would become 480, which a bit turns into NaN.
static Value halvesOf(ThreadBuilder &b, Format format, Value upper) {
  auto with = [&](Value a, Value c) { return arith::OrIOp::create(b, a, c); };
  if (format == Format::F8E5M2)
    return upper;
  if (format == Format::F4E2M1FN) {
    Value magnitude = moved(b, upper, 0x07000700, 1);
    return scaled(b, with(magnitude, moved(b, upper, 0x08000800, 4)), 0x1p14);
  }
  assert(format == Format::F8E4M3FN && "formats are listed above");
  Value magnitude = moved(b, upper, 0x7F007F00, -1);
  Value number = scaled(b, with(magnitude, moved(b, upper, int32_t(0x80008000), 0)), 0x1p8);
  Value isNan = moved(b, b.add(magnitude, b.i32(0x00800080)), 0x40004000, -1);
  return with(number, isNan);
}

/// The f16 of the lower and of the upper two elements of a word.
static std::array<Value, 2> halvesOfWord(ThreadBuilder &b, Format format, Value word) {
  auto upper = [&](int64_t bytes) {
    return LLVM::CallIntrinsicOp::create(b, b.getI32Type(), b.getStringAttr("llvm.nvvm.prmt"),
                                         mlir::ValueRange{word, b.i32(0), b.i32(bytes)})
        .getResults();
  };
  return {halvesOf(b, format, upper(0x1404)), halvesOf(b, format, upper(0x3424))};
}

/// Fragments of f16 from one of 8-bit elements, for two instructions. A lane has four successive
/// elements of 16 along k. Any order along k is permitted if it is the same in both operands: an
/// instruction takes the first two as its first 8 steps, and the others as the next 8.
static SmallVector<Value> inHalves(ThreadBuilder &b, Format format, llvm::ArrayRef<Value> words) {
  SmallVector<Value> halves;
  const size_t rows = words.size() / 2; // words per 16 bytes along k
  for (size_t first = 0; first < words.size(); first += rows) {
    SmallVector<std::array<Value, 2>> pairs;
    for (Value word : words.slice(first, rows))
      pairs.push_back(halvesOfWord(b, format, word));
    for (size_t half : {0, 1})
      for (const std::array<Value, 2> &pair : pairs)
        halves.push_back(pair[half]);
  }
  return halves;
}

//===-- Products ------------------------------------------------------------------------------===//

static tile::MmaFScaledOp opOf(tile::MatmulOpInterface op) {
  return llvm::cast<tile::MmaFScaledOp>(op.getOperation());
}

/// Of the first and the last row of each fragment of lhs, or the two columns of each one of rhs.
MatrixProducts::Scales MatrixProducts::scalesOf(const Inputs &inputs, Value step,
                                                const Piece &piece, bool isLhs) {
  const MatrixProduct &product = inputs.product;
  const TileLayout layout = product.layout(plan.threads);
  tile::MmaFScaledOp op = opOf(inputs.op);
  const int64_t blocks = product.steps() / product.scaledBlock;
  Value first = b.times(b.add(inputs.firstStep, step), blocks);
  auto scalesAt = [&](llvm::ArrayRef<int64_t> slots, int64_t block) {
    auto scaleOf = [&](int64_t slot) {
      return scales.read(op, isLhs, tiles.ownIn(layout, slot), b.add(first, b.i32(block)));
    };
    return std::array<BlockScales::Scale, 2>{scaleOf(slots[0]), scaleOf(slots[isLhs ? 2 : 1])};
  };
  Scales all;
  for (int64_t at = 0; at < (isLhs ? piece.rows : product.fragmentsAlongN()); ++at) {
    auto slots = isLhs ? product.slotsOf(piece.batch, piece.firstRow + at, 0)
                       : product.slotsOf(piece.batch, piece.firstRow, at);
    auto &ofFragment = all.emplace_back();
    for (int64_t block = 0; block < blocks; ++block)
      ofFragment.push_back(scalesAt(slots, block));
  }
  return all;
}

/// The sum of the products of one block along k, of those that an instruction word has.
MatrixProducts::Words MatrixProducts::sumOfBlock(const MatrixProduct &product, const Words &left,
                                                 const Words &right, int64_t block) {
  const int64_t parts = MatrixForm::bytesAlongK / product.form.bytesOfOne;
  const int64_t ofBlock = parts * product.scaledBlock / product.steps();
  Value zero = b.constantBits(b.getF32Type(), 0);
  Words sums(product.sumsOfFragment(), zero);
  for (int64_t part = block * ofBlock; part < (block + 1) * ofBlock; ++part) {
    auto partOf = [&](const Words &words) {
      return llvm::ArrayRef(words).slice(part * words.size() / parts, words.size() / parts);
    };
    sums = multiplyAdd(product.form, partOf(left), partOf(right), sums);
  }
  return sums;
}

void MatrixProducts::scaleAfterwards(const Inputs &inputs, const Fragments &fragments, Value step,
                                     const Piece &piece) {
  const MatrixProduct &product = inputs.product;
  const Scales ofRows = scalesOf(inputs, step, piece, true);
  const Scales ofColumns = scalesOf(inputs, step, piece, false);
  for (auto [i, row] : llvm::enumerate(fragments.lefts))
    for (auto [j, column] : llvm::enumerate(fragments.rights))
      for (size_t block = 0; block < ofRows[i].size(); ++block) {
        const Words sums = sumOfBlock(product, row, column, int64_t(block));
        for (auto [at, slot] : llvm::enumerate(piece.slotsOf(product, int64_t(i), int64_t(j)))) {
          const Own own{b.i32(slot), {}};
          const auto &ofRow = ofRows[i][block][at / 2], &ofColumn = ofColumns[j][block][at % 2];
          Value before = tiles.read(piece.sums, own);
          tiles.write(piece.sums, own, scales.multiplyAdd(sums[at], ofRow, ofColumn, before));
        }
      }
}

//===-- Instructions with scales --------------------------------------------------------------===//

/// A fragment's scales, as the instruction takes them: of rows from the first two lanes of each
/// four, which have the upper and the lower eight rows; of columns from the first lane.
MatrixProducts::Words MatrixProducts::scaleWords(const Inputs &inputs, Value step,
                                                 const Piece &piece, bool isLhs) {
  const MatrixProduct &product = inputs.product;
  Value lane = b.modulo(tiles.thread, 32), line = b.dividedBy(lane, 4);
  Value block = b.add(inputs.firstStep, step), batch = b.i32(piece.batch);
  auto lineOf = [&](int64_t at) {
    if (isLhs)
      return b.add(b.add(firstRow(product), b.times(b.modulo(lane, 2), 8)),
                   b.add(line, b.i32((piece.firstRow + at) * product.form.rows)));
    const int64_t before = product.isPaired ? at / 2 * 16 + at % 2 : at * MatrixProduct::columns;
    return b.add(firstColumn(product),
                 b.add(b.times(line, product.isPaired ? 2 : 1), b.i32(before)));
  };
  Words words;
  for (int64_t at = 0; at < (isLhs ? piece.rows : product.fragmentsAlongN()); ++at) {
    Value scale = scales.read(opOf(inputs.op), isLhs, batch, lineOf(at), block);
    words.push_back(arith::ExtUIOp::create(b, b.getI32Type(), scale));
  }
  return words;
}

void MatrixProducts::multiplyWithScales(const Inputs &inputs, const Fragments &fragments,
                                        Value step, const Piece &piece) {
  const Words ofRows = scaleWords(inputs, step, piece, true);
  const Words ofColumns = scaleWords(inputs, step, piece, false);
  Value first = b.constantBits(b.getI16Type(), 0); // byte and thread
  for (auto [i, row] : llvm::enumerate(fragments.lefts))
    for (auto [j, column] : llvm::enumerate(fragments.rights)) {
      Words sums;
      auto slots = piece.slotsOf(inputs.product, int64_t(i), int64_t(j));
      for (int64_t slot : slots)
        sums.push_back(tiles.read(piece.sums, {b.i32(slot), {}}));
      sums = multiplyAdd(inputs.product.form, row, column, sums,
                         {ofRows[i], first, first, ofColumns[j], first, first});
      for (auto [slot, sum] : llvm::zip_equal(slots, sums))
        tiles.write(piece.sums, {b.i32(slot), {}}, sum);
    }
}

//===-- Either --------------------------------------------------------------------------------===//

/// The fragment as the instruction takes it: it has elements of four bits in the middle of bytes.
static SmallVector<Value> converted(ThreadBuilder &b, const MatrixForm &form, Format format,
                                    llvm::ArrayRef<Value> words) {
  if (form.takesHalves)
    return inHalves(b, format, words);
  if (format != Format::F4E2M1FN)
    return SmallVector<Value>(words);
  return llvm::map_to_vector(words, [&](Value word) { return moved(b, word, 0x0F0F0F0F, 2); });
}

void MatrixProducts::multiplyScaled(const Inputs &inputs, Value step, const Piece &piece) {
  const auto type = llvm::cast<tile::TileType>(opOf(inputs.op).getLhs().getType());
  const Format format = *tile::formatOf(type.getElementType());
  const MatrixForm &form = inputs.product.form;
  Fragments all = fragments(inputs, step, piece);
  for (SmallVector<Words> *some : {&all.lefts, &all.rights})
    for (Words &words : *some)
      words = converted(b, form, format, words);
  if (form.takesScales)
    multiplyWithScales(inputs, all, step, piece);
  else
    scaleAfterwards(inputs, all, step, piece);
}
