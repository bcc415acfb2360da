// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pointers.h.

#include "tilewright/nvidia/emit/Pointers.h"

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

LogicalResult Pointers::emit(tile::LoadPtrOp op) {
  Value pointers = op.getSource(), result = op.getResult();
  if (llvm::failed(checkPointee(op, pointers)))
    return llvm::failure();
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  TileLayout layout = tiles.layoutOf(result);
  // What other blocks may write meanwhile is read once.
  Value isReader = access.isWeak() ? Value() : tiles.isOwner(layout);
  memory.beginAccess(access);
  tiles.forEachOwn(layout, [&](const Own &own) {
    Value padding, mask;
    if (op.getMask())
      mask = tiles.read(op.getMask(), own);
    if (op.getPaddingValue())
      padding = tiles.read(op.getPaddingValue(), own);
    Address from{tiles.read(pointers, own), {}, b.conjunction(mask, isReader)};
    tiles.write(result, own,
                memory.read(from, pointeeOf(pointers), padding, AccessOrder::of(access)));
  });
  memory.endAccess(access);
  if (isReader && !result.use_empty())
    shared.share(result, plan.exchangeOf(op)->bytes);
  return llvm::success();
}

LogicalResult Pointers::emit(tile::StorePtrOp op) {
  Value pointers = op.getDestination();
  if (llvm::failed(checkPointee(op, pointers)))
    return llvm::failure();
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op.getOperation());
  TileLayout layout = tiles.layoutOf(op.getValue());
  memory.beginAccess(access);
  Value isWriter = tiles.isOwner(layout);
  tiles.forEachOwn(layout, [&](const Own &own) {
    Value mask = op.getMask() ? tiles.read(op.getMask(), own) : Value();
    Address to{tiles.read(pointers, own), {}, b.conjunction(isWriter, mask)};
    memory.write(to, pointeeOf(pointers), tiles.read(op.getValue(), own), AccessOrder::of(access));
  });
  memory.endAccess(access);
  return llvm::success();
}

void Pointers::emit(tile::AllocaOp op) {
  int64_t offset = plan.allocas.find(op)->second;
  tiles.define(op.getResult(), b.addressOf(b.byteOffset(shared.base(), b.i64(offset))));
}
