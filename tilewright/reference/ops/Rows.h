// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps elementwise operations to row functions, which compute whole tiles at once. An operation has
// one if `numerics` does for its formats and modifiers; the results are those of `evalElement`.

#ifndef TILEWRIGHT_REFERENCE_OPS_ROWS_H
#define TILEWRIGHT_REFERENCE_OPS_ROWS_H

#include "mlir/IR/Operation.h"
#include "tilewright/numerics/Rows.h"

namespace tilewright::reference {

/// Null if the elements have to be computed one by one.
numerics::RowFunction rowFunctionOf(mlir::Operation *op);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_OPS_ROWS_H
