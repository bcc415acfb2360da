// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates an operation whose operands are all known.

#ifndef TILEWRIGHT_LOWER_EVALUATEOP_H
#define TILEWRIGHT_LOWER_EVALUATEOP_H

#include "tilewright/lower/ConstantTile.h"

#include "mlir/IR/Operation.h"

namespace tilewright::lower {

/// Whether evaluateOp supports the operation.
bool isEvaluable(mlir::Operation *op);

/// How many elements evaluateOp computes or copies: one if the operands and the result are splats.
int64_t evaluationWork(mlir::Operation *op, llvm::ArrayRef<const ConstantTile *> operands);

/// The result; none if one of its elements is undefined.
std::optional<ConstantTile> evaluateOp(mlir::Operation *op,
                                       llvm::ArrayRef<const ConstantTile *> operands);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_EVALUATEOP_H
