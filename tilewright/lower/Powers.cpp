// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces powers that equal another operation bit by bit. `pow` is rounded once from the exact
// power (arithmetic, 3.5), like products, quotients and roots. So x^2 is x * x and x^-1 is 1 / x,
// also for zeros, infinities and NaNs. The root of -0 is -0 and that of -Inf is a NaN, but x^0.5 is
// 0 and Inf. Powers that would take two roundings, such as x^3 and x^-0.5, stay.

#include "tilewright/lower/Simplify.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/tile/Arithmetic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::tile;
using numerics::Element;

/// sqrt(x) + 0, but Inf for -Inf.
static Value halfPower(Operation *op, OpBuilder &builder) {
  Location location = op->getLoc();
  Value x = op->getOperand(0);
  auto type = cast<TileType>(x.getType());
  auto splat = [&](double number) -> Value {
    Element element = numerics::roundToFormat(number, formatOfTile(x));
    return ConstantOp::create(builder, location, type,
                              ConstantTile::splat(type, element).toAttribute());
  };
  double infinity = std::numeric_limits<double>::infinity();
  Value root = SqrtOp::create(builder, location, x, RoundingMode::NearestEven);
  Value positive = AddFOp::create(builder, location, root, splat(0), RoundingMode::NearestEven);
  Value isInfinite = CmpFOp::create(builder, location, ComparisonPredicate::Equal,
                                    ComparisonOrdering::Ordered, x, splat(-infinity));
  return SelectOp::create(builder, location, isInfinite, splat(infinity), positive);
}

/// The exponent of a power, if it is known and the same for all elements.
static std::optional<double> exponentOf(Operation *op, Facts &facts) {
  if (auto power = dyn_cast<PowOp>(op))
    if (std::optional<Element> exponent = facts.splatOf(power.getExponent()))
      return exponent->asDouble();
  if (auto power = dyn_cast<FPowIOp>(op))
    if (std::optional<Element> exponent = facts.splatOf(power.getExponent()))
      return double(exponent->asSigned());
  return std::nullopt;
}

Simpler lower::simplifyPower(Operation *op, Facts &facts, OpBuilder &builder) {
  std::optional<double> number = exponentOf(op, facts);
  if (!number)
    return {};
  Value x = op->getOperand(0);
  if (*number == 1 && facts.hasCanonicalNans(x))
    return x;
  if (*number == 2)
    return MulFOp::create(builder, op->getLoc(), x, x, RoundingMode::NearestEven).getResult();
  if (*number == -1) {
    auto type = cast<TileType>(x.getType());
    Element one = numerics::roundToFormat(1.0, formatOfTile(x));
    Value ones = ConstantOp::create(builder, op->getLoc(), type,
                                    ConstantTile::splat(type, one).toAttribute());
    return DivFOp::create(builder, op->getLoc(), ones, x, RoundingMode::NearestEven).getResult();
  }
  return *number == 0.5 ? Simpler(halfPower(op, builder)) : Simpler();
}
