// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which layout has each vector of a program?

#ifndef TILEWRIGHT_LAYOUT_PROPAGATE_LAYOUTMAP_H
#define TILEWRIGHT_LAYOUT_PROPAGATE_LAYOUTMAP_H

#include "tilewright/layout/dialect/Dialect.h"

#include "llvm/ADT/DenseMap.h"

namespace tilewright::layout {

using LayoutMap = llvm::DenseMap<mlir::Value, VectorLayoutInterface>;

/// The layout of a vector, or null. A vector of rank 0 needs none to be the same everywhere.
NestedLayoutAttr nestedLayoutOf(mlir::Value vector, const LayoutMap &layouts);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_PROPAGATE_LAYOUTMAP_H
