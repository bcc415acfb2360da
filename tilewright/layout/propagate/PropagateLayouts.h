// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which layout does each vector of a program have? The rules, one operation at a time, and
// the analysis that applies them to all (layouts, 3.3.1).

#ifndef TILEWRIGHT_LAYOUT_PROPAGATE_PROPAGATELAYOUTS_H
#define TILEWRIGHT_LAYOUT_PROPAGATE_PROPAGATELAYOUTS_H

#include "tilewright/layout/dialect/Ops.h"
#include "tilewright/layout/propagate/LayoutMap.h"

namespace tilewright::layout {

/// Gives every vector below `root` that is connected with a `to_layout` its layout, and
/// inserts what reconciles operations that need an operand in another one.
LayoutMap propagateLayouts(mlir::Operation *root);

// --- Rules ----------------------------------------------------------------------------

/// The layout that is known of a value so far, or null.
using LayoutLookup = llvm::function_ref<VectorLayoutInterface(mlir::Value)>;

struct LaidOut {
  mlir::Value value;
  VectorLayoutInterface layout;
};

/// Which values have a layout because this operand has one.
llvm::SmallVector<LaidOut> layoutsFrom(mlir::OpOperand &operand, VectorLayoutInterface layout,
                                       LayoutLookup known);

struct RequiredLayout {
  mlir::OpOperand *operand;
  VectorLayoutInterface layout;
};

/// The layouts that an operation requires of its operands, given those of its results and of the
/// vectors that it writes or reduces. Operations with regions say it elsewhere.
llvm::SmallVector<RequiredLayout> requiredLayouts(mlir::Operation *op, LayoutLookup layoutOf);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_PROPAGATE_PROPAGATELAYOUTS_H
