// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes elementwise operations. `evalElement` of the operation computes each result element from
// the operand elements at the same coordinate. If a row function has the same result, it computes
// whole tiles instead (Rows.h).
//
// Poison is computed beside the bits: a result element is marked if it depends on a marked element.
// Its bits are those that hardware without poison would compute.
//
// A scalar operand counts as a splat. Programs cannot express that, but Aggregates.cpp uses it to
// run the bodies of reduce and scan on all positions at once.

#include "tilewright/reference/machine/TileBlock.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/reference/ops/Rows.h"
#include "tilewright/tile/Arithmetic.h"

using namespace tilewright;
using namespace tilewright::reference;

//===-- Poison ----------------------------------------------------------------------------===//

/// Whether one operand alone decides the result, as in `false and x` and `0 * x`.
static bool isDecided(Element absorbing, llvm::ArrayRef<Element> in) {
  return llvm::any_of(
      in, [&](Element operand) { return !operand.poison && operand.bits == absorbing.bits; });
}

bool reference::isWideShift(mlir::Operation *op, llvm::ArrayRef<Element> in) {
  return llvm::isa<tile::ShLIOp, tile::ShRIOp>(op) &&
         in[1].bits >= numerics::info(in[1].format).bits;
}

static bool isToE5M3(mlir::Operation *op) {
  return llvm::isa<tile::FToFOp, tile::IToFOp>(op) &&
         tile::formatOfTile(op->getResult(0)) == numerics::Format::F8E5M3FNU;
}

bool reference::losesSign(mlir::Operation *op, llvm::ArrayRef<Element> in) {
  if (!isToE5M3(op))
    return false;
  if (auto conversion = llvm::dyn_cast<tile::IToFOp>(op))
    return conversion.getSignedness() == tile::Signedness::Signed && in[0].asSigned() < 0;
  return in[0].asDouble() < 0;
}

/// Whether the result is unspecified although the operands are not.
static bool isUnspecified(mlir::Operation *op, llvm::ArrayRef<Element> in) {
  return isWideShift(op, in) || losesSign(op, in);
}

bool reference::mayBeUnspecified(mlir::Operation *op) {
  return llvm::isa<tile::ShLIOp, tile::ShRIOp>(op) || isToE5M3(op);
}

Mark reference::markMadeBy(tile::ElementwiseOpInterface op, llvm::ArrayRef<Element> in) {
  if (op.evalElement(in).poison)
    return Mark::Undefined;
  return isUnspecified(op, in) ? Mark::Unspecified : Mark::None;
}

//===-- Whole tiles -------------------------------------------------------------------------===//

using Operands = llvm::ArrayRef<const Tile *>;

/// The operand elements for result element i.
static llvm::SmallVector<Element, 3> operandsAt(Operands operands, int64_t i) {
  return llvm::map_to_vector<3>(
      operands, [&](const Tile *operand) { return (*operand)[operand->size() == 1 ? 0 : i]; });
}

/// The mark of result element i, from the operand elements that it depends on.
static Mark markFrom(tile::ElementwiseOpInterface op, Operands operands, int64_t i) {
  auto markOf = [&](const Tile *operand) { return operand->markOf(operand->size() == 1 ? 0 : i); };
  Mark mark = Mark::None;
  for (const Tile *operand : operands)
    mark = std::max(mark, markOf(operand));
  if (mark == Mark::None)
    return mark;
  std::optional<Element> absorbing = op.getAbsorbing();
  if (absorbing && isDecided(*absorbing, operandsAt(operands, i)))
    return Mark::None;
  // The operand that `select` does not choose may be skipped.
  if (!llvm::isa<tile::SelectOp>(op) || markOf(operands[0]) != Mark::None)
    return mark;
  return markOf(operands[(*operands[0])[operands[0]->size() == 1 ? 0 : i].bits ? 1 : 2]);
}

/// Marks the result elements that depend on poison. The row function ignored marks.
static void spreadPoison(tile::ElementwiseOpInterface op, Operands operands, Tile &result) {
  auto isPoison = [&](int64_t i) {
    return llvm::any_of(operands, [i](const Tile *operand) { return operand->isPoison(i); });
  };
  for (int64_t i = 0; i < result.size(); ++i)
    if (isPoison(i))
      result.setMark(i, markFrom(op, operands, i));
}

/// Returns false if the elements have to be computed one by one.
static bool computeRow(tile::ElementwiseOpInterface op, Operands operands, Tile &result) {
  numerics::RowFunction row = rowFunctionOf(op);
  auto isSpread = [&](const Tile *operand) { return operand->size() == result.size(); };
  if (!row || !llvm::all_of(operands, isSpread))
    return false;
  llvm::SmallVector<const void *, 3> in;
  for (const Tile *operand : operands)
    in.push_back(operand->words());
  if (!row(in.data(), result.words(), result.size()))
    return false;
  if (llvm::any_of(operands, [](const Tile *operand) { return operand->mayHavePoison(); }))
    spreadPoison(op, operands, result);
  return true;
}

/// Returns the first result element that is undefined although no operand element is marked.
static std::optional<int64_t> computeElements(tile::ElementwiseOpInterface op, Operands operands,
                                              Tile &result) {
  std::optional<int64_t> first;
  for (int64_t i = 0; i < result.size(); ++i) {
    llvm::SmallVector<Element, 3> in = operandsAt(operands, i);
    Mark mark = markFrom(op, operands, i);
    llvm::transform(in, in.begin(), withoutMark);
    Element computed = op.evalElement(in);
    if (computed.poison && mark == Mark::None) {
      mark = Mark::Undefined;
      first = first.value_or(i);
    }
    result.set(i, computed, mark);
  }
  return first;
}

/// Marks unspecified results: shifts by the width or more, which keep the bits that a hardware
/// shift leaves, and negative numbers in f8E5M3FNU, which keep their magnitude (arithmetic, 4.1 and
/// 4.7; 13.4, section 8.2). Returns the first one.
static std::optional<int64_t> markUnspecified(mlir::Operation *op, Operands operands,
                                              Tile &result) {
  std::optional<int64_t> first;
  if (!mayBeUnspecified(op))
    return first;
  for (int64_t i = 0; i < result.size(); ++i)
    if (!result.isPoison(i) && isUnspecified(op, operandsAt(operands, i))) {
      result.setMark(i, Mark::Unspecified);
      first = first.value_or(i);
    }
  return first;
}

static LogicalResult execute(TileBlock &block, tile::ElementwiseOpInterface op) {
  llvm::SmallVector<const Tile *, 3> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(&block.tile(operand));
  const Tile *widest = *llvm::max_element(
      operands, [](const Tile *a, const Tile *b) { return a->size() < b->size(); });

  auto type = llvm::cast<tile::TileType>(op->getResult(0).getType());
  Tile result(*tile::formatOf(type.getElementType()), widest->shape());
  std::optional<int64_t> undefined;
  if (!computeRow(op, operands, result))
    undefined = computeElements(op, operands, result);
  std::optional<int64_t> unspecified = markUnspecified(op, operands, result);
  if (undefined || unspecified)
    block.poisonSources.add(op, operands, unspecified, undefined);
  return block.define(op->getResult(0), std::move(result));
}

Execute reference::elementwiseExecutor(mlir::Operation *op) {
  return firstOf<tile::ElementwiseOpInterface>(
      op, [](TileBlock &block, auto op) { return execute(block, op); });
}
