// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematical functions of the specification (arithmetic, 3.4).

#ifndef TILEWRIGHT_NUMERICS_MATHFUNCTION_H
#define TILEWRIGHT_NUMERICS_MATHFUNCTION_H

namespace tilewright::numerics {

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

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MATHFUNCTION_H
