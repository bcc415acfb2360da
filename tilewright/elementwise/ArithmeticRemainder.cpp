// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The float remainder for targets without a function for it: a long division of the significands,
// with one bit of the quotient per step. The result is exact.

#include "tilewright/elementwise/ArithmeticParts.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::elementwise;
namespace arith = mlir::arith;

namespace {
/// A magnitude as significand * 2^exponent. The leading bit of the significand is just above the
/// fraction; a zero has none.
struct Scaled {
  Expression significand, exponent;
};
} // namespace

static Expression shiftedLeft(const Expression &value, const Expression &amount) {
  return value.apply<arith::ShLIOp>(amount);
}

static unsigned fractionBits(const Expression &bits) { return bits.width() == 32 ? 23 : 52; }

/// The left shift that moves the leading bit to its position above the fraction.
static Expression distanceToTop(const Expression &significand) {
  Expression zeros = significand.apply<mlir::math::CountLeadingZerosOp>();
  return zeros - int64_t(significand.width() - 1 - fractionBits(significand));
}

static Scaled scaled(const Expression &bits) {
  unsigned fraction = fractionBits(bits);
  Expression exponent = bits >> fraction;
  Expression isSubnormal = equal(exponent, 0), distance = distanceToTop(bits);
  Expression normal = (bits & ((int64_t(1) << fraction) - 1)) | (int64_t(1) << fraction);
  return {select(isSubnormal, shiftedLeft(bits, distance), normal),
          select(isSubnormal, bits.constant(1) - distance, exponent)};
}

/// The maximum of the integers in all lanes.
static mlir::Value largest(const Expression &value) {
  if (!value.isVector())
    return value;
  const Emitter &place = value.place();
  return mlir::vector::ReductionOp::create(place.builder, place.loc,
                                           mlir::vector::CombiningKind::MAXSI, value);
}

/// The remainder of `dividend` after `steps` bits of the quotient; `steps` may differ between
/// lanes.
static Expression divide(const Expression &dividend, const Expression &divisor,
                         const Expression &steps) {
  const Emitter &place = dividend.place();
  mlir::OpBuilder &b = place.builder;
  auto number = [&](int64_t value) {
    return constantBits(b, place.loc, dividend.scalarType(), uint64_t(value));
  };
  auto loop = mlir::scf::ForOp::create(b, place.loc, number(0), largest(steps), number(1),
                                       mlir::ValueRange{dividend});
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  mlir::Value step = loop.getInductionVar();
  if (auto lanes = llvm::dyn_cast<mlir::VectorType>(dividend.type()))
    step = mlir::vector::BroadcastOp::create(b, place.loc, lanes, step);
  Expression rest(place, loop.getRegionIterArg(0));
  Expression next = select(lessUnsigned(rest, divisor), rest, rest - divisor) << 1;
  mlir::Value kept = select(less(Expression(place, step), steps), next, rest);
  mlir::scf::YieldOp::create(b, place.loc, kept);
  return {place, loop.getResult(0)};
}

Expression elementwise::remainderByDivision(const Expression &lhs, const Expression &rhs) {
  Expression x = bitsOf(magnitude(lhs)), y = bitsOf(magnitude(rhs));
  unsigned fraction = fractionBits(x);
  Expression sign = bitsOf(lhs) ^ x;
  Scaled dividend = scaled(x), divisor = scaled(y);
  Expression isSmaller = less(dividend.exponent, divisor.exponent);
  Expression steps = select(isSmaller, 0, dividend.exponent - divisor.exponent);
  Expression rest = divide(dividend.significand, divisor.significand, steps);
  rest = select(lessUnsigned(rest, divisor.significand), rest, rest - divisor.significand);

  Expression distance = distanceToTop(rest), exponent = divisor.exponent - distance;
  Expression normal = (shiftedLeft(rest, distance) ^ (int64_t(1) << fraction)) |
                      exponent.apply<arith::ShLIOp>(exponent.constant(fraction));
  // How far the exponent is below the normal range; limited to the width below.
  Expression down = select(less(exponent, 1), exponent.constant(1) - exponent, 0);
  Expression subnormal = shiftedLeft(rest, distance)
                             .apply<arith::ShRUIOp>(select(less(down, int64_t(fraction + 1)), down,
                                                           int64_t(fraction + 1)));
  Expression result = select(less(exponent, 1), subnormal, normal);
  result = select(equal(rest, 0), 0, result);
  result = asFloat(select(isSmaller, x, result) ^ sign);
  // infinity % y, x % 0 and NaN operands
  Expression infinity =
      x.constant(int64_t(((uint64_t(1) << (x.width() - 1 - fraction)) - 1) << fraction));
  Expression nan = infinity | (int64_t(1) << (fraction - 1));
  Expression isNothing = (!lessUnsigned(x, infinity)) | lessUnsigned(infinity, y) | equal(y, 0);
  return select(isNothing, asFloat(nan), result);
}
