// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MatmulOperands.h.

#include "tilewright/cpu/emit/matmul/MatmulOperands.h"
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
namespace vector = mlir::vector;

//===-- Elements of operands ------------------------------------------------------------------===//

/// Converts elements of an operand to the element type of the form.
Value MatmulOperands::asFactors(const MatmulProduct &product, unsigned operand, Value elements) {
  mlir::Type type = shapedLike(product.form.operand, elements.getType());
  if (auto mma = llvm::dyn_cast<tile::MmaIOp>(product.op)) {
    if (elements.getType() == type)
      return elements;
    auto sign = operand == 0 ? mma.getSignednessLhs() : mma.getSignednessRhs();
    if (sign == tile::Signedness::Signed)
      return arith::ExtSIOp::create(b, type, elements);
    return arith::ExtUIOp::create(b, type, elements);
  }
  mlir::Type element = tileTypeOf(product.op->getOperand(operand)).getElementType();
  if (elements.getType() == type && (element.isBF16() || product.form.kind == MmaKind::Fma))
    return elements;
  Value single = widen(b, b.getLoc(), target, *tile::formatOf(element), elements);
  if (product.form.operand.isF32())
    return single;
  if (product.form.operand.isF64())
    return arith::ExtFOp::create(b, type, single);
  // The upper half of an f32 is a bf16.
  mlir::Type bits = shapedLike(b.getI32Type(), single.getType());
  Value upper = arith::ShRUIOp::create(b, arith::BitcastOp::create(b, bits, single),
                                       b.constantBits(bits, 16));
  return arith::TruncIOp::create(b, type, upper);
}

/// The scales of the elements at the position; one scale, broadcast, if all lanes share it.
Value MatmulOperands::scalesAt(const MatmulProduct &product, unsigned operand, Position position) {
  auto mma = llvm::cast<tile::MmaFScaledOp>(product.op);
  Value scale = operand == 0 ? mma.getLhsScale() : mma.getRhsScale();
  int64_t width = position.width, along = position.at.size() - (operand == 0 ? 1 : 2);
  position.at[along] =
      b.createOrFold<arith::DivUIOp>(position.at[along], b.i64(scaleBlock(mma, operand)));
  if (position.lanes == along)
    position.width = 1; // the lanes share a scale
  Format format = *tile::formatOf(tileTypeOf(scale).getElementType());
  Value value = widen(b, b.getLoc(), target, format, evaluator.evaluate(scale, position));
  value = arith::ExtFOp::create(b, shapedLike(product.form.operand, value.getType()), value);
  return position.width == width ? value : b.splat(value, width);
}

Value MatmulOperands::factorsAt(const MatmulProduct &product, unsigned operand,
                                const Position &position) {
  Value factors =
      asFactors(product, operand, evaluator.evaluate(product.op->getOperand(operand), position));
  if (!llvm::isa<tile::MmaFScaledOp>(product.op))
    return factors;
  return arith::MulFOp::create(b, factors, scalesAt(product, operand, position));
}

//===-- Words ---------------------------------------------------------------------------------===//

/// Interleaves vectors of elements of k, k + 1, ...: each lane becomes a word.
static Value sideBySide(LoopBuilder &b, llvm::ArrayRef<Value> rows) {
  if (rows.size() == 1)
    return rows[0];
  SmallVector<Value, 2> pairs;
  size_t half = rows.size() / 2;
  for (size_t i = 0; i < half; ++i)
    pairs.push_back(vector::InterleaveOp::create(b, rows[i], rows[i + half]));
  return sideBySide(b, pairs);
}

/// Reinterprets packed elements as words of the form.
static Value asWords(LoopBuilder &b, const MatmulForm &form, Value factors) {
  if (form.perWord == 1)
    return factors;
  int64_t words = llvm::cast<mlir::VectorType>(factors.getType()).getNumElements() / form.perWord;
  return vector::BitCastOp::create(b, mlir::VectorType::get({words}, form.word()), factors);
}

/// Swaps the halves of words.
static Value swapped(LoopBuilder &b, Value words) {
  Value sixteen = b.constantBits(words.getType(), 16);
  return arith::OrIOp::create(b, arith::ShLIOp::create(b, words, sixteen),
                              arith::ShRUIOp::create(b, words, sixteen));
}

/// Writes consecutive words, also if there is one: a vector of a single word is a scalar.
void MatmulOperands::writeFactors(const MatmulProduct &product, Value base, Value linear,
                                  Value words) {
  if (auto type = llvm::dyn_cast<mlir::VectorType>(words.getType());
      type && type.getDimSize(0) == 1)
    words = vector::ExtractOp::create(b, words, 0);
  b.writeWords(base, product.form.word(), linear, 1, words);
}

//===-- Packing lhs ---------------------------------------------------------------------------===//

void MatmulOperands::writeLeft(const MatmulProduct &product, const Position &position,
                               Value words) {
  const MatmulProduct::Words &left = product.left;
  size_t rank = position.at.size();
  int64_t perWord = product.form.perWord, lanes = int64_t(rank) - position.lanes;
  Value linear = b.createOrFold<arith::DivUIOp>(position.at[rank - 1], b.i64(perWord));
  if (product.iteration)
    linear = b.add(linear, b.mul(product.iteration, b.i64(product.stepsPerIteration())));
  linear = b.add(linear, b.mul(position.at[rank - 2], b.i64(left.perRow)));
  if (rank == 3)
    linear = b.add(linear, b.mul(position.at[0], b.i64(left.perBatch)));
  if (perWord > 1 || position.width == 1 || lanes == 1)
    return writeFactors(product, left.base, linear, words);
  b.writeWords(left.base, product.form.word(), linear, lanes == 2 ? left.perRow : left.perBatch,
               words);
}

void MatmulOperands::packLeft(const MatmulProduct &product) {
  auto shape = tileTypeOf(product.op->getOperand(0)).getShape();
  const MatmulForm &form = product.form;
  const int64_t dim = form.perWord == 1 ? -1 : int64_t(shape.size()) - 1;
  b.forEach(
      shape, product.plan.packedElements,
      [&](const Position &position) {
        Value words = asWords(b, form, factorsAt(product, 0, position));
        if (form.kind == MmaKind::Bf16Dot)
          words = swapped(b, words);
        writeLeft(product, position, words);
      },
      dim);
}

//===-- Packing rhs ---------------------------------------------------------------------------===//

/// Adds to the corrections of these columns 128 times the sum of the elements, four per word.
Value MatmulOperands::addCorrection(const MatmulProduct &product, Value words, Value so) {
  bool isSigned =
      llvm::cast<tile::MmaIOp>(product.op).getSignednessRhs() == tile::Signedness::Signed;
  // 128 as unsigned bytes, or -128 as signed ones.
  Value many = b.constantBits(words.getType(), 0x80808080);
  return isSigned ? dot(b, product, many, words, so) : dot(b, product, words, many, so);
}

/// Clears the corrections in the first of the iterations that are computed at once.
void MatmulOperands::clearCorrections(const MatmulProduct &product) {
  auto clear = [&] {
    evaluator.forEach({product.batches * product.n}, [&](const Position &position) {
      Value zero = b.constantBits(product.form.accumulator, 0);
      b.writeWords(product.corrections, product.form.accumulator, position.at[0], 1,
                   b.splat(zero, position.width));
    });
  };
  if (!product.iteration)
    return clear();
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, product.iteration, b.i64(0));
  b.branch(isFirst, clear, [] {});
}

/// The words of one vector of columns for one step along k.
Value MatmulOperands::rightWords(const MatmulProduct &product, Value batch, Value step,
                                 Value column) {
  const MatmulForm &form = product.form;
  SmallVector<Value, 4> rows;
  for (int64_t i = 0; i < form.perWord; ++i) {
    Position position;
    if (tileTypeOf(product.op->getOperand(1)).getRank() == 3)
      position.at.push_back(batch);
    position.at.append({b.add(b.mul(step, b.i64(form.perWord)), b.i64(i)), column});
    position.lanes = position.at.size() - 1;
    position.width = product.width;
    rows.push_back(factorsAt(product, 1, position));
  }
  if (form.kind == MmaKind::Bf16Dot)
    std::swap(rows[0], rows[1]);
  return asWords(b, form, sideBySide(b, rows));
}

/// Packs panel by panel; the corrections of a panel are in registers meanwhile.
void MatmulOperands::packRight(const MatmulProduct &product) {
  const MatmulProduct::Words &right = product.right;
  int64_t steps = product.stepsPerIteration(), columns = product.blockColumns();
  Value before = product.iteration ? b.mul(product.iteration, b.i64(steps)) : b.i64(0);
  b.forEach({product.batches, product.n / columns}, 1, [&](const Position &at) {
    Value batch = at.at[0], panel = at.at[1], first = b.mul(panel, b.i64(columns));
    Value base = b.add(b.mul(batch, b.i64(right.perBatch)), b.mul(panel, b.i64(right.perPanel)));
    auto correctionAt = [&](int64_t v) {
      return b.add(b.add(b.mul(batch, b.i64(product.n)), first), b.i64(v * product.width));
    };
    SmallVector<Value> corrections;
    for (int64_t v = 0; product.corrections && v < product.vectors; ++v)
      corrections.push_back(b.readWords(product.corrections, product.form.accumulator,
                                        correctionAt(v), 1, product.width));
    auto loop = mlir::scf::ForOp::create(b, b.i64(0), b.i64(steps), b.i64(1), corrections);
    {
      mlir::OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      ValueCache::Scope scope(cache);
      Value step = loop.getInductionVar();
      Value row = b.add(base, b.mul(b.add(step, before), b.i64(columns)));
      for (int64_t v = 0; v < product.vectors; ++v) {
        Value words = rightWords(product, batch, step, b.add(first, b.i64(v * product.width)));
        writeFactors(product, right.base, b.add(row, b.i64(v * product.width)), words);
        if (product.corrections)
          corrections[v] = addCorrection(product, words, loop.getRegionIterArg(v));
      }
      // A loop without carried values has a terminator already.
      if (product.corrections)
        mlir::scf::YieldOp::create(b, corrections);
    }
    for (int64_t v = 0; product.corrections && v < product.vectors; ++v)
      b.writeWords(product.corrections, product.form.accumulator, correctionAt(v), 1,
                   loop.getResult(v));
  });
}

//===-- Prefetching ---------------------------------------------------------------------------===//

/// Adds the data from which the next iteration's operand is loaded, or its packed words if they are
/// cached, to what is prefetched while products are accumulated.
void MatmulOperands::addStreams(MatmulProduct &product, unsigned operand, const FactorPlace &place,
                                const TileRegions &located) {
  const OperandPrefetch &prefetch = product.plan.prefetch[operand];
  for (const NextTile &next : prefetch.tiles) {
    const TileRegion &region = located.find(next.load)->second;
    int64_t row = lastWideDimension(region.shape), rows = 1;
    Value stride = b.i64(0), ahead = hints.bytesTo(next, region);
    for (auto [dim, extent] : llvm::enumerate(region.shape))
      if (int64_t(dim) != row && extent > 1) {
        rows = extent;
        stride = region.axes[dim].stride;
      }
    int64_t bytes = wordBytes(region.elementType);
    int64_t inRow = region.shape[row] * bytes, lines = llvm::divideCeil(inRow, cacheLineBytes);
    MatmulProduct::Stream stream = {
        b.add(hints.originOf(region), ahead), b.mul(stride, b.i64(bytes)), rows, lines, ahead, {}};
    auto choose = [&](Value packed, Value &loaded) {
      loaded = arith::SelectOp::create(b, place.isPacked, packed, loaded);
    };
    if (place.isPacked && prefetch.reason == OperandPrefetchReason::UnlessCached) {
      stream.isNeeded = arith::XOrIOp::create(b, place.isPacked, b.constantBits(b.getI1Type(), 1));
    } else if (place.isPacked) {
      Value words = mlir::LLVM::PtrToIntOp::create(b, b.getI64Type(), place.words);
      choose(b.add(words, b.i64(product.plan.shared[operand]->groupBytes)), stream.first);
      choose(b.i64(inRow), stream.rowBytes);
      choose(b.i64(rows * inRow), stream.perIteration);
    }
    product.streams.push_back(stream);
  }
}

//===-- Providing operands --------------------------------------------------------------------===//

/// Packs an operand, unless its packed words are cached, or it is read in the tensor.
void MatmulOperands::pack(MatmulProduct &product, unsigned operand) {
  const MatmulPlan &matmul = product.plan;
  const FactorPlace place = shared.placeOf(product.op, operand);
  (operand == 0 ? product.left : product.right).base = place.words;
  if (operand == 1 && matmul.correctionBytes > 0)
    product.corrections =
        b.byteAddress(place.words, b.i64(matmul.iterations * matmul.operandBytes[1]));
  const TileRegions located = loads.locate(matmul.loads[operand]);
  auto write = [&] {
    if (operand == 0)
      loads.forEachLocated(
          matmul.loads[0], located, [&] { packLeft(product); },
          /*areElsewhere=*/bool(matmul.inTensor[0]));
    if (operand == 1 && product.corrections)
      clearCorrections(product);
    if (operand == 1)
      loads.forEachLocated(matmul.loads[1], located, [&] { packRight(product); });
    shared.markPacked(place);
  };
  Value inTensor = operand == 0 ? findLeftRows(product, located) : findRightWords(product, located);
  Value isThere = place.isPacked && inTensor
                      ? arith::OrIOp::create(b, place.isPacked, inTensor).getResult()
                  : inTensor ? inTensor
                             : place.isPacked;
  if (isThere)
    b.branch(isThere, [] {}, write);
  else
    write();
  addStreams(product, operand, place, located);
}

/// Whether the operands of all iterations that are computed at once lie in the tensor, as
/// consecutive tiles along the dimension, as an i1; `region` is then moved to the first of them.
/// Null if that is impossible.
Value MatmulOperands::isInTensor(const MatmulProduct &product, unsigned operand, size_t dim,
                                 TileRegion &region) {
  tile::LoadViewOp load = product.plan.inTensor[operand];
  Axis &along = region.axes[dim];
  Value inTensor = shared.isUnstored(load);
  auto isWhole = [&](const TileRegion &tile) {
    TileRegions all;
    all[load] = tile;
    inTensor = b.conjunction(inTensor, views.areContiguousInBounds(all));
  };
  if (product.iterations > 1) {
    const std::optional<NextTile> &next = product.plan.nextInTensor[operand];
    if (!next)
      return {};
    Value ahead = hints.bytesTo(*next, region);
    int64_t bytes = product.k * elementwise::wordBytes(region.elementType);
    Value isBehind = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, ahead,
                                           b.mul(along.stride, b.i64(bytes)));
    inTensor = b.conjunction(inTensor, isBehind);
    // Tests the first and the last of these tiles: the loop may end before all of them are used.
    along.fits = false;
    along.first = arith::SubIOp::create(b, along.first, b.mul(product.iteration, b.i64(product.k)));
    Value count = arith::MinUIOp::create(b, b.i64(product.iterations),
                                         b.add(product.iteration, frame.loops.back().left));
    TileRegion last = region;
    last.axes[dim].first = b.add(along.first, b.mul(b.add(count, b.i64(-1)), b.i64(product.k)));
    isWhole(last);
  }
  isWhole(region);
  return inTensor ? inTensor : b.constantBits(b.getI1Type(), 1);
}

/// Sets where lhs is read: in the tensor if the returned i1 holds, else in packed form.
Value MatmulOperands::findLeftRows(MatmulProduct &product, const TileRegions &located) {
  tile::LoadViewOp load = product.plan.inTensor[0];
  int64_t wordBytes = product.form.word().getIntOrFloatBitWidth() / 8;
  product.leftRows = {product.left.base, b.i64(product.left.perRow * wordBytes),
                      b.i64(product.left.perBatch * wordBytes)};
  if (!load)
    return {};
  TileRegion region = located.find(load)->second;
  size_t rank = region.axes.size();
  Value inTensor = isInTensor(product, 0, rank - 1, region);
  if (!inTensor)
    return {};
  auto choose = [&](Value there, Value &packed) {
    packed = arith::SelectOp::create(b, inTensor, there, packed);
  };
  auto bytes = [&](size_t dim) {
    return b.mul(region.axes[dim].stride, b.i64(elementwise::wordBytes(region.elementType)));
  };
  choose(b.asPointers(hints.originOf(region)), product.leftRows.base);
  choose(bytes(rank - 2), product.leftRows.perRow);
  if (product.batches > 1)
    choose(bytes(rank - 3), product.leftRows.perBatch);
  return inTensor;
}

/// The same for rhs, whose rows must be consecutive in the tensor, as in a panel.
Value MatmulOperands::findRightWords(MatmulProduct &product, const TileRegions &located) {
  tile::LoadViewOp load = product.plan.inTensor[1];
  if (!load)
    return {};
  TileRegion region = located.find(load)->second;
  size_t alongK = region.axes.size() - 2;
  Value inTensor = isInTensor(product, 1, alongK, region);
  if (!inTensor)
    return {};
  inTensor =
      b.conjunction(inTensor, arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                                    region.axes[alongK].stride, b.i64(product.n)));
  product.right.base = arith::SelectOp::create(b, inTensor, b.asPointers(hints.originOf(region)),
                                               product.right.base);
  return inTensor;
}

void MatmulOperands::provide(MatmulProduct &product) {
  mlir::Operation *op = product.op;
  const MatmulPlan &matmul = product.plan;
  int64_t iterations = matmul.iterations, columns = product.blockColumns();
  int64_t steps = iterations * product.stepsPerIteration();
  bool beginsSums = bool(matmul.initialAccumulator);
  if (iterations > 1 || beginsSums) {
    Value before = arith::SubIOp::create(b, frame.loops.back().tripCount, frame.loops.back().left);
    if (iterations > 1)
      product.iteration = arith::RemUIOp::create(b, before, b.i64(iterations));
    if (beginsSums)
      product.isFirst =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, before, b.i64(iterations));
  }
  product.left = {{}, steps, 0, product.m * steps};
  product.right = {{}, columns, steps * columns, steps * product.n};
  if (matmul.isInPlace[0]) {
    product.left.base = buffers.memoryOf(op->getOperand(0));
    findLeftRows(product, /*located=*/{});
  } else {
    pack(product, 0);
  }
  if (matmul.isInPlace[1]) {
    product.right = {buffers.memoryOf(op->getOperand(1)), product.n, columns,
                     product.k * product.n};
    return;
  }
  pack(product, 1);
}
