// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layouts of the vectors in a program.

#ifndef TILEWRIGHT_LAYOUT_PROPAGATE_LAYOUTMAP_H
#define TILEWRIGHT_LAYOUT_PROPAGATE_LAYOUTMAP_H

#include "tilewright/layout/dialect/Dialect.h"

#include "llvm/ADT/DenseMap.h"

namespace tilewright::layout {

using LayoutMap = llvm::DenseMap<mlir::Value, VectorLayoutInterface>;

/// The layout of a vector, or null. Vectors of rank 0 need no layout: every thread holds them.
NestedLayoutAttr nestedLayoutOf(mlir::Value vector, const LayoutMap &layouts);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_PROPAGATE_LAYOUTMAP_H
