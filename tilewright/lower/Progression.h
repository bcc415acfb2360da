// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces constant tiles of evenly growing integers by arithmetic on an `iota`. That is shorter
// than a list, needs no memory in compiled code, and shows that addresses computed from them are
// consecutive.

#ifndef TILEWRIGHT_LOWER_PROGRESSION_H
#define TILEWRIGHT_LOWER_PROGRESSION_H

#include "tilewright/lower/ConstantTile.h"

#include "mlir/IR/Builders.h"

namespace tilewright::lower {

/// The element at i along the dimension is start + i * step, modulo 2^width.
struct Progression {
  unsigned dim;
  numerics::Element start, step;
};

/// The progression of a tile; none if it is not one, or a list of its few elements is as short.
std::optional<Progression> progressionOf(const ConstantTile &tile);

/// Creates operations that compute the progression as a tile of this type.
mlir::Value makeProgression(tile::TileType type, const Progression &progression,
                            mlir::Location location, mlir::OpBuilder &builder);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_PROGRESSION_H
