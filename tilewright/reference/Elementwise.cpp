// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does an elementwise operation run? Its own definition, `evalElement`, decides
// each element of the result from the operand elements at the same coordinate. A
// scalar stands for itself at every coordinate: programs cannot write that, but the
// bodies of reduce and scan run on all positions at once by it (Aggregates.cpp).

#include "tilewright/reference/Operations.h"
#include "tilewright/reference/TileBlock.h"

using namespace tilewright;
using namespace tilewright::reference;

LogicalResult reference::execute(TileBlock &block, tile::ElementwiseOpInterface op) {
  llvm::SmallVector<const Tile *, 3> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(&block.tile(operand));
  const Tile *widest = *llvm::max_element(
      operands, [](const Tile *a, const Tile *b) { return a->size() < b->size(); });

  auto type = llvm::cast<tile::TileType>(op->getResult(0).getType());
  Tile result(*tile::formatOf(type.getElementType()), widest->shape());
  llvm::SmallVector<Element, 3> in(operands.size(), Element::boolean(false));
  for (int64_t i = 0; i < result.size(); ++i) {
    for (auto [element, operand] : llvm::zip_equal(in, operands))
      element = (*operand)[operand->size() == 1 ? 0 : i];
    result.set(i, op.evalElement(in));
  }
  return block.define(op->getResult(0), std::move(result));
}
