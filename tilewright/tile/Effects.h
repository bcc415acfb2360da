// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does an operation do anything but compute its results?

#ifndef TILEWRIGHT_TILE_EFFECTS_H
#define TILEWRIGHT_TILE_EFFECTS_H

#include "tilewright/tile/Ops.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::tile {

/// Whether it has nothing to do with memory or with the host. An `assume` has not, although it is
/// kept where nobody reads its result, because it says something of its operand.
inline bool onlyComputes(mlir::Operation *op) {
  return llvm::isa<AssumeOp>(op) || mlir::isMemoryEffectFree(op);
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_EFFECTS_H
