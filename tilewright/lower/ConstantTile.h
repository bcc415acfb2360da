// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile whose elements are known. It stores one element if all are equal, else all of them in
// row-major order. Unlike a `constant` operation, it can have any element type, so intermediate
// results may be pointers or i4.

#ifndef TILEWRIGHT_LOWER_CONSTANTTILE_H
#define TILEWRIGHT_LOWER_CONSTANTTILE_H

#include "tilewright/numerics/Element.h"
#include "tilewright/tile/types/Types.h"

namespace tilewright::lower {

class ConstantTile {
public:
  static ConstantTile splat(tile::TileType type, numerics::Element element) {
    return ConstantTile(type, {element});
  }
  /// `elements` must contain all elements of the tile.
  static ConstantTile of(tile::TileType type, llvm::SmallVector<numerics::Element> elements);
  static ConstantTile of(mlir::DenseElementsAttr value);

  tile::TileType getType() const { return type; }
  bool isSplat() const { return elements.size() == 1; }
  numerics::Element operator[](int64_t i) const { return isSplat() ? elements[0] : elements[i]; }
  /// One element if the tile is a splat, else all of them.
  llvm::ArrayRef<numerics::Element> stored() const { return elements; }

  /// Whether a `constant` operation can hold it.
  bool isWritable() const { return tile::isNumber(type.getElementType()); }
  mlir::DenseElementsAttr toAttribute() const;

private:
  ConstantTile(tile::TileType type, llvm::SmallVector<numerics::Element> elements)
      : type(type), elements(std::move(elements)) {}

  tile::TileType type;
  llvm::SmallVector<numerics::Element> elements;
};

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CONSTANTTILE_H
