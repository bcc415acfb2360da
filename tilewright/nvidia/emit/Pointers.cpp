// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pointers.h.

#include "tilewright/nvidia/emit/Pointers.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/support/Shape.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::LogicalResult;
using mlir::Value;

mlir::Type nvidia::pointeeOf(Value pointers) {
  auto type = llvm::cast<tile::TileType>(pointers.getType());
  return llvm::cast<tile::PointerType>(type.getElementType()).getPointeeType();
}

LogicalResult Pointers::checkPointee(mlir::Operation *op, Value pointers) {
  // Two elements share an address, so that a pointer does not tell which one it means
  // (operations, 4.9).
  if (llvm::isa<mlir::Float4E2M1FNType>(pointeeOf(pointers)))
    return operations.unsupported(op, "access to f4E2M1FN elements through pointers");
  return llvm::success();
}

//===-- Runs ----------------------------------------------------------------------------------===//

/// Elements in successive slots whose addresses follow each other, as far as the program says: an
/// integer that wraps around may make it otherwise.
int64_t Pointers::runWidth(tile::MemoryAccessOpInterface access, const TileLayout &layout) {
  Value pointers = access.getAddressed();
  if (!access.isWeak() || !tileTypeOf(pointers) || isRecomputed(pointers))
    return 1;
  int64_t dim = contiguousDimensionOf(access);
  auto shape = llvm::cast<tile::TileType>(pointers.getType()).getShape();
  if (dim < 0 || support::strideOf(shape, dim) != layout.step())
    return 1;
  return std::min({layout.width(), 16 / elementwise::wordBytes(pointeeOf(pointers)), shape[dim]});
}

Own Pointers::ownAt(const TileLayout &layout, const Own &first, int64_t number) {
  return {b.add(first.slot, b.i32(number)), b.add(first.index, b.i32(number * layout.step()))};
}

/// Whether they do, are aligned, and nothing of them is masked.
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

void Pointers::load(tile::LoadPtrOp op, const Own &own, Value isReader) {
  Value pointers = op.getSource();
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  Value padding, mask;
  if (op.getMask())
    mask = tiles.read(op.getMask(), own);
  if (op.getPaddingValue())
    padding = tiles.read(op.getPaddingValue(), own);
  Address from{tiles.read(pointers, own), {}, b.conjunction(mask, isReader)};
  tiles.write(op.getResult(), own,
              memory.read(from, pointeeOf(pointers), padding, AccessOrder::of(access)));
}

LogicalResult Pointers::emit(tile::LoadPtrOp op) {
  Value pointers = op.getSource(), result = op.getResult();
  if (llvm::failed(checkPointee(op, pointers)))
    return llvm::failure();
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  TileLayout layout = plan.layoutOfElements(access);
  // What other blocks may write meanwhile is read once.
  Value isReader = access.isWeak() ? Value() : tiles.isOwner(layout);
  int64_t width = runWidth(access, layout);
  memory.beginAccess(access);
  tiles.forEachRun(layout, width, [&](const Own &first) {
    if (width == 1)
      return load(op, first, isReader);
    b.branch(
        isRun(pointers, op.getMask(), first, width),
        [&] {
          Address from{tiles.read(pointers, first), {}, {}};
          auto elements = memory.readRun(from, pointeeOf(pointers), width, {});
          for (auto [number, element] : llvm::enumerate(elements))
            tiles.write(result, ownAt(layout, first, number), element);
        },
        [&] {
          for (int64_t number = 0; number < width; ++number)
            load(op, ownAt(layout, first, number), isReader);
        });
  });
  memory.endAccess(access);
  if (isReader && !result.use_empty())
    shared.share(result, plan.exchangeOf(op)->bytes);
  return llvm::success();
}

void Pointers::store(tile::StorePtrOp op, const Own &own, Value isWriter) {
  Value pointers = op.getDestination();
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  Value mask = op.getMask() ? tiles.read(op.getMask(), own) : Value();
  Address to{tiles.read(pointers, own), {}, b.conjunction(isWriter, mask)};
  memory.write(to, pointeeOf(pointers), tiles.read(op.getValue(), own), AccessOrder::of(access));
}

LogicalResult Pointers::emit(tile::StorePtrOp op) {
  Value pointers = op.getDestination();
  if (llvm::failed(checkPointee(op, pointers)))
    return llvm::failure();
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  TileLayout layout = plan.layoutOfElements(access);
  memory.beginAccess(access);
  Value isWriter = tiles.isOwner(layout);
  int64_t width = runWidth(access, layout);
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
  memory.endAccess(access);
  return llvm::success();
}

void Pointers::emit(tile::AllocaOp op) {
  int64_t offset = plan.allocas.find(op)->second;
  tiles.define(op.getResult(), b.addressOf(b.byteOffset(shared.base(), b.i64(offset))));
}
