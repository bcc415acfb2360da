// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tiles.h.

#include "tilewright/nvidia/emit/Tiles.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/support/Shape.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;

static mlir::Type elementTypeOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getElementType();
}

void Tiles::begin(Value number) {
  thread = number;
  scalars.clear();
  homes.clear();
}

//===-- Elements ------------------------------------------------------------------------------===//

void Tiles::forEachOwn(TileLayout layout, llvm::function_ref<void(const Own &)> body) {
  if (layout.isReplicated())
    return body({b.i32(0), b.modulo(thread, layout.elements)});
  int64_t width = layout.width(), round = layout.threads * width;
  Value first = layout.isPrivate() ? b.i32(0) : b.times(thread, width);
  if (layout.isInRegisters()) {
    for (int64_t slot = 0; slot < layout.slots(); ++slot)
      body({b.i32(slot), b.add(first, b.i32(slot / width * round + slot % width))});
    return;
  }
  b.forEach(0, layout.slots(), [&](Value slot) {
    Value index = b.add(b.times(b.dividedBy(slot, width), round), b.modulo(slot, width));
    body({slot, b.add(first, index)});
  });
}

Value Tiles::isOwner(TileLayout layout) {
  return layout.isReplicated() ? b.isBelow(thread, b.i32(layout.elements)) : Value();
}

SmallVector<Value> Tiles::coordinatesOf(Value index, llvm::ArrayRef<int64_t> shape) {
  SmallVector<Value> coordinates;
  auto strides = support::rowMajorStrides<SmallVector<int64_t>>(shape);
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    coordinates.push_back(extent == 1 ? b.i32(0) : b.modulo(b.dividedBy(index, stride), extent));
  return coordinates;
}

//===-- Homes ---------------------------------------------------------------------------------===//

Home Tiles::newHome(mlir::Type elementType, TileLayout layout) {
  if (!layout.isInRegisters())
    localBytes += layout.slots() * elementwise::wordBytes(elementType);
  return {b.localArray(elementwise::wordType(elementType), layout.slots()), elementType};
}

Home Tiles::homeOf(Value tile) {
  Home &home = homes[tile];
  if (!home.base)
    home = newHome(elementTypeOf(tile), layoutOf(tile));
  return home;
}

Value Tiles::read(Value value, const Own &own) {
  return isScalar(value) ? scalar(value) : read(homeOf(value), own);
}

void Tiles::write(Value value, const Own &own, Value element) {
  if (isScalar(value))
    define(value, element);
  else
    write(homeOf(value), own, element);
}

/// What may be overwritten is read before anything is written, slot by slot; tiles that overlap
/// have equally many elements.
void Tiles::copy(mlir::ValueRange from, mlir::ValueRange to) {
  llvm::MapVector<int64_t, SmallVector<std::pair<Value, Value>>> bySize;
  for (auto [source, target] : llvm::zip_equal(from, to))
    if (tileTypeOf(source) && source != target)
      bySize[elementCountOf(source)].push_back({source, target});
  for (auto &[elements, pairs] : bySize)
    forEachOwn(plan.layoutOf(elements), [&, &pairs = pairs](const Own &own) {
      SmallVector<Value> values;
      for (auto [source, target] : pairs)
        values.push_back(read(source, own));
      for (auto [pair, value] : llvm::zip_equal(pairs, values))
        write(pair.second, own, value);
    });
}

//===-- Scalars that control flow carries -----------------------------------------------------===//

SmallVector<Value> Tiles::scalarsOf(mlir::ValueRange values) const {
  SmallVector<Value> result;
  for (Value value : values)
    if (isScalar(value))
      result.push_back(scalar(value));
  return result;
}

SmallVector<mlir::Type> Tiles::registerTypesOf(mlir::ValueRange values) {
  SmallVector<mlir::Type> result;
  for (Value value : values)
    if (isScalar(value))
      result.push_back(elementwise::registerType(elementTypeOf(value)));
  return result;
}

void Tiles::bindScalars(mlir::ValueRange values, mlir::Block *block, unsigned skip) {
  for (Value value : values)
    if (isScalar(value))
      define(value, block->getArgument(skip++));
}
