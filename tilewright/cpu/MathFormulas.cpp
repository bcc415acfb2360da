// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MathFormulas.h.

#include "tilewright/cpu/MathFormulas.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace tilewright::cpu;
using namespace tilewright::cpu::math;
using mlir::Value;
namespace arith = mlir::arith;

//===-- Notation ----------------------------------------------------------------------------===//

Expression math::shiftRightSigned(const Expression &source, unsigned amount) {
  return source.apply<arith::ShRSIOp>(source.constant(amount));
}

Expression math::withSign(const Expression &magnitude, const Expression &sign) {
  return magnitude.apply<mlir::math::CopySignOp>(sign);
}

Expression math::negatedIfOdd(const Expression &number, const Expression &integer) {
  return asFloat(bitsOf(number) ^ (integer << (number.width() - 1)));
}

Value math::anyLane(const Expression &condition) {
  if (!condition.isVector())
    return condition;
  const Emitter &at = condition.place();
  return mlir::vector::ReductionOp::create(at.builder, at.loc, mlir::vector::CombiningKind::OR,
                                           condition);
}

Expression math::multiplyAdd(const Expression &a, const Expression &b, const Expression &c) {
  return a.place().target.hasFma ? fusedMultiplyAdd(a, b, c) : a * b + c;
}

Expression math::polynomial(const Expression &x, std::span<const double> c) {
  Expression sum = x.constant(c.back());
  for (size_t power = c.size() - 1; power-- > 0;)
    sum = multiplyAdd(sum, x, c[power]);
  return sum;
}

//===-- Whole numbers and powers of two -----------------------------------------------------===//

FloatLayout math::layoutOf(const Expression &x) {
  return isDouble(x) ? FloatLayout{52, 0x1p-1022, 0x1.8p52} : FloatLayout{23, 0x1p-126, 0x1.8p23};
}

Whole math::nearestWhole(const Expression &x) {
  double rounder = layoutOf(x).rounder;
  Expression sum = x + rounder;
  return {sum - rounder, bitsOf(sum)};
}

Whole math::nearestWhole(const Expression &x, double factor) {
  double rounder = layoutOf(x).rounder;
  Expression sum = multiplyAdd(x, factor, x.constant(rounder));
  return {sum - rounder, bitsOf(sum)};
}

Expression math::powerOfTwo(const Whole &n) {
  Expression one = bitsOf(n.value.constant(1));
  return asFloat((n.lowBits << layoutOf(n.value).mantissaBits) + one);
}

/// The instruction of AVX-512 that does it, on vectors that fill a register; else null.
static Value scaledByInstruction(const Expression &p, const Expression &n) {
  const Emitter &at = p.place();
  auto vector = llvm::dyn_cast<mlir::VectorType>(p.type());
  if (!at.target.hasAvx512 || !vector)
    return nullptr;
  int64_t lanes = vector.getNumElements(), size = lanes * p.width();
  if (size != 128 && size != 256 && size != 512)
    return nullptr;
  auto constant = [&](unsigned bits, int64_t value) -> Value {
    auto type = at.builder.getIntegerType(bits);
    return mlir::LLVM::ConstantOp::create(at.builder, at.loc,
                                          at.builder.getIntegerAttr(type, value));
  };
  llvm::SmallVector<Value> operands = {p, n, p, constant(std::max<int64_t>(lanes, 8), -1)};
  if (size == 512)
    operands.push_back(constant(32, 4)); // rounding as the environment says
  std::string name =
      llvm::formatv("llvm.x86.avx512.mask.scalef.{0}.{1}", isDouble(p) ? "pd" : "ps", size).str();
  auto call = mlir::LLVM::CallIntrinsicOp::create(at.builder, at.loc, p.type(),
                                                  at.builder.getStringAttr(name), operands);
  return call.getResult(0);
}

Expression math::scale(const Expression &p, const Whole &n) {
  if (Value scaled = scaledByInstruction(p, n.value))
    return {p.place(), scaled};
  // In two steps, the first of them exact: 2^n itself may be out of range.
  FloatLayout layout = layoutOf(p);
  Expression one = bitsOf(p.constant(1));
  Expression whole = n.lowBits - bitsOf(p.constant(layout.rounder));
  Expression half = shiftRightSigned(whole, 1);
  Expression first = asFloat((half << layout.mantissaBits) + one);
  Expression second = asFloat(((whole - half) << layout.mantissaBits) + one);
  return p * first * second;
}

Expression math::atMost(const Expression &x, double limit) {
  return select(greater(x, limit), limit, x);
}

Expression math::between(double low, const Expression &x, double high) {
  Expression notAbove = atMost(x, high);
  return select(less(notAbove, low), low, notAbove);
}

Split math::splitNormal(const Expression &x) {
  FloatLayout layout = layoutOf(x);
  // Counted from 2/3, the exponent's field changes where it is wanted.
  Expression start = x.constant(isDouble(x) ? 0x1.5555555555555p-1 : 0x1.555556p-1);
  Expression exponent = shiftRightSigned(bitsOf(x) - bitsOf(start), layout.mantissaBits);
  Expression significand = asFloat(bitsOf(x) - (exponent << layout.mantissaBits));
  Expression rounder = x.constant(layout.rounder);
  return {asFloat(exponent + bitsOf(rounder)) - rounder, significand - 1};
}

Split math::split(const Expression &x) {
  // A subnormal number has no exponent of its own.
  FloatLayout layout = layoutOf(x);
  Expression subnormal = less(x, layout.leastNormal);
  auto [exponent, fraction] =
      splitNormal(select(subnormal, x * std::ldexp(1, layout.mantissaBits + 1), x));
  double raised = layout.mantissaBits + 1;
  return {exponent - select(subnormal, raised, x.constant(0)), fraction};
}

//===-- Pairs -------------------------------------------------------------------------------===//

Expression math::upperHalf(const Expression &x) {
  int64_t lowBits = isDouble(x) ? 27 : 12;
  return asFloat(bitsOf(x) & -(int64_t(1) << lowBits));
}

Expression math::productError(const Expression &a, const Expression &b, const Expression &product) {
  if (a.place().target.hasFma)
    return fusedMultiplyAdd(a, b, -product);
  Expression a1 = upperHalf(a), b1 = upperHalf(b), a2 = a - a1, b2 = b - b1;
  return a2 * b2 + (a2 * b1 + (a1 * b2 + (a1 * b1 - product)));
}

Pair math::exactSum(const Expression &a, const Expression &b) {
  Expression sum = a + b;
  return {sum, b - (sum - a)};
}

Pair math::anySum(const Expression &a, const Expression &b) {
  Expression sum = a + b;
  Expression ofB = sum - a, ofA = sum - ofB;
  return {sum, (a - ofA) + (b - ofB)};
}

Pair math::divide(const Pair &numerator, const Pair &denominator) {
  Expression reciprocal = 1 / denominator.high;
  Expression quotient = numerator.high * reciprocal;
  Expression tooMuch = productError(quotient, denominator.high, numerator.high);
  Expression left = (numerator.low - quotient * denominator.low) - tooMuch;
  return {quotient, left * reciprocal};
}
