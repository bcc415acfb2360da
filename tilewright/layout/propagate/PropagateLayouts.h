// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout propagation: assigns a layout to each vector of a program. This header has the rules for
// single operations and the analysis that applies them (layouts, 3.3.1).

#ifndef TILEWRIGHT_LAYOUT_PROPAGATE_PROPAGATELAYOUTS_H
#define TILEWRIGHT_LAYOUT_PROPAGATE_PROPAGATELAYOUTS_H

#include "tilewright/layout/dialect/Ops.h"
#include "tilewright/layout/propagate/LayoutMap.h"

namespace tilewright::layout {

/// Assigns a layout to every vector below `root` that is connected to a `to_layout`, and inserts
/// recomputations or conversions for operations that need an operand in another layout.
LayoutMap propagateLayouts(mlir::Operation *root);

// --- Rules ----------------------------------------------------------------------------

/// The layout of a value as far as it is known, or null.
using LayoutLookup = llvm::function_ref<VectorLayoutInterface(mlir::Value)>;

struct LaidOut {
  mlir::Value value;
  VectorLayoutInterface layout;
};

/// The values whose layouts follow from the layout of this operand.
llvm::SmallVector<LaidOut> layoutsFrom(mlir::OpOperand &operand, VectorLayoutInterface layout,
                                       LayoutLookup known);

struct RequiredLayout {
  mlir::OpOperand *operand;
  VectorLayoutInterface layout;
};

/// The layouts that an operation requires for its operands, given those of its results and of the
/// vectors that it writes or reduces. Operations with regions are handled elsewhere.
llvm::SmallVector<RequiredLayout> requiredLayouts(mlir::Operation *op, LayoutLookup layoutOf);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_PROPAGATE_PROPAGATELAYOUTS_H
