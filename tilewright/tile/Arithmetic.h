// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts the attributes of operations to the modes of `numerics`. Both enumerations have the same
// numbers (checked in Attributes.cpp), so the arithmetic needs no IR.

#ifndef TILEWRIGHT_TILE_ARITHMETIC_H
#define TILEWRIGHT_TILE_ARITHMETIC_H

#include "tilewright/numerics/Modes.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

inline numerics::RoundingMode modeOf(RoundingMode mode) { return numerics::RoundingMode(mode); }
inline numerics::Signedness modeOf(Signedness mode) { return numerics::Signedness(mode); }
inline numerics::Overflow modeOf(IntegerOverflow mode) { return numerics::Overflow(mode); }
/// For the flag `saturating`.
inline numerics::OutOfRange outOfRange(bool saturating) {
  return saturating ? numerics::OutOfRange::Saturates : numerics::OutOfRange::Undefined;
}
inline numerics::Predicate modeOf(ComparisonPredicate mode) { return numerics::Predicate(mode); }
inline numerics::Ordering modeOf(ComparisonOrdering mode) { return numerics::Ordering(mode); }

/// The atomic mode that a multimem reduction applies to each copy.
inline AtomicRMWMode atomicModeOf(MultimemReductionKind kind, mlir::Type element) {
  switch (kind) {
  case MultimemReductionKind::Add:
    return element.isInteger() ? AtomicRMWMode::Add : AtomicRMWMode::AddF;
  case MultimemReductionKind::Min:
    return AtomicRMWMode::Min;
  case MultimemReductionKind::Max:
    return AtomicRMWMode::Max;
  case MultimemReductionKind::And:
    return AtomicRMWMode::And;
  case MultimemReductionKind::Or:
    return AtomicRMWMode::Or;
  case MultimemReductionKind::Xor:
    return AtomicRMWMode::Xor;
  case MultimemReductionKind::UMin:
    return AtomicRMWMode::UMin;
  case MultimemReductionKind::UMax:
    break;
  }
  return AtomicRMWMode::UMax;
}

/// The format of a tile's elements.
inline numerics::Format formatOfTile(mlir::Value value) {
  return *formatOf(llvm::cast<TileType>(value.getType()).getElementType());
}

/// The value that elements outside of a view's tensor read as (types, 6); none if the view has no
/// padding value. If the format lacks the padding value, the specification leaves the element
/// unspecified, and this function chooses one.
std::optional<numerics::Element> paddingOf(TileView view);

/// What the view's format lacks for the padding value: `Inf`, `NaN`, `-0`. Empty if it lacks
/// nothing.
llvm::StringRef lackingForPadding(TileView view);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ARITHMETIC_H
