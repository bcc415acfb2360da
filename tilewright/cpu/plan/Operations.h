// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does the planner ask of a value or an operation alone, whatever the plan is?

#ifndef TILEWRIGHT_CPU_PLAN_OPERATIONS_H
#define TILEWRIGHT_CPU_PLAN_OPERATIONS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

/// The type of a tile value of rank 1 or more; null for scalars, views and tokens.
tile::TileType tileTypeOf(mlir::Value value);

/// Bytes of a tile's words.
int64_t bufferBytes(tile::TileType type);

/// The last dimension that has several elements; -1 if none has.
int64_t lastWideDimension(llvm::ArrayRef<int64_t> shape);

/// Whether the result of an operation can be computed element by element, wherever it is read.
bool canFuse(mlir::Operation *op);

/// How much it costs to compute an element of the operation again, in additions; operands
/// are not counted.
unsigned costOf(mlir::Operation *op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_OPERATIONS_H
