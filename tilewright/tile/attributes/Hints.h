// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which optimization hints count for a target? Those of its architecture, and those of `default`
// that it has no value of its own for (operations, 2.5).

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_HINTS_H
#define TILEWRIGHT_TILE_ATTRIBUTES_HINTS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// One hint of an operation.
struct HintForTarget {
  llvm::StringRef architecture, name;
  mlir::Attribute value;
  /// Why it does not count; empty if it does.
  std::string problem;
};

/// `sm_90.latency = 3`
std::string toString(const HintForTarget &hint);

/// All hints that stand on an operation, seen from this architecture.
llvm::SmallVector<HintForTarget> hintsOf(mlir::Operation *op, llvm::StringRef architecture);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ATTRIBUTES_HINTS_H
