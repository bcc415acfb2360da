// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Math.h.

#include "tilewright/elementwise/Math.h"
#include "tilewright/elementwise/MathFunctions.h"

#include "llvm/Support/ErrorHandling.h"

using namespace tilewright;
using elementwise::Expression;
using elementwise::MathFunction;

static Expression expand(MathFunction function, const Expression &x, const Expression &y) {
  switch (function) {
  case MathFunction::Exp:
    return elementwise::math::exp(x);
  case MathFunction::Exp2:
    return elementwise::math::exp2(x);
  case MathFunction::Log:
    return elementwise::math::log(x);
  case MathFunction::Log2:
    return elementwise::math::log2(x);
  case MathFunction::Sin:
    return elementwise::math::sin(x);
  case MathFunction::Cos:
    return elementwise::math::cos(x);
  case MathFunction::Tan:
    return elementwise::math::tan(x);
  case MathFunction::Sinh:
    return elementwise::math::sinh(x);
  case MathFunction::Cosh:
    return elementwise::math::cosh(x);
  case MathFunction::Tanh:
    return elementwise::math::tanh(x);
  case MathFunction::Pow:
    return elementwise::math::pow(x, y);
  case MathFunction::Atan2:
    return elementwise::math::atan2(x, y);
  case MathFunction::Rsqrt:
    return elementwise::math::rsqrt(x);
  }
  llvm_unreachable("all functions are listed");
}

mlir::Value elementwise::emitMath(mlir::OpBuilder &builder, mlir::Location loc,
                                  const Capabilities &capabilities, MathFunction function,
                                  mlir::ValueRange operands) {
  bool isBinary = function == MathFunction::Pow || function == MathFunction::Atan2;
  assert(operands.size() == (isBinary ? 2 : 1) && "the operands of the function");
  Emitter emitter = {builder, loc, capabilities};
  return expand(function, {emitter, operands.front()}, {emitter, operands.back()});
}

mlir::Value elementwise::emitIntegerPower(mlir::OpBuilder &builder, mlir::Location loc,
                                          const Capabilities &capabilities, mlir::Value base,
                                          mlir::Value exponent) {
  Emitter emitter = {builder, loc, capabilities};
  return math::powInteger({emitter, base}, {emitter, exponent});
}
