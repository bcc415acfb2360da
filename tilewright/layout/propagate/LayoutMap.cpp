// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/layout/propagate/LayoutMap.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

NestedLayoutAttr layout::nestedLayoutOf(Value vector, const LayoutMap &layouts) {
  if (VectorLayoutInterface found = layouts.lookup(vector))
    return cast<NestedLayoutAttr>(found);
  auto type = dyn_cast<VectorType>(vector.getType());
  if (type && type.getRank() == 0)
    return NestedLayoutAttr::get(vector.getContext(), Layout());
  return {};
}
