// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows from the type of a value, or from the operation that makes it.

#ifndef TILEWRIGHT_NVIDIA_PLAN_TILEVALUES_H
#define TILEWRIGHT_NVIDIA_PLAN_TILEVALUES_H

#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

/// The type of a tile value of rank 1 or more; null for scalars, views and tokens.
tile::TileType tileTypeOf(mlir::Value value);
bool isScalar(mlir::Value value);
/// Elements of a tile, or 1 of a scalar.
int64_t elementCountOf(mlir::Value value);
/// Registers of an element.
int64_t registersOf(mlir::Value value);

/// Whether it has no home: its elements are computed where they are read, from their numbers and
/// from scalars.
bool isRecomputed(mlir::Value tile);

/// Whether it computes each element of a tile from those of others at the same place, all of them
/// in the same slots.
bool isByElements(mlir::Operation *op);
/// Whether it has no code of its own.
bool isNothing(mlir::Operation *op);
/// Whether it computes scalars from scalars, or makes views of them.
bool isOfScalars(mlir::Operation *op);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_TILEVALUES_H
