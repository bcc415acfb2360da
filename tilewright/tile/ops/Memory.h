// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules that accesses through pointers and through views share (operations, 2.4).

#ifndef TILEWRIGHT_TILE_OPS_MEMORY_H
#define TILEWRIGHT_TILE_OPS_MEMORY_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// weak without scope; relaxed or acquire with scope.
llvm::LogicalResult verifyLoadOrdering(mlir::Operation *op, MemoryOrderingSemantics ordering,
                                       std::optional<MemoryScope> scope);
/// weak without scope; relaxed or release with scope.
llvm::LogicalResult verifyStoreOrdering(mlir::Operation *op, MemoryOrderingSemantics ordering,
                                        std::optional<MemoryScope> scope);

/// One flag per index, or none at all (13.4, section 6).
llvm::LogicalResult verifyInbounds(mlir::Operation *op, mlir::DenseBoolArrayAttr inbounds,
                                   size_t indices);
/// For the pointers and views of ordinary accesses (13.4, section 8.1).
llvm::LogicalResult verifyNotMulticast(mlir::Operation *op, PointerAttributeAttr attribute);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_OPS_MEMORY_H
