// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Literals.h.

#include "tilewright/elementwise/Literals.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/numerics/Convert.h"

using namespace tilewright;

uint64_t elementwise::registerBits(tile::ConstantOp op, int64_t i) {
  auto values = llvm::cast<mlir::DenseElementsAttr>(op.getValue());
  if (llvm::isa<mlir::FloatType>(values.getElementType()))
    return registerBits(values.getElementType(),
                        values.getValues<llvm::APFloat>()[i].bitcastToAPInt().getZExtValue());
  return values.getValues<llvm::APInt>()[i].getZExtValue();
}

uint64_t elementwise::identityBits(mlir::Attribute identity, mlir::Type elementType) {
  numerics::Format format = *tile::formatOf(elementType);
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(identity)) {
    uint64_t bits = number.getValue().bitcastToAPInt().getZExtValue();
    numerics::Format from = *tile::formatOf(number.getType());
    numerics::Element element = numerics::Element::fromBits(from, bits);
    if (from != format)
      element = numerics::floatToFloat(element, format);
    return element.bits;
  }
  return llvm::cast<mlir::IntegerAttr>(identity).getValue().getSExtValue();
}

std::string elementwise::wordsOf(tile::ConstantOp op) {
  auto type = llvm::cast<tile::TileType>(op.getType());
  std::string bytes;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    uint64_t bits = registerBits(op, i);
    for (int64_t byte = 0; byte < wordBytes(type.getElementType()); ++byte)
      bytes += char(bits >> (8 * byte));
  }
  return bytes;
}
