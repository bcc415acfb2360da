// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `iree_vector_ext` and its attributes. Include "tilewright/layout/dialect/Ops.h" for
// the operations as well.

#ifndef TILEWRIGHT_LAYOUT_DIALECT_DIALECT_H
#define TILEWRIGHT_LAYOUT_DIALECT_DIALECT_H

#include "tilewright/layout/algebra/Layout.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/Dialect.h"

#include "tilewright/layout/dialect/Dialect.h.inc"

#include "tilewright/layout/dialect/AttributeInterfaces.h.inc"

namespace tilewright::layout::detail {
struct NestedLayoutAttrStorage;
} // namespace tilewright::layout::detail

#define GET_ATTRDEF_CLASSES
#include "tilewright/layout/dialect/Attributes.h.inc"

#endif // TILEWRIGHT_LAYOUT_DIALECT_DIALECT_H
