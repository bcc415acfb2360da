// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All operations of the dialect `iree_vector_ext`.

#ifndef TILEWRIGHT_LAYOUT_DIALECT_OPS_H
#define TILEWRIGHT_LAYOUT_DIALECT_OPS_H

#include "tilewright/layout/dialect/Dialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "tilewright/layout/dialect/Ops.h.inc"

#endif // TILEWRIGHT_LAYOUT_DIALECT_OPS_H
