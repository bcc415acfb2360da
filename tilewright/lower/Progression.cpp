// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Progression.h.

#include "tilewright/lower/Progression.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Ops.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::tile;
using numerics::Element;

/// Shorter lists are no larger than the operations, and fit into a cache line or two.
static constexpr int64_t leastExtent = 16;

/// The only dimension along which the second element of the tile differs from the first.
static std::optional<unsigned> growingDimension(const ConstantTile &tile) {
  ArrayRef<int64_t> shape = tile.getType().getShape();
  auto strides = support::rowMajorStrides<SmallVector<int64_t>>(shape);
  std::optional<unsigned> found;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] == 1 || tile[strides[dim]] == tile[0])
      continue;
    if (found)
      return std::nullopt;
    found = dim;
  }
  return found;
}

std::optional<Progression> lower::progressionOf(const ConstantTile &tile) {
  TileType type = tile.getType();
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  std::optional<unsigned> dim = tile.isSplat() || !integer ? std::nullopt : growingDimension(tile);
  if (!dim)
    return std::nullopt;
  ArrayRef<int64_t> shape = type.getShape();
  unsigned width = integer.getWidth();
  // The extent of an iota is limited by the width of its type (operations, 4.2).
  if (shape[*dim] < leastExtent || (width < 64 && shape[*dim] > int64_t(1) << width))
    return std::nullopt;

  Element start = tile[0];
  int64_t stride = support::strideOf(shape, *dim);
  Element step = Element::integer(start.format, int64_t(tile[stride].bits - start.bits));
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    uint64_t along = uint64_t(i / stride % shape[*dim]);
    if (tile[i] != Element::integer(start.format, int64_t(start.bits + along * step.bits)))
      return std::nullopt;
  }
  return Progression{*dim, start, step};
}

Value lower::makeProgression(TileType type, const Progression &progression, Location location,
                             OpBuilder &builder) {
  const auto &[dim, start, step] = progression;
  auto typeOf = [&](ArrayRef<int64_t> shape) {
    return TileType::get(shape, type.getElementType());
  };
  TileType rowType = typeOf(type.getShape()[dim]);
  auto splat = [&](Element element) {
    return ConstantOp::create(builder, location, rowType,
                              ConstantTile::splat(rowType, element).toAttribute());
  };
  Value row = IotaOp::create(builder, location, rowType);
  if (step.bits != 1)
    row = MulIOp::create(builder, location, row, splat(step));
  if (start.bits != 0)
    row = AddIOp::create(builder, location, row, splat(start));
  if (rowType == type)
    return row;
  SmallVector<int64_t> shape(type.getShape().size(), 1);
  shape[dim] = type.getShape()[dim];
  Value tile = ReshapeOp::create(builder, location, typeOf(shape), row);
  return typeOf(shape) == type ? tile : BroadcastOp::create(builder, location, type, tile);
}
