// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does an elementwise operation run? Its own definition, `evalElement`, decides
// each element of the result from the operand elements at the same coordinate. Where
// the machine's arithmetic has the same result, it computes whole tiles (Rows.h).
//
// A scalar stands for itself at every coordinate: programs cannot write that, but the
// bodies of reduce and scan run on all positions at once by it (Aggregates.cpp).

#include "tilewright/reference/Operations.h"
#include "tilewright/reference/Rows.h"
#include "tilewright/reference/TileBlock.h"

using namespace tilewright;
using namespace tilewright::reference;

/// Poison operands give poison results. The row has seen zeros in their place, which is
/// as good as any. Only `select` may leave out one that it does not choose.
static void spreadPoison(mlir::Operation *op, llvm::ArrayRef<const Tile *> operands, Tile &result) {
  if (!llvm::isa<tile::SelectOp>(op)) {
    for (const Tile *operand : operands)
      result.addPoisonOf(*operand);
    return;
  }
  result.addPoisonOf(*operands[0]);
  for (int64_t i = 0; i < result.size(); ++i)
    if (operands[operands[0]->words()[i] ? 1 : 2]->isPoison(i))
      result.set(i, Element::poisoned(result.format()));
}

/// False: the elements are to be computed one by one.
static bool computeRow(mlir::Operation *op, llvm::ArrayRef<const Tile *> operands, Tile &result) {
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
static bool computeElements(tile::ElementwiseOpInterface op, llvm::ArrayRef<const Tile *> operands,
                            Tile &result) {
  llvm::SmallVector<Element, 3> in(operands.size(), Element::boolean(false));
  bool isBreach = false;
  for (int64_t i = 0; i < result.size(); ++i) {
    for (auto [element, operand] : llvm::zip_equal(in, operands))
      element = (*operand)[operand->size() == 1 ? 0 : i];
    Element computed = op.evalElement(in);
    isBreach |=
        computed.poison && llvm::none_of(in, [](Element operand) { return operand.poison; });
    result.set(i, computed);
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
  if (!computeRow(op, operands, result) && computeElements(op, operands, result))
    block.rememberBreach(op, operands);
  return block.define(op->getResult(0), std::move(result));
}
