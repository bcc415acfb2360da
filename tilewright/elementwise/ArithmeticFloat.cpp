// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the float operations (arithmetic, 4.10 to 4.20). f32 and f64 use the processor's
// instructions, which round to nearest even. f16 and bf16 are computed in f32, which has more than
// twice their bits, so that rounding a sum, product, quotient or square root twice gives the same
// result as rounding once (arithmetic, 3.3). ArithmeticDirected.cpp has the other modes.

#include "tilewright/elementwise/ArithmeticParts.h"
#include "tilewright/elementwise/Instructions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::elementwise;
using numerics::Format;
using numerics::Ordering;
using numerics::Predicate;
using numerics::RoundingMode;

//===-- Operands and results ----------------------------------------------------------------===//

static bool isHalf(Format format) { return format == Format::F16 || format == Format::BF16; }

static Expression flushIf(bool flushToZero, const Expression &value) {
  return flushToZero ? flushed(value) : value;
}

/// A format, a rounding mode, and whether f32 subnormals are flushed.
namespace {
struct Modifiers {
  Format format;
  RoundingMode mode = RoundingMode::NearestEven;
  bool flushToZero = false;

  template <typename Op> static Modifiers of(Op op) {
    return {tile::formatOfTile(op.getResult()), tile::modeOf(op.getRoundingMode()),
            op.getFlushToZero()};
  }
  bool isDirected() const { return numerics::isIeee(mode) && mode != RoundingMode::NearestEven; }
  DirectedRounding directed() const { return {format, mode}; }
};
} // namespace

/// Applies the formula to values that the processor computes with, and converts the result to the
/// format.
template <typename Formula>
static Expression throughMachine(Format format, Operands in, Formula formula) {
  if (!isHalf(format))
    return formula(in);
  llvm::SmallVector<Expression> wide;
  for (const Expression &operand : in)
    wide.push_back(widen(format, operand));
  return narrow(format, formula(Operands(wide)));
}

/// Applies the formula for the mode, and flushes operands and result if requested.
template <typename Nearest, typename Directed>
static Expression rounded(const Modifiers &modifiers, Operands in, Nearest nearest,
                          Directed directed) {
  llvm::SmallVector<Expression> flushed;
  for (const Expression &operand : in)
    flushed.push_back(flushIf(modifiers.flushToZero, operand));
  Expression result = modifiers.isDirected() ? directed(modifiers.directed(), Operands(flushed))
                                             : throughMachine(modifiers.format, flushed, nearest);
  return flushIf(modifiers.flushToZero, result);
}

// ===-- Division, fused multiply-add --------------------------------------------------------===//

/// In the mode Approx, the reciprocal of a huge divisor underflows to zero (arithmetic, 4.15).
static Expression quotient(RoundingMode mode, Operands in) {
  if (mode != RoundingMode::Approx)
    return in[0] / in[1];
  Expression size = magnitude(in[1]);
  Expression infinity = asFloat(bitsOf(size).constant(0x7F800000));
  Expression vanishes = less(size.constant(0x1p126), size) & less(size, infinity);
  Expression zero = asFloat(bitsOf(in[1]) & int64_t(0x80000000));
  return select(vanishes, in[0] * zero, in[0] / in[1]);
}

/// Rounds once without an FMA instruction: products are exact in f64 for f32 and bf16, and in f32
/// for f16.
static Expression fmaNearest(Format format, Operands in) {
  bool hasInstruction = in[0].place().capabilities.hasFma;
  if (format == Format::F64 || (format == Format::F32 && hasInstruction))
    return fusedMultiplyAdd(in[0], in[1], in[2]);
  Expression a = widen(format, in[0]), b = widen(format, in[1]), c = widen(format, in[2]);
  if (format == Format::F16)
    return narrow(format, odd(twoSum(a * b, c)));
  Inexact sum = twoSum(toF64(a) * toF64(b), toF64(c));
  return format == Format::F32 ? toF32(odd(sum)) : narrow(format, oddSingle(sum));
}

static Expression emitFma(tile::FmaOp op, Operands in) {
  auto modifiers = Modifiers::of(op);
  llvm::SmallVector<Expression> flushed;
  for (const Expression &operand : in)
    flushed.push_back(flushIf(modifiers.flushToZero, operand));
  Expression result = modifiers.isDirected()
                          ? fmaDirected(modifiers.directed(), flushed[0], flushed[1], flushed[2])
                          : fmaNearest(modifiers.format, flushed);
  return flushIf(modifiers.flushToZero, result);
}

/// A zero has the sign of lhs, as in C. The result for f16 and bf16 is exact, because their values
/// are multiples of a unit of f32.
static Expression emitRemainder(tile::RemFOp op, Operands in) {
  return throughMachine(tile::formatOfTile(op.getResult()), in, [](Operands in) {
    return in[0].place().capabilities.hasRemainder ? in[0].apply<mlir::arith::RemFOp>(in[1])
                                                   : remainderByDivision(in[0], in[1]);
  });
}

// ===-- Minimum and maximum -----------------------------------------------------------------===//

/// The larger (or smaller) of two f32 or f64; the result for NaN does not matter.
static Expression chooseNumber(bool larger, const Expression &a, const Expression &b) {
  // The two selections differ only for zeros: +0 is greater than -0. Each one is a single x86
  // instruction.
  Expression second = bitsOf(select(larger ? less(b, a) : less(a, b), a, b)),
             first = bitsOf(select(larger ? less(a, b) : less(b, a), b, a));
  return asFloat(larger ? first & second : first | second);
}

/// Whether a value is known not to be a signaling NaN: it is the result of an AVX-512 instruction
/// or of `llvm.canonicalize`, or consists of lanes of such results. Values from memory and
/// loop-carried values may be signaling NaNs, and so may results of arithmetic, because LLVM
/// replaces `x * 1` by `x`.
static bool isQuiet(mlir::Value value, unsigned depth = 4) {
  mlir::Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (auto call = llvm::dyn_cast<mlir::LLVM::CallIntrinsicOp>(op))
    return call.getIntrin() == "llvm.canonicalize" ||
           call.getIntrin().starts_with("llvm.x86.avx512.mask.");
  return llvm::isa<mlir::vector::ShuffleOp, mlir::vector::ExtractStridedSliceOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](mlir::Value operand) { return isQuiet(operand, depth - 1); });
}

Expression elementwise::quieted(const Expression &x) {
  if (isQuiet(x))
    return x;
  // LLVM 22.1.8 crashes where it widens llvm.canonicalize
  // (test/codegen/workarounds/canonicalize.ll).
  if (!hasVectorInstructions(x))
    return select(isNan(x), x + x, x);
  auto call = mlir::LLVM::CallIntrinsicOp::create(
      x.place().builder, x.place().loc, x.type(),
      x.place().builder.getStringAttr("llvm.canonicalize"), mlir::ValueRange{x});
  return {x.place(), call.getResult(0)};
}

/// Uses VRANGE, for which +0 is greater than -0 and which prefers numbers to quiet NaNs.
static std::optional<Expression> rangeOf(bool larger, const Expression &a, const Expression &b) {
  int32_t withSignOfResult = 4, which = larger ? 1 : 0;
  return vectorInstruction("range", {a, b}, withSignOfResult | which);
}

static Expression chooseByComparisons(bool larger, bool propagateNan, const Expression &a,
                                      const Expression &b) {
  Expression number = chooseNumber(larger, a, b);
  Expression unlessA = select(isNan(a), propagateNan ? a : b, number);
  return select(isNan(b), propagateNan ? b : a, unlessA);
}

Expression elementwise::extremeOfQuiet(bool larger, const Expression &a, const Expression &b) {
  std::optional<Expression> number = rangeOf(larger, a, b);
  return number ? *number : chooseByComparisons(larger, /*propagateNan=*/false, a, b);
}

static Expression chooseValue(bool larger, bool propagateNan, const Expression &a,
                              const Expression &b) {
  if (!hasVectorInstructions(a))
    return chooseByComparisons(larger, propagateNan, a, b);
  if (propagateNan)
    return select(compare(FloatPredicate::UNO, a, b), a + b, *rangeOf(larger, a, b));
  return extremeOfQuiet(larger, quieted(a), quieted(b));
}

template <typename Op> static Expression choose(bool larger, Op op, Operands in) {
  Format format = tile::formatOfTile(op.getResult());
  if (isHalf(format))
    return extremeOfHalves(format, larger, op.getPropagateNan(), in[0], in[1]);
  bool flushToZero = op.getFlushToZero();
  return chooseValue(larger, op.getPropagateNan(), flushIf(flushToZero, in[0]),
                     flushIf(flushToZero, in[1]));
}

// ===-- Comparison, sign, rounding to integers ----------------------------------------------===//

static FloatPredicate predicateOf(Predicate predicate, bool ordered) {
  switch (predicate) {
  case Predicate::Equal:
    return ordered ? FloatPredicate::OEQ : FloatPredicate::UEQ;
  case Predicate::NotEqual:
    return ordered ? FloatPredicate::ONE : FloatPredicate::UNE;
  case Predicate::LessThan:
    return ordered ? FloatPredicate::OLT : FloatPredicate::ULT;
  case Predicate::LessThanOrEqual:
    return ordered ? FloatPredicate::OLE : FloatPredicate::ULE;
  case Predicate::GreaterThan:
    return ordered ? FloatPredicate::OGT : FloatPredicate::UGT;
  case Predicate::GreaterThanOrEqual:
    return ordered ? FloatPredicate::OGE : FloatPredicate::UGE;
  }
  llvm_unreachable("all predicates are listed");
}

static Expression emitComparison(tile::CmpFOp op, Operands in) {
  bool ordered = tile::modeOf(op.getComparisonOrdering()) == Ordering::Ordered;
  FloatPredicate predicate = predicateOf(tile::modeOf(op.getComparisonPredicate()), ordered);
  Format format = tile::formatOfTile(op.getLhs());
  if (format == Format::F64)
    return compare(predicate, in[0], in[1]);
  return compare(predicate, widen(format, in[0]), widen(format, in[1]));
}

/// Clears or flips the sign bit of a pattern or of a float.
static Expression emitMagnitude(const Expression &source) {
  return source.isFloat() ? magnitude(source) : source & 0x7FFF;
}
static Expression emitNegation(const Expression &source) {
  return source.isFloat() ? -source : source ^ 0x8000;
}

/// A NaN keeps its pattern.
template <typename IntegerOp> static Expression toInteger(Format format, const Expression &source) {
  if (!isHalf(format))
    return source.apply<IntegerOp>();
  Expression near = narrow(format, widen(format, source).apply<IntegerOp>());
  return select(isNanPattern(format, source), source, near);
}

//===-- Functions ---------------------------------------------------------------------------===//

template <typename Op> static Expression call(MathFunction function, Op op, Operands in) {
  bool flushesToZero = false;
  if constexpr (requires { op.getFlushToZero(); })
    flushesToZero = op.getFlushToZero();
  return emitFunction(function, tile::formatOfTile(op.getResult()), flushesToZero, in);
}

// ===-- All cases ---------------------------------------------------------------------------===//

static constexpr Cases cases{
    [](tile::AddFOp add, Operands in) {
      return rounded(
          Modifiers::of(add), in, [](Operands in) { return in[0] + in[1]; },
          [](auto rounding, Operands in) { return addDirected(rounding, in[0], in[1]); });
    },
    [](tile::SubFOp sub, Operands in) {
      return rounded(
          Modifiers::of(sub), in, [](Operands in) { return in[0] - in[1]; },
          [](auto rounding, Operands in) {
            return addDirected(rounding, in[0], emitNegation(in[1]));
          });
    },
    [](tile::MulFOp mul, Operands in) {
      return rounded(
          Modifiers::of(mul), in, [](Operands in) { return in[0] * in[1]; },
          [](auto rounding, Operands in) { return multiplyDirected(rounding, in[0], in[1]); });
    },
    [](tile::DivFOp div, Operands in) {
      auto modifiers = Modifiers::of(div);
      return rounded(
          modifiers, in, [&](Operands in) { return quotient(modifiers.mode, in); },
          [](auto rounding, Operands in) { return divideDirected(rounding, in[0], in[1]); });
    },
    [](tile::SqrtOp sqrt, Operands in) {
      return rounded(
          Modifiers::of(sqrt), in, [](Operands in) { return squareRoot(in[0]); },
          [](auto rounding, Operands in) { return rootDirected(rounding, in[0]); });
    },
    [](tile::FmaOp fma, Operands in) { return emitFma(fma, in); },
    [](tile::RemFOp remainder, Operands in) { return emitRemainder(remainder, in); },
    [](tile::MaxFOp max, Operands in) { return choose(true, max, in); },
    [](tile::MinFOp min, Operands in) { return choose(false, min, in); },
    [](tile::CmpFOp cmp, Operands in) { return emitComparison(cmp, in); },
    [](tile::AbsFOp, Operands in) { return emitMagnitude(in[0]); },
    [](tile::NegFOp, Operands in) { return emitNegation(in[0]); },
    [](tile::CeilOp ceil, Operands in) {
      return toInteger<mlir::LLVM::FCeilOp>(tile::formatOfTile(ceil.getResult()), in[0]);
    },
    [](tile::FloorOp floor, Operands in) {
      return toInteger<mlir::LLVM::FFloorOp>(tile::formatOfTile(floor.getResult()), in[0]);
    },
    [](tile::ExpOp op, Operands in) { return call(MathFunction::Exp, op, in); },
    [](tile::Exp2Op op, Operands in) { return call(MathFunction::Exp2, op, in); },
    [](tile::LogOp op, Operands in) { return call(MathFunction::Log, op, in); },
    [](tile::Log2Op op, Operands in) { return call(MathFunction::Log2, op, in); },
    [](tile::SinOp op, Operands in) { return call(MathFunction::Sin, op, in); },
    [](tile::CosOp op, Operands in) { return call(MathFunction::Cos, op, in); },
    [](tile::TanOp op, Operands in) { return call(MathFunction::Tan, op, in); },
    [](tile::SinhOp op, Operands in) { return call(MathFunction::Sinh, op, in); },
    [](tile::CoshOp op, Operands in) { return call(MathFunction::Cosh, op, in); },
    [](tile::TanhOp op, Operands in) { return call(MathFunction::Tanh, op, in); },
    [](tile::PowOp op, Operands in) { return call(MathFunction::Pow, op, in); },
    [](tile::FPowIOp op, Operands in) {
      return emitPowerOfInteger(tile::formatOfTile(op.getResult()), in);
    },
    [](tile::Atan2Op op, Operands in) { return call(MathFunction::Atan2, op, in); },
    [](tile::RsqrtOp op, Operands in) { return call(MathFunction::Rsqrt, op, in); },
};

using Operations = Chapter<
#define GET_OP_LIST
#include "tilewright/tile/ops/Float.cpp.inc"
    >;

std::optional<Expression> elementwise::emitFloat(mlir::Operation *op, Operands in) {
  return Operations::emit(op, in, cases);
}
