// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a constant tile a counter? Integers that grow evenly along one dimension are written as
// arithmetic on an `iota`. That is shorter than a list, needs no memory in compiled code, and shows
// that addresses made of them follow each other.

#ifndef TILEWRIGHT_LOWER_PROGRESSION_H
#define TILEWRIGHT_LOWER_PROGRESSION_H

#include "tilewright/lower/ConstantTile.h"

#include "mlir/IR/Builders.h"

namespace tilewright::lower {

/// The element at i along the dimension is start + i step, modulo 2 to the width.
struct Progression {
  unsigned dim;
  numerics::Element start, step;
};

/// Of a tile that is worth it: a list of a few elements is as short.
std::optional<Progression> progressionOf(const ConstantTile &tile);

/// Operations that make the progression as a tile of the type.
mlir::Value makeProgression(tile::TileType type, const Progression &progression,
                            mlir::Location location, mlir::OpBuilder &builder);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_PROGRESSION_H
