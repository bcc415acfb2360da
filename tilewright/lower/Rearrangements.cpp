// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins chains of rearrangements and of conversions. If two of a kind can be joined into one, the
// second takes the operand of the first; if they cancel, they are replaced by the operand of the
// first. Operations are visited front to back, so chains of any length shrink pair by pair.

#include "tilewright/lower/EvaluateOp.h"
#include "tilewright/lower/Simplify.h"
#include "tilewright/tile/Arithmetic.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::tile;
using numerics::Element;
using numerics::Format;

//===-- Rearrangements ----------------------------------------------------------------------===//

/// For reshape and broadcast: only the last shape matters.
template <typename Op> static Simpler joinShapes(Op op) {
  if (auto inner = op.getSource().template getDefiningOp<Op>())
    op.getSourceMutable().assign(inner.getSource());
  return op.getSource().getType() == op.getType() ? Simpler(op.getSource()) : Simpler();
}

static Simpler joinPermutations(PermuteOp op) {
  SmallVector<int32_t> permutation(op.getPermutation());
  if (auto inner = op.getSource().getDefiningOp<PermuteOp>()) {
    for (int32_t &dim : permutation)
      dim = inner.getPermutation()[dim];
    op.setPermutation(permutation);
    op.getSourceMutable().assign(inner.getSource());
  }
  bool identity = llvm::equal(permutation, llvm::seq<int32_t>(permutation.size()));
  return identity ? Simpler(op.getSource()) : Simpler();
}

/// The index of the slice along each dimension, if all are known and the slice exists.
static std::optional<SmallVector<int64_t>> knownSlice(ExtractOp op, Facts &facts) {
  ArrayRef<int64_t> from = op.getSource().getType().getShape(), to = op.getType().getShape();
  SmallVector<int64_t> slice;
  for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
    std::optional<Element> element = facts.splatOf(index);
    if (!element || element->asUnsigned() >= uint64_t(from[dim] / to[dim]))
      return std::nullopt;
    slice.push_back(element->asUnsigned());
  }
  return slice;
}

static void takeSliceOf(ExtractOp op, Value source, ArrayRef<int64_t> slice, OpBuilder &builder) {
  auto type = TileType::get({}, builder.getI32Type());
  SmallVector<Value> indices;
  for (int64_t index : slice)
    indices.push_back(ConstantOp::create(builder, op.getLoc(), type,
                                         DenseElementsAttr::get(type, APInt(32, index))));
  op.getSourceMutable().assign(source);
  op.getIndicesMutable().assign(indices);
}

/// A slice of a slice; both positions are counted in slices of the final shape.
static void extractFromExtract(ExtractOp op, ExtractOp inner, ArrayRef<int64_t> slice,
                               ArrayRef<int64_t> innerSlice, OpBuilder &builder) {
  ArrayRef<int64_t> between = inner.getType().getShape(), to = op.getType().getShape();
  SmallVector<int64_t> position;
  for (auto [outer, first, extent, result] : llvm::zip_equal(slice, innerSlice, between, to))
    position.push_back(first * (extent / result) + outer);
  takeSliceOf(op, inner.getSource(), position, builder);
}

/// A slice that lies in one half of a concatenation.
static void extractFromCat(ExtractOp op, CatOp cat, ArrayRef<int64_t> slice, OpBuilder &builder) {
  uint64_t dim = cat.getDim();
  int64_t half = cat.getLhs().getType().getShape()[dim], extent = op.getType().getShape()[dim];
  if (extent > half)
    return;
  SmallVector<int64_t> position(slice);
  bool inLhs = slice[dim] * extent < half;
  if (!inLhs)
    position[dim] -= half / extent;
  takeSliceOf(op, inLhs ? cat.getLhs() : cat.getRhs(), position, builder);
}

static Simpler joinExtracts(ExtractOp op, Facts &facts, OpBuilder &builder) {
  std::optional<SmallVector<int64_t>> slice = knownSlice(op, facts);
  if (!slice)
    return {};
  if (auto inner = op.getSource().getDefiningOp<ExtractOp>()) {
    if (std::optional<SmallVector<int64_t>> innerSlice = knownSlice(inner, facts))
      extractFromExtract(op, inner, *slice, *innerSlice, builder);
  } else if (auto cat = op.getSource().getDefiningOp<CatOp>()) {
    extractFromCat(op, cat, *slice, builder);
  }
  return op.getSource().getType() == op.getType() ? Simpler(op.getSource()) : Simpler();
}

/// The one-element tile that a value repeats; null if the value is not a broadcast of one element.
static Value repeatedElement(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  return broadcast && broadcast.getSource().getType().getNumElements() == 1
             ? Value(broadcast.getSource())
             : Value();
}

Value lower::repeatOver(TileType type, Value element, Location loc, OpBuilder &builder) {
  SmallVector<int64_t> ones(type.getRank(), 1);
  TileType oneElement = type.withShape(ones);
  if (auto reshape = element.getDefiningOp<ReshapeOp>())
    element = reshape.getSource();
  if (element.getType() != oneElement)
    element = ReshapeOp::create(builder, loc, oneElement, element);
  if (type == oneElement)
    return element;
  return BroadcastOp::create(builder, loc, type, element);
}

/// Moving equal elements changes nothing: broadcasts the element again, to the result's shape.
static Simpler moveRepeated(Operation *op, Facts &facts, OpBuilder &builder) {
  Value element = repeatedElement(op->getOperand(0));
  if (!element)
    return {};
  if (auto extract = dyn_cast<ExtractOp>(op); extract && !knownSlice(extract, facts))
    return {};
  if (isa<CatOp>(op) && repeatedElement(op->getOperand(1)) != element)
    return {};
  return repeatOver(cast<TileType>(op->getResult(0).getType()), element, op->getLoc(), builder);
}

Simpler lower::joinRearrangements(Operation *op, Facts &facts, OpBuilder &builder) {
  // Two broadcasts are joined by joinShapes.
  bool moves = isa<RearrangementOpInterface>(op) && !isa<BroadcastOp>(op);
  if (moves || isa<CatOp>(op))
    if (Simpler moved = moveRepeated(op, facts, builder))
      return moved;
  return llvm::TypeSwitch<Operation *, Simpler>(op)
      .Case<ReshapeOp, BroadcastOp>([](auto op) { return joinShapes(op); })
      .Case([](PermuteOp op) { return joinPermutations(op); })
      .Case([&](ExtractOp op) { return joinExtracts(op, facts, builder); })
      .Default(Simpler());
}

//===-- Conversions -------------------------------------------------------------------------===//

/// Reinterprets the same bits twice: only the last type matters.
template <typename Op> static Simpler joinCasts(Op op) {
  if (auto inner = op.getSource().template getDefiningOp<Op>())
    op.getSourceMutable().assign(inner.getSource());
  return op.getSource().getType() == op.getType() ? Simpler(op.getSource()) : Simpler();
}

/// Op undoes Inverse.
template <typename Inverse, typename Op> static Simpler cancel(Op op) {
  auto inverse = op.getSource().template getDefiningOp<Inverse>();
  return inverse && inverse.getSource().getType() == op.getType() ? Simpler(inverse.getSource())
                                                                  : Simpler();
}

/// Unpacking to tf32 drops the low bits.
static Simpler cancelPack(PackOp op) {
  bool exact = formatOfTile(op.getSource()) != Format::TF32;
  return exact ? cancel<UnpackOp>(op) : Simpler();
}

static unsigned widthOf(Value value) { return numerics::info(formatOfTile(value)).bits; }

static Simpler joinExtensions(ExtIOp op) {
  auto inner = op.getFrom().getDefiningOp<ExtIOp>();
  if (inner && inner.getSignedness() == op.getSignedness())
    op.getFromMutable().assign(inner.getFrom());
  return {};
}

/// Truncation of a truncated or extended value keeps that value's low bits. Truncations with
/// overflow assumptions are left alone.
static Simpler joinTruncation(TruncIOp op, OpBuilder &builder) {
  if (op.getOverflow() != IntegerOverflow::None)
    return {};
  if (auto inner = op.getFrom().getDefiningOp<TruncIOp>();
      inner && inner.getOverflow() == IntegerOverflow::None)
    op.getFromMutable().assign(inner.getFrom());
  auto extension = op.getFrom().getDefiningOp<ExtIOp>();
  if (!extension)
    return {};
  TypedValue<TileType> source = extension.getFrom();
  if (source.getType() == op.getType())
    return source;
  if (widthOf(source) > widthOf(op.getTo())) {
    op.getFromMutable().assign(source);
    return {};
  }
  return Value(
      ExtIOp::create(builder, op.getLoc(), op.getType(), source, extension.getSignedness()));
}

/// `wide` must represent all numbers of `narrow`; infinities do not come back if the conversion
/// saturates (arithmetic, 4.25).
bool lower::roundTrips(Format narrow, Format wide) {
  const numerics::FormatInfo &from = numerics::info(narrow), &to = numerics::info(wide);
  auto smallestExponent = [](const numerics::FormatInfo &format) {
    return format.minExponent() - format.mantissaBits;
  };
  bool saturates = from.bits <= 8;
  return from.precision() <= to.precision() && from.maxExponent() <= to.maxExponent() &&
         smallestExponent(from) >= smallestExponent(to) && from.hasSign <= to.hasSign &&
         from.hasZero <= to.hasZero && from.hasNan <= to.hasNan &&
         (!from.hasInf || (to.hasInf && !saturates));
}

/// A conversion to a format that represents all numbers of the first, and back.
static Simpler cancelFToF(FToFOp op, Facts &facts) {
  auto inner = op.getFrom().getDefiningOp<FToFOp>();
  if (!inner || inner.getFrom().getType() != op.getType() ||
      !roundTrips(formatOfTile(op.getTo()), formatOfTile(op.getFrom())) ||
      !facts.hasCanonicalNans(inner.getFrom()))
    return {};
  return inner.getFrom();
}

Simpler lower::joinConversions(Operation *op, Facts &facts, OpBuilder &builder) {
  return llvm::TypeSwitch<Operation *, Simpler>(op)
      .Case<BitcastOp, PtrToPtrOp>([](auto op) { return joinCasts(op); })
      .Case([](PtrToIntOp op) { return cancel<IntToPtrOp>(op); })
      .Case([](PackOp op) { return cancelPack(op); })
      .Case([](UnpackOp op) { return cancel<PackOp>(op); })
      .Case([](ExtIOp op) { return joinExtensions(op); })
      .Case([&](TruncIOp op) { return joinTruncation(op, builder); })
      .Case([&](FToFOp op) { return cancelFToF(op, facts); })
      .Default(Simpler());
}
