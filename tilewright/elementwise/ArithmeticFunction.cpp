// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits calls of mathematical functions in the right format (arithmetic, 4.12 and 4.16 to 4.19).
// f16 and bf16 use the f32 result, rounded again (arithmetic, 3.3). Math.h has the functions
// themselves.

#include "tilewright/elementwise/ArithmeticParts.h"

using namespace tilewright;
using namespace tilewright::elementwise;
using numerics::Format;

Expression elementwise::emitFunction(MathFunction function, Format format, bool flushesToZero,
                                     Operands in) {
  llvm::SmallVector<mlir::Value> operands;
  for (const Expression &operand : in) {
    Expression wide = format == Format::F64 ? operand : widen(format, operand);
    operands.push_back(flushesToZero ? flushed(wide) : wide);
  }
  const Emitter &at = in.front().place();
  Expression result(at, emitMath(at.builder, at.loc, at.capabilities, function, operands));
  if (flushesToZero)
    result = flushed(result);
  return format == Format::F64 ? result : narrow(format, result);
}

Expression elementwise::emitPowerOfInteger(Format format, Operands in) {
  const Emitter &at = in.front().place();
  Expression base = format == Format::F64 ? in[0] : widen(format, in[0]);
  Expression exponent = signedTo(32, in[1]);
  Expression result(at, emitIntegerPower(at.builder, at.loc, at.capabilities, base, exponent));
  return format == Format::F64 ? result : narrow(format, result);
}
