// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a reduction start from? From the identity of its combining kind: combining it with
// any other value gives that value.

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_IDENTITY_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_IDENTITY_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilewright::layout {

/// The identity of the combining kind, as a scalar or in every element of a vector.
mlir::Value identityValue(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::vector::CombiningKind kind, mlir::Type type);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_IDENTITY_H
