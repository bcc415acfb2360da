// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FastMath.h. Errors according to the PTX ISA, 9.7.3: `ex2.approx` has 2 ulp; `rsqrt.approx`
// has a relative error of 2^-22.9, `sqrt.approx` of 2^-23.

#include "tilewright/nvidia/emit/FastMath.h"
#include "tilewright/tile/Ops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Value;

static Value call(ThreadBuilder &b, const llvm::Twine &name, mlir::Type result,
                  mlir::ValueRange operands) {
  return mlir::LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr("llvm.nvvm." + name),
                                             operands)
      .getResults();
}

template <typename Op> static llvm::StringRef flush(Op op) {
  return op.getFlushToZero() ? ".ftz" : "";
}

/// Computes 2^f times 2^j, where j is an integer and f + j = x log2(e), so that f loses no
/// significant bits. j is limited to normal exponents; f takes the rest, which makes the result
/// infinite, subnormal or zero. f also propagates NaNs.
static Value emitExp(ThreadBuilder &b, Value x) {
  constexpr double log2e = 1.4426950408889634, least = -126, steps = 253, bias = 127;
  constexpr double lowBits = 0x1.8p23; // adding it leaves an integer in the lowest bits
  mlir::Type f32 = b.getF32Type(), i32 = b.getI32Type();
  auto value = [&](double value) -> Value {
    return mlir::arith::ConstantOp::create(b, b.getF32FloatAttr(float(value)));
  };
  auto fma = [&](llvm::StringRef form, Value a, Value factor, Value c) {
    return call(b, "fma.rn" + form + ".f", f32, {a, factor, c});
  };
  // From 0 to 1 where j goes from -126 to 127.
  Value place = fma(".sat", x, value(log2e / steps), value(-least / steps));
  Value sum = fma("", place, value(steps), value(lowBits + bias + least));
  Value whole = mlir::arith::SubFOp::create(b, sum, value(lowBits + bias));
  Value minus = mlir::arith::NegFOp::create(b, whole);
  Value rest = fma("", x, value(log2e), minus);
  rest = fma("", x, value(log2e - float(log2e)), rest);
  Value power =
      mlir::arith::ShLIOp::create(b, b.createOrFold<mlir::LLVM::BitcastOp>(i32, sum), b.i32(23));
  return mlir::arith::MulFOp::create(b, call(b, "ex2.approx.ftz", f32, rest),
                                     b.createOrFold<mlir::LLVM::BitcastOp>(f32, power));
}

/// `max` and `min` of PTX match the specification (arithmetic, 4.20); from sm_80 on also with
/// `.NaN`, and for f16 and bf16. f64 has no `.NaN`. Emitted as inline PTX, because LLVM folds its
/// own functions: the maximum of a NaN and itself would be that NaN, and not the canonical one.
template <typename Op>
static Value emitExtreme(ThreadBuilder &b, const Target &target, llvm::StringRef name, Op op,
                         mlir::Type type, mlir::ValueRange operands) {
  constexpr unsigned firstWithNan = 80;
  const bool needsNan = op.getPropagateNan();
  if (type.isF64() ? needsNan : target.capability < firstWithNan && (needsNan || !type.isF32()))
    return {};
  const auto [suffix, constraint] = type.isF64()   ? std::pair(".f64", "d")
                                    : type.isF32() ? std::pair(".f32", "f")
                                    : type.isF16() ? std::pair(".f16", "h")
                                                   : std::pair(".bf16", "h");
  std::string text = (name + flush(op) + (needsNan ? ".NaN" : "") + suffix + " $0, $1, $2;").str();
  std::string constraints = llvm::formatv("={0},{0},{0}", constraint);
  return mlir::LLVM::InlineAsmOp::create(b, operands.front().getType(), operands, text, constraints,
                                         /*has_side_effects=*/false, /*is_align_stack=*/false,
                                         mlir::LLVM::TailCallKind::None, {}, {})
      .getResult(0);
}

Value nvidia::emitFunction(ThreadBuilder &b, const Target &target, mlir::Operation *op,
                           mlir::ValueRange operands) {
  auto tileType = llvm::dyn_cast<tile::TileType>(op->getResult(0).getType());
  if (!tileType)
    return {};
  mlir::Type type = tileType.getElementType();
  auto function = [&](const llvm::Twine &name) -> Value {
    return type.isF32() ? call(b, name, type, operands) : Value();
  };
  return llvm::TypeSwitch<mlir::Operation *, Value>(op)
      .Case<tile::ExpOp>([&](auto exp) -> Value {
        if (!type.isF32())
          return {};
        if (exp.getRoundingMode() != tile::RoundingMode::Approx)
          return emitExp(b, operands[0]);
        Value log2e = mlir::arith::ConstantOp::create(b, b.getF32FloatAttr(1.44269504f));
        return call(b, "ex2.approx", type,
                    mlir::arith::MulFOp::create(b, operands[0], log2e).getResult());
      })
      .Case<tile::Exp2Op>([&](auto exp2) { return function("ex2.approx" + flush(exp2)); })
      .Case<tile::RsqrtOp>(
          [&](auto rsqrt) { return function("rsqrt.approx" + flush(rsqrt) + ".f"); })
      .Case<tile::SqrtOp>([&](auto sqrt) {
        bool isApproximate = sqrt.getRoundingMode() == tile::RoundingMode::Approx;
        return isApproximate ? function("sqrt.approx" + flush(sqrt) + ".f") : Value();
      })
      .Case<tile::MaxFOp>(
          [&](auto max) { return emitExtreme(b, target, "max", max, type, operands); })
      .Case<tile::MinFOp>(
          [&](auto min) { return emitExtreme(b, target, "min", min, type, operands); })
      .Default(Value());
}
