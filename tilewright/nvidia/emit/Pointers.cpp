// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pointers.h.

#include "tilewright/nvidia/emit/Pointers.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Value;

mlir::Type nvidia::pointeeOf(Value pointers) {
  auto type = llvm::cast<tile::TileType>(pointers.getType());
  return llvm::cast<tile::PointerType>(type.getElementType()).getPointeeType();
}

//===-- Runs ----------------------------------------------------------------------------------===//

Own Pointers::ownAt(const TileLayout &layout, const Own &first, int64_t number) {
  return {b.add(first.slot, b.i32(number)), b.add(first.index, b.i32(number * layout.step()))};
}

/// Whether `width` pointers are consecutive and aligned, and none is masked.
Value Pointers::isRun(Value pointers, Value mask, const Own &first, int64_t width) {
  TileLayout layout = tiles.layoutOf(pointers);
  int64_t bytes = elementwise::wordBytes(pointeeOf(pointers));
  Value begin = tiles.read(pointers, first);
  Value last = tiles.read(pointers, ownAt(layout, first, width - 1));
  Value holds = b.isEqual(b.modulo(begin, width * bytes), b.i64(0));
  holds = b.conjunction(holds, b.isEqual(b.add(begin, b.i64((width - 1) * bytes)), last));
  for (int64_t number = 0; mask && number < width; ++number)
    holds = b.conjunction(holds, tiles.read(mask, ownAt(layout, first, number)));
  return holds;
}

//===-- Operations ----------------------------------------------------------------------------===//

Value Pointers::load(tile::LoadPtrOp op, const Own &own, Value isReader) {
  Value pointers = op.getSource();
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  Value padding, mask;
  if (op.getMask())
    mask = tiles.read(op.getMask(), own);
  if (op.getPaddingValue())
    padding = tiles.read(op.getPaddingValue(), own);
  Address from{tiles.read(pointers, own), {}, b.conjunction(mask, isReader)};
  return memory.read(from, pointeeOf(pointers), padding, AccessOrder::of(access));
}

void Pointers::emit(tile::LoadPtrOp op) {
  Value pointers = op.getSource(), result = op.getResult();
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  TileLayout layout = plan.layoutOfElements(access);
  // Memory that other blocks may write concurrently is read only once.
  Value isReader = access.isWeak() ? Value() : tiles.isOwner(layout);
  int64_t width = plan.widthOfAccess(access);
  tiles.forEachRun(layout, width, [&](const Own &first) {
    if (width == 1)
      return tiles.write(result, first, load(op, first, isReader));
    auto elements = chooseAll(
        b, elementwise::registerType(pointeeOf(pointers)), width,
        isRun(pointers, op.getMask(), first, width),
        [&] {
          Address from{tiles.read(pointers, first), {}, {}};
          return memory.readRun(from, pointeeOf(pointers), width, {});
        },
        [&] {
          llvm::SmallVector<Value> ones;
          for (int64_t number = 0; number < width; ++number)
            ones.push_back(load(op, ownAt(layout, first, number), isReader));
          return ones;
        });
    for (auto [number, element] : llvm::enumerate(elements))
      tiles.write(result, ownAt(layout, first, number), element);
  });
  if (isReader && !result.use_empty())
    shared.share(result, plan.exchangeOf(op)->bytes);
}

void Pointers::store(tile::StorePtrOp op, const Own &own, Value isWriter) {
  Value pointers = op.getDestination();
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  Value mask = op.getMask() ? tiles.read(op.getMask(), own) : Value();
  Address to{tiles.read(pointers, own), {}, b.conjunction(isWriter, mask)};
  memory.write(to, pointeeOf(pointers), tiles.read(op.getValue(), own), AccessOrder::of(access));
}

void Pointers::emit(tile::StorePtrOp op) {
  Value pointers = op.getDestination();
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  TileLayout layout = plan.layoutOfElements(access);
  Value isWriter = tiles.isOwner(layout);
  int64_t width = plan.widthOfAccess(access);
  tiles.forEachRun(layout, width, [&](const Own &first) {
    if (width == 1)
      return store(op, first, isWriter);
    b.branch(
        isRun(pointers, op.getMask(), first, width),
        [&] {
          llvm::SmallVector<Value> elements;
          for (int64_t number = 0; number < width; ++number)
            elements.push_back(tiles.read(op.getValue(), ownAt(layout, first, number)));
          memory.writeRun({tiles.read(pointers, first), {}, isWriter}, elements);
        },
        [&] {
          for (int64_t number = 0; number < width; ++number)
            store(op, ownAt(layout, first, number), isWriter);
        });
  });
}

void Pointers::emit(tile::AllocaOp op) {
  int64_t offset = plan.allocas.find(op)->second;
  tiles.define(op.getResult(), b.addressOf(b.byteOffset(shared.base(), b.i64(offset))));
}
