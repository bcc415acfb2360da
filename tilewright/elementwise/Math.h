// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are the mathematical functions computed in generated code?

#ifndef TILEWRIGHT_ELEMENTWISE_MATH_H
#define TILEWRIGHT_ELEMENTWISE_MATH_H

#include "tilewright/elementwise/Capabilities.h"

#include "mlir/IR/Builders.h"

namespace tilewright::elementwise {

enum class MathFunction {
  Exp,
  Exp2,
  Log,
  Log2,
  Sin,
  Cos,
  Tan,
  Sinh,
  Cosh,
  Tanh,
  /// x to the power of y.
  Pow,
  /// The angle of the point (y, x), given in this order.
  Atan2,
  /// 1 / sqrt(x).
  Rsqrt,
};

/// The function of one or two operands, f32 or f64, scalars or vectors, with the special
/// values of C (arithmetic, 3.5) and within the bounds of arithmetic, 3.4.
mlir::Value emitMath(mlir::OpBuilder &builder, mlir::Location loc, const Capabilities &capabilities,
                     MathFunction function, mlir::ValueRange operands);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_MATH_H
