// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elementwise operations run over whole tiles at once? Those for whose formats
// and modifiers `numerics` has a row function, which computes what `evalElement` does.

#ifndef TILEWRIGHT_REFERENCE_OPS_ROWS_H
#define TILEWRIGHT_REFERENCE_OPS_ROWS_H

#include "mlir/IR/Operation.h"
#include "tilewright/numerics/Rows.h"

namespace tilewright::reference {

/// Null if the elements are to be computed one by one.
numerics::RowFunction rowFunctionOf(mlir::Operation *op);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_OPS_ROWS_H
