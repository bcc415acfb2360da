// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts between the values of a `constant` and elements. Both hold bit patterns.

#include "tilewright/lower/ConstantTile.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using numerics::Element;
using tile::TileType;

ConstantTile ConstantTile::of(TileType type, SmallVector<Element> elements) {
  assert(int64_t(elements.size()) == type.getNumElements() && "one element per coordinate");
  if (llvm::all_equal(elements))
    elements.resize(1, elements.front());
  return ConstantTile(type, std::move(elements));
}

ConstantTile ConstantTile::of(DenseElementsAttr value) {
  auto type = cast<TileType>(value.getType());
  numerics::Format format = *tile::formatOf(type.getElementType());
  auto elementOf = [&](const APInt &bits) {
    return Element::fromBits(format, bits.getZExtValue());
  };
  if (isa<FloatType>(type.getElementType())) {
    if (value.isSplat())
      return splat(type, elementOf(value.getSplatValue<APFloat>().bitcastToAPInt()));
    return of(type, llvm::map_to_vector(value.getValues<APFloat>(), [&](const APFloat &number) {
                return elementOf(number.bitcastToAPInt());
              }));
  }
  if (value.isSplat())
    return splat(type, elementOf(value.getSplatValue<APInt>()));
  return of(type, llvm::map_to_vector(value.getValues<APInt>(), elementOf));
}

DenseElementsAttr ConstantTile::toAttribute() const {
  assert(isWritable() && "constants hold numbers");
  const numerics::FormatInfo &format = numerics::info(*tile::formatOf(type.getElementType()));
  auto bitsOf = [&](Element element) { return APInt(format.bits, element.bits); };
  if (!format.isFloat())
    return DenseElementsAttr::get(type, llvm::map_to_vector(elements, bitsOf));
  const llvm::fltSemantics &semantics = cast<FloatType>(type.getElementType()).getFloatSemantics();
  return DenseElementsAttr::get(type, llvm::map_to_vector(elements, [&](Element element) {
                                  return APFloat(semantics, bitsOf(element));
                                }));
}
