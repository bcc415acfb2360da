// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of single values and operations that the planner uses, independent of the plan.

#ifndef TILEWRIGHT_CPU_PLAN_OPERATIONS_H
#define TILEWRIGHT_CPU_PLAN_OPERATIONS_H

#include "tilewright/tile/TileValues.h"

namespace tilewright::cpu {

using tile::tileTypeOf;

/// Size of the tile in memory.
int64_t bufferBytes(tile::TileType type);

/// The last dimension with more than one element; -1 if there is none.
int64_t lastWideDimension(llvm::ArrayRef<int64_t> shape);

/// Whether the operation's result can be computed element by element at its uses.
bool canFuse(mlir::Operation *op);

/// The cost of recomputing one element of the result, in additions, without its operands. Only for
/// operations that can be fused.
unsigned costOf(mlir::Operation *op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_OPERATIONS_H
