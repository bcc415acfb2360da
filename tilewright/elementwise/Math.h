// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits mathematical functions.

#ifndef TILEWRIGHT_ELEMENTWISE_MATH_H
#define TILEWRIGHT_ELEMENTWISE_MATH_H

#include "tilewright/elementwise/Capabilities.h"
#include "tilewright/numerics/MathFunction.h"

#include "mlir/IR/Builders.h"

namespace tilewright::elementwise {

using numerics::MathFunction;

/// A function of one or two operands, f32 or f64, scalars or vectors. Special values are those of C
/// (arithmetic, 3.5), and errors are within the bounds of arithmetic, 3.4.
mlir::Value emitMath(mlir::OpBuilder &builder, mlir::Location loc, const Capabilities &capabilities,
                     MathFunction function, mlir::ValueRange operands);

/// f32 or f64 to the power of an i32, which is read as signed (13.4, section 3).
mlir::Value emitIntegerPower(mlir::OpBuilder &builder, mlir::Location loc,
                             const Capabilities &capabilities, mlir::Value base,
                             mlir::Value exponent);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_MATH_H
