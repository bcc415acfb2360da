// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the C library, one per element, through LLVM's intrinsics.

#include "tilewright/cpu/Math.h"
#include "tilewright/cpu/ArithmeticExpression.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace tilewright::cpu;
namespace LLVM = mlir::LLVM;

/// The C library tells signalling NaNs from others, Tile IR does not.
static Expression quiet(const Expression &source) {
  const uint64_t bits = source.width() == 32 ? 0x7FC00000 : 0x7FF8000000000000;
  return select(isNan(source), asFloat(bitsOf(source).constant(bits)), source);
}

mlir::Value tilewright::cpu::emitMath(mlir::OpBuilder &builder, mlir::Location loc,
                                      const Target &target, MathFunction function,
                                      mlir::ValueRange operands) {
  Emitter emitter{builder, loc, target};
  Expression x(emitter, operands.front());
  switch (function) {
  case MathFunction::Exp:
    return x.apply<LLVM::ExpOp>();
  case MathFunction::Exp2:
    return x.apply<LLVM::Exp2Op>();
  case MathFunction::Log:
    return x.apply<LLVM::LogOp>();
  case MathFunction::Log2:
    return x.apply<LLVM::Log2Op>();
  case MathFunction::Sin:
    return x.apply<LLVM::SinOp>();
  case MathFunction::Cos:
    return x.apply<LLVM::CosOp>();
  case MathFunction::Tan:
    return x.apply<LLVM::TanOp>();
  case MathFunction::Sinh:
    return x.apply<LLVM::SinhOp>();
  case MathFunction::Cosh:
    return x.apply<LLVM::CoshOp>();
  case MathFunction::Tanh:
    return x.apply<LLVM::TanhOp>();
  case MathFunction::Pow:
    return quiet(x).apply<LLVM::PowOp>(quiet(Expression(emitter, operands[1])));
  case MathFunction::Atan2:
    return x.apply<LLVM::ATan2Op>(operands[1]);
  case MathFunction::Rsqrt:
    return x.constant(1) / squareRoot(x);
  }
  llvm_unreachable("all functions are listed");
}
