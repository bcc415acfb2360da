// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of the dialect's attributes and operations, and the aliases of layouts.

#include "tilewright/layout/dialect/Ops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilewright::layout;

#include "tilewright/layout/dialect/Dialect.cpp.inc"

namespace {

/// Prints layouts as `#nested`, `#nested1`, ... at the top of a module.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<NestedLayoutAttr>(attr))
      return AliasResult::NoAlias;
    os << "nested";
    return AliasResult::OverridableAlias;
  }
};

} // namespace

void VectorExtDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "tilewright/layout/dialect/Ops.cpp.inc"
      >();
  addInterfaces<LayoutAliases>();
}
