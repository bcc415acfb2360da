// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does an elementwise operation run? Its own definition, `evalElement`, decides
// each element of the result from the operand elements at the same coordinate. Where
// the machine's arithmetic has the same result, it computes whole tiles (Rows.h).
//
// Poison is computed beside the bits: an element is marked if its value hangs on one that
// is, and has the bits that a machine would have that knows nothing of marks.
//
// A scalar stands for itself at every coordinate: programs cannot write that, but the
// bodies of reduce and scan run on all positions at once by it (Aggregates.cpp).

#include "tilewright/reference/Operations.h"
#include "tilewright/reference/Rows.h"
#include "tilewright/reference/TileBlock.h"

using namespace tilewright;
using namespace tilewright::reference;

//===-- Poison ----------------------------------------------------------------------------===//

/// Does one operand decide the result, whatever the others are: false and x, 0 * x?
static bool isDecided(mlir::Operation *op, llvm::ArrayRef<Element> in) {
  auto any = [&](uint64_t bits) {
    return llvm::any_of(in,
                        [&](Element operand) { return !operand.poison && operand.bits == bits; });
  };
  if (llvm::isa<tile::AndIOp, tile::MulIOp>(op))
    return any(0);
  return llvm::isa<tile::OrIOp>(op) && any(numerics::info(in[0].format).mask());
}

/// Does the result hang on a poison operand?
static bool isPoisoned(mlir::Operation *op, llvm::ArrayRef<Element> in) {
  // `select` may leave out one that it does not choose.
  if (llvm::isa<tile::SelectOp>(op))
    return in[0].poison || in[in[0].bits ? 1 : 2].poison;
  return llvm::any_of(in, [](Element operand) { return operand.poison; }) && !isDecided(op, in);
}

bool reference::isWideShift(mlir::Operation *op, llvm::ArrayRef<Element> in) {
  return llvm::isa<tile::ShLIOp, tile::ShRIOp>(op) &&
         in[1].bits >= numerics::info(in[1].format).bits;
}

bool reference::hasNoValue(tile::ElementwiseOpInterface op, llvm::ArrayRef<Element> in) {
  return op.evalElement(in).poison || isWideShift(op, in);
}

//===-- Whole tiles -------------------------------------------------------------------------===//

using Operands = llvm::ArrayRef<const Tile *>;

/// The operands of element number i.
static llvm::SmallVector<Element, 3> operandsAt(Operands operands, int64_t i) {
  return llvm::map_to_vector<3>(
      operands, [&](const Tile *operand) { return (*operand)[operand->size() == 1 ? 0 : i]; });
}

/// Marks the elements of the result that hang on poison. The row has seen the bits below it.
static void spreadPoison(mlir::Operation *op, Operands operands, Tile &result) {
  auto isPoison = [&](int64_t i) {
    return llvm::any_of(operands, [i](const Tile *operand) { return operand->isPoison(i); });
  };
  for (int64_t i = 0; i < result.size(); ++i)
    if (isPoison(i) && isPoisoned(op, operandsAt(operands, i)))
      result.setPoison(i, true);
}

/// False: the elements are to be computed one by one.
static bool computeRow(mlir::Operation *op, Operands operands, Tile &result) {
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

/// True if an element of the result is poison though those of the operands are not.
static bool computeElements(tile::ElementwiseOpInterface op, Operands operands, Tile &result) {
  bool isBreach = false;
  for (int64_t i = 0; i < result.size(); ++i) {
    llvm::SmallVector<Element, 3> in = operandsAt(operands, i);
    bool fromOperands = isPoisoned(op, in);
    llvm::transform(in, in.begin(), withoutMark);
    Element computed = op.evalElement(in);
    isBreach |= computed.poison && !fromOperands;
    computed.poison |= fromOperands;
    result.set(i, computed);
  }
  return isBreach;
}

/// A shift by the width or more has the bits that a machine's shift leaves, and nothing
/// specifies them (arithmetic, 4.1 and 4.7). True if there is one.
static bool markWideShifts(mlir::Operation *op, Operands operands, Tile &result) {
  bool isBreach = false;
  if (!llvm::isa<tile::ShLIOp, tile::ShRIOp>(op))
    return false;
  for (int64_t i = 0; i < result.size(); ++i)
    if (!result.isPoison(i) && isWideShift(op, operandsAt(operands, i))) {
      result.setPoison(i, true);
      isBreach = true;
    }
  return isBreach;
}

LogicalResult reference::execute(TileBlock &block, tile::ElementwiseOpInterface op) {
  llvm::SmallVector<const Tile *, 3> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(&block.tile(operand));
  const Tile *widest = *llvm::max_element(
      operands, [](const Tile *a, const Tile *b) { return a->size() < b->size(); });

  auto type = llvm::cast<tile::TileType>(op->getResult(0).getType());
  Tile result(*tile::formatOf(type.getElementType()), widest->shape());
  bool isBreach = !computeRow(op, operands, result) && computeElements(op, operands, result);
  isBreach |= markWideShifts(op, operands, result);
  if (isBreach)
    block.rememberBreach(op, operands);
  return block.define(op->getResult(0), std::move(result));
}
