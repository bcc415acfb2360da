// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register-resident accumulators of a `for` (plan/RowLoops.h): tile by tile, the rows of the
// current block, each from left to right. They are passed as block arguments.

#ifndef TILEWRIGHT_CPU_EMIT_ROWLOOPS_H
#define TILEWRIGHT_CPU_EMIT_ROWLOOPS_H

#include "tilewright/cpu/emit/Buffers.h"
#include "tilewright/cpu/plan/RowLoops.h"

namespace tilewright::cpu {

llvm::SmallVector<mlir::Type> typesOfHeld(const RowLoop &rows);

/// The positions of each tile's vectors in the block with this number, an i64.
llvm::SmallVector<Position> positionsOfHeld(LoopBuilder &b, const RowLoop &rows, mlir::Value block);

llvm::SmallVector<mlir::Value> loadHeld(LoopBuilder &b, Buffers &buffers, const RowLoop &rows,
                                        mlir::Value block);
void storeHeld(LoopBuilder &b, Buffers &buffers, const RowLoop &rows, mlir::Value block,
               mlir::ValueRange held);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_ROWLOOPS_H
