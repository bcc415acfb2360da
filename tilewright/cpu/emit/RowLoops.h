// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vectors that a `for` keeps in registers (plan/RowLoops.h): tile after tile, in each the rows
// of the block under way, in each row from left to right. They travel as arguments of blocks.

#ifndef TILEWRIGHT_CPU_EMIT_ROWLOOPS_H
#define TILEWRIGHT_CPU_EMIT_ROWLOOPS_H

#include "tilewright/cpu/emit/Buffers.h"
#include "tilewright/cpu/plan/RowLoops.h"

namespace tilewright::cpu {

llvm::SmallVector<mlir::Type> typesOfHeld(const RowLoop &rows);

/// Where the vectors of each tile are in the block with this number, an i64.
llvm::SmallVector<Position> positionsOfHeld(LoopBuilder &b, const RowLoop &rows, mlir::Value block);

llvm::SmallVector<mlir::Value> loadHeld(LoopBuilder &b, Buffers &buffers, const RowLoop &rows,
                                        mlir::Value block);
void storeHeld(LoopBuilder &b, Buffers &buffers, const RowLoop &rows, mlir::Value block,
               mlir::ValueRange held);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_ROWLOOPS_H
