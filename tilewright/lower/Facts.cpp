// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about values: the elements of constants and of evaluated operations; and whether the NaNs
// of a value are canonical, which depends on the operation that defines it.

#include "tilewright/lower/Facts.h"
#include "tilewright/tile/Ops.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::tile;
using numerics::Element;

bool Facts::spend(int64_t elements) {
  if (elements > limits.maxTileElements || elements > limits.maxTotalElements - spent)
    return false;
  spent += elements;
  return true;
}

void Facts::record(Value value, ConstantTile tile) {
  tiles[value] = std::make_unique<ConstantTile>(std::move(tile));
}

const ConstantTile *Facts::find(Value value) {
  if (auto known = tiles.find(value); known != tiles.end())
    return known->second.get();
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || !spend(elements.isSplat() ? 1 : elements.getNumElements()))
    return nullptr;
  record(value, ConstantTile::of(elements));
  return tiles[value].get();
}

std::optional<Element> Facts::splatOf(Value value) {
  const ConstantTile *tile = find(value);
  return tile && tile->isSplat() ? std::optional((*tile)[0]) : std::nullopt;
}

bool Facts::isInteger(Value value, uint64_t bits) {
  std::optional<Element> element = splatOf(value);
  return element && element->bits == bits;
}

//===-- NaNs ------------------------------------------------------------------------------===//

static bool isCanonical(Element element) {
  return !element.isNan() || element == Element::canonicalNan(element.format);
}

bool Facts::hasCanonicalNans(Value value) {
  // Follow a chain of rearrangements for a few steps only, to bound the cost of a query.
  for (int step = 0; step < 8; ++step) {
    if (const ConstantTile *tile = find(value))
      return llvm::all_of(tile->stored(), isCanonical);
    Operation *op = value.getDefiningOp();
    if (!isa_and_present<RearrangementOpInterface>(op))
      break;
    value = op->getOperand(0);
  }
  // Integers and pointers have no NaNs.
  Operation *op = value.getDefiningOp();
  return isa_and_present<ElementwiseOpInterface>(op) && !op->hasTrait<KeepsNanBits>();
}
