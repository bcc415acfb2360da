// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimization hints that apply to a target: those for its architecture, and those in `default`
// that the architecture does not override (operations, 2.5).

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_HINTS_H
#define TILEWRIGHT_TILE_ATTRIBUTES_HINTS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// One hint of an operation.
struct HintForTarget {
  llvm::StringRef architecture, name;
  mlir::Attribute value;
  /// Why it does not apply; empty if it does.
  std::string problem;
};

/// `sm_90.latency = 3`
std::string toString(const HintForTarget &hint);

/// All hints of an operation, evaluated for this architecture.
llvm::SmallVector<HintForTarget> hintsOf(mlir::Operation *op, llvm::StringRef architecture);
/// The value of a hint that applies to this architecture; null if there is none.
mlir::Attribute hintOf(mlir::Operation *op, llvm::StringRef architecture, llvm::StringRef name);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ATTRIBUTES_HINTS_H
