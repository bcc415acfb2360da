// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of values that follow from their type, or from the operation that defines them.

#ifndef TILEWRIGHT_NVIDIA_PLAN_TILEVALUES_H
#define TILEWRIGHT_NVIDIA_PLAN_TILEVALUES_H

#include "tilewright/tile/TileValues.h"

namespace tilewright::nvidia {

using tile::isScalar;
using tile::tileTypeOf;

/// Elements of a tile; 1 for a scalar.
int64_t elementCountOf(mlir::Value value);
/// Registers per element.
int64_t registersOf(mlir::Value value);

/// Whether the tile is rematerialized: its elements are computed at their uses, from their numbers
/// and from scalars.
bool isRecomputed(mlir::Value tile);

/// Whether all elements are constants with all bits zero: -0.0 is none, because it remains if it is
/// added to -0.0.
bool isZero(mlir::Value tile);

/// Whether the operation computes each element from those at the same position of its operands, all
/// in the same registers.
bool isByElements(mlir::Operation *op);
/// Whether the operation takes no code.
bool isNothing(mlir::Operation *op);
/// Whether the operation computes scalars from scalars, or makes views of them.
bool isOfScalars(mlir::Operation *op);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_TILEVALUES_H
