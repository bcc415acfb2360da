// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplifications of operations with unknown operands. Every rule keeps the bits of defined
// results. It may make undefined elements defined, but never the reverse.

#ifndef TILEWRIGHT_LOWER_SIMPLIFY_H
#define TILEWRIGHT_LOWER_SIMPLIFY_H

#include "tilewright/lower/Facts.h"

#include "mlir/IR/Builders.h"

namespace tilewright::lower {

/// A simpler form of a result: an existing value, or a splat of one element; if both are absent,
/// nothing simpler is known.
struct Simpler {
  mlir::Value value;
  std::optional<numerics::Element> splat;

  Simpler() = default;
  Simpler(mlir::Value value) : value(value) {}
  Simpler(numerics::Element splat) : splat(splat) {}
  explicit operator bool() const { return value || splat; }
};

/// Integer and float identities.
Simpler applyIdentity(mlir::Operation *op, Facts &facts);

/// Joins conversions of conversions. May change the operation in place.
Simpler joinConversions(mlir::Operation *op, Facts &facts, mlir::OpBuilder &builder);

/// Whether every number of `narrow` survives a conversion to `wide` and back, if NaNs are
/// canonical.
bool roundTrips(numerics::Format narrow, numerics::Format wide);

/// Replaces a power whose exponent corresponds to another operation.
Simpler simplifyPower(mlir::Operation *op, Facts &facts, mlir::OpBuilder &builder);

/// Joins rearrangements of rearrangements. May change the operation in place, and insert others in
/// front of it.
Simpler joinRearrangements(mlir::Operation *op, Facts &facts, mlir::OpBuilder &builder);

/// Creates the tile all of whose elements are this one, which may have any rank.
mlir::Value repeatOver(tile::TileType type, mlir::Value element, mlir::Location loc,
                       mlir::OpBuilder &builder);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_SIMPLIFY_H
