// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chapters of Arithmetic.h: each takes some operations and leaves others to the next.

#ifndef TILEWRIGHT_ELEMENTWISE_ARITHMETICPARTS_H
#define TILEWRIGHT_ELEMENTWISE_ARITHMETICPARTS_H

#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/tile/Arithmetic.h"

#include <optional>

namespace tilewright::elementwise {

using Operands = llvm::ArrayRef<Expression>;

// No result: not an operation of this chapter.
std::optional<Expression> emitInteger(mlir::Operation *op, Operands in);
std::optional<Expression> emitFloat(mlir::Operation *op, Operands in);
std::optional<Expression> emitFunction(mlir::Operation *op, Operands in);
std::optional<Expression> emitConversion(mlir::Operation *op, Operands in);

/// The format of a float that arithmetic is done on, f16, bf16, f32 or f64, and one of the
/// three modes of IEEE 754 that are not nearest even.
struct DirectedRounding {
  numerics::Format format;
  numerics::RoundingMode mode;
};

// Arithmetic in those modes.
Expression addDirected(const DirectedRounding &rounding, const Expression &lhs,
                       const Expression &rhs);
Expression multiplyDirected(const DirectedRounding &rounding, const Expression &lhs,
                            const Expression &rhs);
Expression divideDirected(const DirectedRounding &rounding, const Expression &lhs,
                          const Expression &rhs);
Expression rootDirected(const DirectedRounding &rounding, const Expression &source);
Expression fmaDirected(const DirectedRounding &rounding, const Expression &lhs,
                       const Expression &rhs, const Expression &acc);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_ARITHMETICPARTS_H
