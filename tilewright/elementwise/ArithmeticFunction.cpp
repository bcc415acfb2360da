// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which function does an operation mean, and in which format is it computed? (arithmetic,
// 4.12 and 4.16 to 4.19) f16 and bf16 take the result of f32, rounded once more (arithmetic,
// 3.3). The functions themselves are in Math.h.

#include "tilewright/elementwise/ArithmeticParts.h"
#include "tilewright/elementwise/Math.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::elementwise;
using numerics::Format;

static std::optional<MathFunction> functionOf(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, std::optional<MathFunction>>(op)
      .Case([](tile::ExpOp) { return MathFunction::Exp; })
      .Case([](tile::Exp2Op) { return MathFunction::Exp2; })
      .Case([](tile::LogOp) { return MathFunction::Log; })
      .Case([](tile::Log2Op) { return MathFunction::Log2; })
      .Case([](tile::SinOp) { return MathFunction::Sin; })
      .Case([](tile::CosOp) { return MathFunction::Cos; })
      .Case([](tile::TanOp) { return MathFunction::Tan; })
      .Case([](tile::SinhOp) { return MathFunction::Sinh; })
      .Case([](tile::CoshOp) { return MathFunction::Cosh; })
      .Case([](tile::TanhOp) { return MathFunction::Tanh; })
      .Case([](tile::PowOp) { return MathFunction::Pow; })
      .Case([](tile::Atan2Op) { return MathFunction::Atan2; })
      .Case([](tile::RsqrtOp) { return MathFunction::Rsqrt; })
      .Default(std::nullopt);
}

static bool flushesToZero(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case<tile::Exp2Op, tile::RsqrtOp>([](auto flushable) { return flushable.getFlushToZero(); })
      .Default(false);
}

std::optional<Expression> elementwise::emitFunction(mlir::Operation *op, Operands in) {
  std::optional<MathFunction> function = functionOf(op);
  if (!function)
    return std::nullopt;
  Format format = tile::formatOfTile(op->getResult(0));
  bool flushes = flushesToZero(op);
  llvm::SmallVector<mlir::Value> operands;
  for (const Expression &operand : in) {
    Expression wide = format == Format::F64 ? operand : widen(format, operand);
    operands.push_back(flushes ? flushed(wide) : wide);
  }
  const Emitter &at = in.front().place();
  Expression result(at, emitMath(at.builder, at.loc, at.capabilities, *function, operands));
  if (flushes)
    result = flushed(result);
  return format == Format::F64 ? result : narrow(format, result);
}
