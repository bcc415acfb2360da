// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From attributes of operations to the modes of `numerics`. Both enumerations have the
// same numbers (checked in Attributes.cpp), so that the arithmetic needs no IR.

#ifndef TILEWRIGHT_TILE_ARITHMETIC_H
#define TILEWRIGHT_TILE_ARITHMETIC_H

#include "tilewright/numerics/Modes.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

inline numerics::RoundingMode modeOf(RoundingMode mode) { return numerics::RoundingMode(mode); }
inline numerics::Signedness modeOf(Signedness mode) { return numerics::Signedness(mode); }
inline numerics::Overflow modeOf(IntegerOverflow mode) { return numerics::Overflow(mode); }
/// Of the flag `saturating`.
inline numerics::OutOfRange outOfRange(bool saturating) {
  return saturating ? numerics::OutOfRange::Saturates : numerics::OutOfRange::Undefined;
}
inline numerics::Predicate modeOf(ComparisonPredicate mode) { return numerics::Predicate(mode); }
inline numerics::Ordering modeOf(ComparisonOrdering mode) { return numerics::Ordering(mode); }

/// What a multimem reduction does to each copy.
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

/// Format of the elements of a tile.
inline numerics::Format formatOfTile(mlir::Value value) {
  return *formatOf(llvm::cast<TileType>(value.getType()).getElementType());
}

/// What a view says that elements outside of its tensor read as (types, 6); none if it does
/// not say. The value is unspecified if the format lacks it: this one is the choice here.
std::optional<numerics::Element> paddingOf(TileView view);

/// What the format of a view lacks for the padding value: `Inf`, `NaN`, `-0`. Empty if it lacks
/// nothing.
llvm::StringRef lackingForPadding(TileView view);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ARITHMETIC_H
