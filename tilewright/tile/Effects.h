// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Side effects of operations.

#ifndef TILEWRIGHT_TILE_EFFECTS_H
#define TILEWRIGHT_TILE_EFFECTS_H

#include "tilewright/tile/Ops.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::tile {

/// Whether the operation only computes its results, without effects on memory or the host. An
/// `assume` qualifies, although it is kept if its result is unused, because it states a fact about
/// its operand.
inline bool onlyComputes(mlir::Operation *op) {
  return llvm::isa<AssumeOp>(op) || mlir::isMemoryEffectFree(op);
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_EFFECTS_H
