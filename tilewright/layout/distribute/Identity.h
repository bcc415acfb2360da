// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The identity of a combining kind, with which a reduction starts: combining it with any value
// gives that value.

#ifndef TILEWRIGHT_LAYOUT_DISTRIBUTE_IDENTITY_H
#define TILEWRIGHT_LAYOUT_DISTRIBUTE_IDENTITY_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilewright::layout {

/// The identity, as a scalar or in every element of a vector.
mlir::Value identityValue(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::vector::CombiningKind kind, mlir::Type type);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DISTRIBUTE_IDENTITY_H
