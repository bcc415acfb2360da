// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FastMath.h. Errors are those of the PTX ISA, 9.7.3: `ex2.approx` has 2 ulp, `rsqrt.approx`
// a relative one of 2^-22.9, `sqrt.approx` of 2^-23.

#include "tilewright/nvidia/emit/FastMath.h"
#include "tilewright/tile/Ops.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Value;

static Value call(ThreadBuilder &b, const llvm::Twine &name, Value operand) {
  return mlir::LLVM::CallIntrinsicOp::create(b, b.getF32Type(),
                                             b.getStringAttr("llvm.nvvm." + name), operand)
      .getResults();
}

Value nvidia::emitFunction(ThreadBuilder &b, mlir::Operation *op, mlir::ValueRange operands) {
  auto type = llvm::dyn_cast<tile::TileType>(op->getResult(0).getType());
  if (!type || !type.getElementType().isF32())
    return {};
  auto flush = [](auto of) { return of.getFlushToZero() ? ".ftz" : ""; };
  return llvm::TypeSwitch<mlir::Operation *, Value>(op)
      .Case<tile::Exp2Op>(
          [&](auto exp2) { return call(b, llvm::Twine("ex2.approx") + flush(exp2), operands[0]); })
      .Case<tile::RsqrtOp>([&](auto rsqrt) {
        return call(b, llvm::Twine("rsqrt.approx") + flush(rsqrt) + ".f", operands[0]);
      })
      .Case<tile::SqrtOp>([&](auto sqrt) -> Value {
        if (sqrt.getRoundingMode() != tile::RoundingMode::Approx)
          return {};
        return call(b, llvm::Twine("sqrt.approx") + flush(sqrt) + ".f", operands[0]);
      })
      .Default(Value());
}
