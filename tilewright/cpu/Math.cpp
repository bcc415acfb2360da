// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Math.h.

#include "tilewright/cpu/Math.h"
#include "tilewright/cpu/MathFunctions.h"

#include "llvm/Support/ErrorHandling.h"

using namespace tilewright;
using cpu::Expression;
using cpu::MathFunction;

static Expression expand(MathFunction function, const Expression &x, const Expression &y) {
  switch (function) {
  case MathFunction::Exp:
    return cpu::math::exp(x);
  case MathFunction::Exp2:
    return cpu::math::exp2(x);
  case MathFunction::Log:
    return cpu::math::log(x);
  case MathFunction::Log2:
    return cpu::math::log2(x);
  case MathFunction::Sin:
    return cpu::math::sin(x);
  case MathFunction::Cos:
    return cpu::math::cos(x);
  case MathFunction::Tan:
    return cpu::math::tan(x);
  case MathFunction::Sinh:
    return cpu::math::sinh(x);
  case MathFunction::Cosh:
    return cpu::math::cosh(x);
  case MathFunction::Tanh:
    return cpu::math::tanh(x);
  case MathFunction::Pow:
    return cpu::math::pow(x, y);
  case MathFunction::Atan2:
    return cpu::math::atan2(x, y);
  case MathFunction::Rsqrt:
    return cpu::math::rsqrt(x);
  }
  llvm_unreachable("all functions are listed");
}

mlir::Value cpu::emitMath(mlir::OpBuilder &builder, mlir::Location loc, const Target &target,
                          MathFunction function, mlir::ValueRange operands) {
  bool isBinary = function == MathFunction::Pow || function == MathFunction::Atan2;
  assert(operands.size() == (isBinary ? 2 : 1) && "the operands of the function");
  Emitter emitter = {builder, loc, target};
  return expand(function, {emitter, operands.front()}, {emitter, operands.back()});
}
