// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implicit terminators in the bodies of operations with regions.

#ifndef TILEWRIGHT_TILE_OPS_REGIONS_H
#define TILEWRIGHT_TILE_OPS_REGIONS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace tilewright::tile {

/// Adds a `Terminator` without operands, unless the body's last operation is a terminator (textual
/// format, 7).
template <typename Terminator> void ensureTerminator(mlir::Region &region, mlir::Location loc) {
  if (region.empty())
    region.emplaceBlock();
  mlir::Block &block = region.back();
  if (!block.empty() && block.back().hasTrait<mlir::OpTrait::IsTerminator>())
    return;
  mlir::OpBuilder builder(loc.getContext());
  builder.setInsertionPointToEnd(&block);
  Terminator::create(builder, loc);
}

/// Whether the printer omits the terminator, because it has no operands (textual format, 12.3).
template <typename Terminator> bool isImplicitTerminator(mlir::Block &block) {
  auto terminator = llvm::dyn_cast_if_present<Terminator>(block.empty() ? nullptr : &block.back());
  return terminator && terminator->getNumOperands() == 0;
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_OPS_REGIONS_H
