// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a block reach memory through pointers? Every enabled element of a pointer
// tile names one element of memory; those that the mask disables are not even looked
// at (operations, 7). Tokens order accesses, which here happen in program order anyway.

#include "tilewright/reference/Access.h"
#include "tilewright/reference/Operations.h"
#include "tilewright/tile/Arithmetic.h"

using namespace tilewright;
using namespace tilewright::reference;
using support::Result;

//===-- One element -------------------------------------------------------===//

std::string reference::prefixOf(TileElement element) {
  std::string where = coordinateText(element.shape, element.index);
  return where.empty() ? "" : "element " + where + ": ";
}

Allocation *reference::access(TileBlock &block, mlir::Operation *op, TileElement element,
                              Place place, AccessKind kind) {
  int64_t number = block.id().number;
  if (Allocation *allocation = block.memory().allowed(place, kind, number))
    return allocation;
  (void)block.misbehaves(op, prefixOf(element) + block.memory().objection(place, kind, number));
  return nullptr;
}

static LogicalResult writeTo(TileBlock &block, mlir::Operation *op, TileElement element,
                             Allocation &allocation, Place place, Element value) {
  if (value.poison && !allocation.keepsPoison())
    return block.misbehaves(op, prefixOf(element) + "an undefined value is stored to " +
                                    allocation.name);
  store(allocation, place, value);
  return llvm::success();
}

LogicalResult reference::write(TileBlock &block, mlir::Operation *op, TileElement element,
                               Place place, Element value) {
  Allocation *allocation = access(block, op, element, place, AccessKind::Write);
  return llvm::success(allocation &&
                       llvm::succeeded(writeTo(block, op, element, *allocation, place, value)));
}

std::optional<Element> reference::exchange(TileBlock &block, mlir::Operation *op,
                                           TileElement element, Place place,
                                           llvm::function_ref<Element(Element)> update) {
  Allocation *allocation = access(block, op, element, place, AccessKind::Write);
  if (!allocation)
    return std::nullopt;
  Element old = load(*allocation, place);
  if (llvm::failed(writeTo(block, op, element, *allocation, place, update(old))))
    return std::nullopt;
  return old;
}

//===-- All elements ------------------------------------------------------===//

LogicalResult reference::forEachPointer(TileBlock &block, mlir::Operation *op, mlir::Value pointers,
                                        mlir::Value mask,
                                        llvm::function_ref<LogicalResult(int64_t, Place)> visit) {
  auto type = llvm::cast<tile::TileType>(pointers.getType());
  Format format =
      *tile::formatOf(llvm::cast<tile::PointerType>(type.getElementType()).getPointeeType());
  // Two elements share an address, so a pointer does not tell which one it means
  // (operations, 4.9).
  if (format == Format::F4E2M1FN)
    return block.unsupported(op, "access to f4E2M1FN elements through pointers");

  const Tile &addresses = block.tile(pointers);
  const Tile *enabled = mask ? &block.tile(mask) : nullptr;
  if (enabled && llvm::failed(block.requireDefined(op, *enabled, "the mask")))
    return llvm::failure();
  for (int64_t i = 0; i < addresses.size(); ++i) {
    if (enabled && !(*enabled)[i].bits)
      continue;
    Element address = addresses[i];
    if (address.poison)
      return block.misbehaves(op, prefixOf({addresses.shape(), i}) + "the address is undefined");
    if (llvm::failed(visit(i, {address.bits, format})))
      return llvm::failure();
  }
  return llvm::success();
}

//===-- Operations --------------------------------------------------------===//

LogicalResult reference::execute(TileBlock &block, tile::MakeTokenOp op) {
  return block.define(op.getResult(), std::monostate());
}

LogicalResult reference::execute(TileBlock &block, tile::JoinTokensOp op) {
  return block.define(op.getResult(), std::monostate());
}

static Tile pointerTo(uint64_t address) {
  return Tile::scalar(Element::fromBits(Format::Pointer, address));
}

LogicalResult reference::execute(TileBlock &block, tile::GetGlobalOp op) {
  uint64_t address = block.launch().globals.find(op.getNameAttr().getAttr())->second;
  return block.define(op.getResult(), pointerTo(address));
}

LogicalResult reference::execute(TileBlock &block, tile::AllocaOp op) {
  auto type = llvm::cast<tile::TileType>(op.getResult().getType());
  auto pointer = llvm::cast<tile::PointerType>(type.getElementType());
  Result<Allocation *> allocated = block.memory().allocateUndefined(
      "the alloca at " + locationText(op.getLoc()), *tile::formatOf(pointer.getPointeeType()),
      op.getNumElem(), op.getAlignment());
  if (!allocated) {
    block.add(FindingKind::Unsupported, op, nameOf(op) + ": " + allocated.failure().message);
    return llvm::failure();
  }
  Allocation *allocation = *allocated;
  if (!op.getGlobal())
    allocation->owner = block.id().number;
  block.allocationScope().allocas.push_back(allocation);
  return block.define(op.getResult(), pointerTo(allocation->address));
}

LogicalResult reference::execute(TileBlock &block, tile::LoadPtrOp op) {
  // Without padding, a disabled element has no value. A padding without mask, which
  // only the generic form can spell, is unused (operations, 7.3).
  auto type = llvm::cast<tile::TileType>(op.getResult().getType());
  Format format = *tile::formatOf(type.getElementType());
  Tile result = Tile::splat(type.getShape(), Element::poisoned(format));
  if (op.getMask() && op.getPaddingValue()) {
    result = Tile(format, type.getShape());
    result.copyFrom(block.tile(op.getPaddingValue()), 0, 0, result.size());
  }
  auto visit = [&](int64_t i, Place place) {
    Allocation *allocation = access(block, op, {result.shape(), i}, place, AccessKind::Read);
    if (!allocation)
      return llvm::failure();
    result.set(i, load(*allocation, place));
    return llvm::success();
  };
  if (llvm::failed(forEachPointer(block, op, op.getSource(), op.getMask(), visit)))
    return llvm::failure();
  (void)block.define(op.getResultToken(), std::monostate());
  return block.define(op.getResult(), std::move(result));
}

LogicalResult reference::execute(TileBlock &block, tile::StorePtrOp op) {
  const Tile &value = block.tile(op.getValue());
  auto visit = [&](int64_t i, Place place) {
    return write(block, op, {value.shape(), i}, place, value[i]);
  };
  if (llvm::failed(forEachPointer(block, op, op.getDestination(), op.getMask(), visit)))
    return llvm::failure();
  return block.define(op.getResultToken(), std::monostate());
}
