// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplifications of an operation of which not all operands are known. Every rule keeps the bits of
// defined results. It may make undefined elements defined, but never the reverse.

#ifndef TILEWRIGHT_LOWER_SIMPLIFY_H
#define TILEWRIGHT_LOWER_SIMPLIFY_H

#include "tilewright/lower/Facts.h"

#include "mlir/IR/Builders.h"

namespace tilewright::lower {

/// The result of an operation is an existing value, or one element everywhere, or (both
/// absent) not known to be anything simpler.
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

/// Conversions of conversions. May change the operation in place.
Simpler joinConversions(mlir::Operation *op, Facts &facts, mlir::OpBuilder &builder);

/// Does every number of `narrow` come back from `wide`, if NaNs are canonical?
bool roundTrips(numerics::Format narrow, numerics::Format wide);

/// A power with an exponent that another operation stands for.
Simpler simplifyPower(mlir::Operation *op, Facts &facts, mlir::OpBuilder &builder);

/// Rearrangements of rearrangements. May change the operation in place, and build others
/// in front of it.
Simpler joinRearrangements(mlir::Operation *op, Facts &facts, mlir::OpBuilder &builder);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_SIMPLIFY_H
