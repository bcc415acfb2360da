// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do all accesses to memory have in common? One element after the other, each
// checked where it happens: its address, then what is written there (memory model, 2).

#ifndef TILEWRIGHT_REFERENCE_ACCESS_H
#define TILEWRIGHT_REFERENCE_ACCESS_H

#include "tilewright/reference/TileBlock.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::reference {

/// The element of a tile that an access is for, as messages call it.
struct TileElement {
  llvm::ArrayRef<int64_t> shape;
  int64_t index;
};

/// The allocation that the place lies in; null, with a finding, if the block may not
/// access it like this.
Allocation *access(TileBlock &block, mlir::Operation *op, TileElement element, Place place,
                   AccessKind kind);

/// Writes an element. Poison must not reach what the host can read.
LogicalResult write(TileBlock &block, mlir::Operation *op, TileElement element, Place place,
                    Element value);

/// Replaces old by update(old), and returns old; none, with a finding, if it cannot.
std::optional<Element> exchange(TileBlock &block, mlir::Operation *op, TileElement element,
                                Place place, llvm::function_ref<Element(Element)> update);

/// What a read-modify-write stores (operations, 9.1).
Element combine(tile::AtomicRMWMode mode, Element old, Element operand);

/// `element [3, 1]: `, nothing for a scalar.
std::string prefixOf(TileElement element);

//===-- Through pointers (PointerAccess.cpp) --------------------------------------------===//

/// Calls visit(index, place) for every element that the mask, which may be null,
/// enables. Undefined masks and addresses are misbehaviour, and so is a failing visit.
LogicalResult forEachPointer(TileBlock &block, mlir::Operation *op, mlir::Value pointers,
                             mlir::Value mask,
                             llvm::function_ref<LogicalResult(int64_t, Place)> visit);

//===-- Through views (ViewAccess.cpp) ----------------------------------------------------===//

/// Calls visit(index, place) for every element of the tile that an index names; there
/// is no place for those that lie outside the tensor.
LogicalResult
forEachElement(TileBlock &block, mlir::Operation *op, mlir::TypedValue<tile::TileView> view,
               mlir::OperandRange indices,
               llvm::function_ref<LogicalResult(int64_t, std::optional<Place>)> visit);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_ACCESS_H
