// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of operations with regions.

#ifndef TILEWRIGHT_TILE_OPS_REGIONS_H
#define TILEWRIGHT_TILE_OPS_REGIONS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace tilewright::tile {

/// A body whose last operation does not leave it gets a `Terminator` without operands
/// (textual format, 7).
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

/// A terminator that the printer leaves out: it carries nothing (textual format, 12.3).
template <typename Terminator> bool isImplicitTerminator(mlir::Block &block) {
  auto terminator = llvm::dyn_cast_if_present<Terminator>(block.empty() ? nullptr : &block.back());
  return terminator && terminator->getNumOperands() == 0;
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_OPS_REGIONS_H
