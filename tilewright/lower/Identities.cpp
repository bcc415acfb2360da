// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identities: operations that return an operand or a constant, whatever the other operand is. For
// integers, these are the laws of arithmetic modulo 2^N. For floats, only those that hold bit by
// bit, including NaNs and both zeros: arithmetic replaces any NaN by the canonical one (arithmetic,
// 3.3), so an operand may replace the result only if its NaNs are canonical already.

#include "tilewright/lower/Simplify.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/tile/Arithmetic.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::tile;
using numerics::Element;
using numerics::Format;

namespace {

/// One function per operation, which queries the facts about its operands.
class Identities {
public:
  explicit Identities(Facts &facts) : facts(facts) {}

  Simpler of(AddIOp op), of(SubIOp op), of(MulIOp op), of(MulhiIOp op), of(DivIOp op),
      of(RemIOp op), of(ShLIOp op), of(ShRIOp op), of(AndIOp op), of(OrIOp op), of(XOrIOp op),
      of(NegIOp op), of(MaxIOp op), of(MinIOp op), of(CmpIOp op), of(OffsetOp op);
  Simpler of(AddFOp op), of(SubFOp op), of(MulFOp op), of(DivFOp op), of(MaxFOp op), of(MinFOp op),
      of(PowOp op), of(CmpFOp op), of(NegFOp op), of(AbsFOp op);
  Simpler of(SelectOp op);

private:
  bool isZero(Value value) { return facts.isInteger(value, 0); }
  bool isOne(Value value) { return facts.isInteger(value, 1); }
  bool isAllOnes(Value value) {
    return facts.isInteger(value, numerics::info(formatOfTile(value)).mask());
  }
  bool isFloat(Value value, double number, bool negative = false);
  /// `kept`, if rounding arithmetic would not change its bits.
  Simpler unlessNan(Value kept) { return facts.hasCanonicalNans(kept) ? kept : Simpler(); }
  template <typename Op> Simpler shift(Op op);
  Simpler extremum(Value lhs, Value rhs, Element least, Element greatest);
  template <typename Op> Simpler floatExtremum(Op op);

  Facts &facts;
};

} // namespace

static Element zero(Value like) { return Element::zero(formatOfTile(like)); }
static Element allOnes(Value like) { return Element::integer(formatOfTile(like), -1); }

//===-- Integers --------------------------------------------------------------------------===//

Simpler Identities::of(AddIOp op) {
  if (isZero(op.getRhs()))
    return op.getLhs();
  return isZero(op.getLhs()) ? op.getRhs() : Simpler();
}

Simpler Identities::of(SubIOp op) {
  if (op.getLhs() == op.getRhs())
    return zero(op);
  return isZero(op.getRhs()) ? op.getLhs() : Simpler();
}

Simpler Identities::of(MulIOp op) {
  if (isZero(op.getLhs()) || isZero(op.getRhs()))
    return zero(op);
  if (isOne(op.getRhs()))
    return op.getLhs();
  return isOne(op.getLhs()) ? op.getRhs() : Simpler();
}

/// The upper half of x * 0 and of x * 1 is zero.
Simpler Identities::of(MulhiIOp op) {
  for (Value factor : {op.getX(), op.getY()})
    if (isZero(factor) || isOne(factor))
      return zero(op);
  return {};
}

Simpler Identities::of(DivIOp op) { return isOne(op.getRhs()) ? op.getLhs() : Simpler(); }

Simpler Identities::of(RemIOp op) { return isOne(op.getRhs()) ? zero(op) : Simpler(); }

/// A shift of zero, or by zero.
template <typename Op> Simpler Identities::shift(Op op) {
  if (isZero(op.getLhs()))
    return zero(op);
  return isZero(op.getRhs()) ? Simpler(op.getLhs()) : Simpler();
}
Simpler Identities::of(ShLIOp op) { return shift(op); }
Simpler Identities::of(ShRIOp op) { return shift(op); }

Simpler Identities::of(AndIOp op) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (isZero(lhs) || isZero(rhs))
    return zero(op);
  if (lhs == rhs || isAllOnes(rhs))
    return lhs;
  return isAllOnes(lhs) ? rhs : Simpler();
}

Simpler Identities::of(OrIOp op) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (isAllOnes(lhs) || isAllOnes(rhs))
    return allOnes(op);
  if (lhs == rhs || isZero(rhs))
    return lhs;
  return isZero(lhs) ? rhs : Simpler();
}

Simpler Identities::of(XOrIOp op) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (lhs == rhs)
    return zero(op);
  if (isZero(rhs))
    return lhs;
  if (isZero(lhs))
    return rhs;
  // x ^ mask ^ mask is x; usually a double negation.
  auto inner = lhs.getDefiningOp<XOrIOp>();
  std::optional<Element> mask = inner ? facts.splatOf(rhs) : std::nullopt;
  return mask && facts.isInteger(inner.getRhs(), mask->bits) ? inner.getLhs() : Simpler();
}

Simpler Identities::of(NegIOp op) {
  auto inner = op.getSource().getDefiningOp<NegIOp>();
  return inner ? inner.getSource() : Simpler();
}

Simpler Identities::extremum(Value lhs, Value rhs, Element least, Element greatest) {
  if (lhs == rhs)
    return lhs;
  for (auto [bound, other] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
    if (facts.isInteger(bound, least.bits))
      return other;
    if (facts.isInteger(bound, greatest.bits))
      return greatest;
  }
  return {};
}

/// The smallest and the largest integer, signed or unsigned.
static std::pair<Element, Element> rangeOf(Value like, Signedness signedness) {
  Format format = formatOfTile(like);
  uint64_t mask = numerics::info(format).mask(), sign = numerics::info(format).signBit();
  if (signedness == Signedness::Unsigned)
    return {Element::fromBits(format, 0), Element::fromBits(format, mask)};
  return {Element::fromBits(format, sign), Element::fromBits(format, mask ^ sign)};
}

Simpler Identities::of(MaxIOp op) {
  auto [smallest, largest] = rangeOf(op, op.getSignedness());
  return extremum(op.getLhs(), op.getRhs(), smallest, largest);
}

Simpler Identities::of(MinIOp op) {
  auto [smallest, largest] = rangeOf(op, op.getSignedness());
  return extremum(op.getLhs(), op.getRhs(), /*least=*/largest, /*greatest=*/smallest);
}

/// A value compared with itself, or with the smallest or largest value of its range.
Simpler Identities::of(CmpIOp op) {
  ComparisonPredicate predicate = op.getComparisonPredicate();
  if (op.getLhs() == op.getRhs())
    return Element::boolean(numerics::holds(modeOf(predicate), 0, 0));
  auto [smallest, largest] = rangeOf(op.getLhs(), op.getSignedness());
  bool rhsSmallest = facts.isInteger(op.getRhs(), smallest.bits);
  bool rhsLargest = facts.isInteger(op.getRhs(), largest.bits);
  if ((rhsSmallest && predicate == ComparisonPredicate::LessThan) ||
      (rhsLargest && predicate == ComparisonPredicate::GreaterThan))
    return Element::boolean(false);
  if ((rhsSmallest && predicate == ComparisonPredicate::GreaterThanOrEqual) ||
      (rhsLargest && predicate == ComparisonPredicate::LessThanOrEqual))
    return Element::boolean(true);
  return {};
}

Simpler Identities::of(OffsetOp op) { return isZero(op.getOffset()) ? op.getPtr() : Simpler(); }

//===-- Floats ----------------------------------------------------------------------------===//

/// A zero matches only a zero with the same sign.
bool Identities::isFloat(Value value, double number, bool negative) {
  std::optional<Element> element = facts.splatOf(value);
  return element && element->asDouble() == number && element->isNegative() == negative;
}

/// x + z = x, bit for bit, if z is the zero that keeps the sign of a zero x: -0, or +0 when
/// rounding down, where the sum of both zeros is -0.
Simpler Identities::of(AddFOp op) {
  if (op.getFlushToZero())
    return {};
  bool negative = op.getRoundingMode() != RoundingMode::NegativeInf;
  if (isFloat(op.getRhs(), 0.0, negative))
    return unlessNan(op.getLhs());
  return isFloat(op.getLhs(), 0.0, negative) ? unlessNan(op.getRhs()) : Simpler();
}

/// x - z is x + -z.
Simpler Identities::of(SubFOp op) {
  bool negative = op.getRoundingMode() == RoundingMode::NegativeInf;
  return !op.getFlushToZero() && isFloat(op.getRhs(), 0.0, negative) ? unlessNan(op.getLhs())
                                                                     : Simpler();
}

Simpler Identities::of(MulFOp op) {
  if (op.getFlushToZero())
    return {};
  if (isFloat(op.getRhs(), 1.0))
    return unlessNan(op.getLhs());
  return isFloat(op.getLhs(), 1.0) ? unlessNan(op.getRhs()) : Simpler();
}

/// The bits of approximate quotients are unspecified.
Simpler Identities::of(DivFOp op) {
  bool rounded = numerics::isIeee(modeOf(op.getRoundingMode()));
  return rounded && !op.getFlushToZero() && isFloat(op.getRhs(), 1.0) ? unlessNan(op.getLhs())
                                                                      : Simpler();
}

template <typename Op> Simpler Identities::floatExtremum(Op op) {
  return !op.getFlushToZero() && op.getLhs() == op.getRhs() ? unlessNan(op.getLhs()) : Simpler();
}
Simpler Identities::of(MaxFOp op) { return floatExtremum(op); }
Simpler Identities::of(MinFOp op) { return floatExtremum(op); }

/// pow(x, 0) and pow(1, y) are 1, even for NaN operands (arithmetic, 3.5).
Simpler Identities::of(PowOp op) {
  std::optional<Element> exponent = facts.splatOf(op.getExponent());
  bool isOne = (exponent && exponent->asDouble() == 0.0) || isFloat(op.getSource(), 1.0);
  return isOne ? Simpler(numerics::roundToFormat(1.0, formatOfTile(op))) : Simpler();
}

/// A NaN operand alone determines the result (arithmetic, 4.10).
Simpler Identities::of(CmpFOp op) {
  for (Value value : {op.getLhs(), op.getRhs()})
    if (std::optional<Element> element = facts.splatOf(value); element && element->isNan())
      return Element::boolean(op.getComparisonOrdering() == ComparisonOrdering::Unordered);
  return {};
}

// Negation and absolute value change only the sign bit, even of NaNs (arithmetic, 4.11).
Simpler Identities::of(NegFOp op) {
  auto inner = op.getSource().getDefiningOp<NegFOp>();
  return inner ? inner.getSource() : Simpler();
}
Simpler Identities::of(AbsFOp op) {
  auto inner = op.getSource().getDefiningOp<AbsFOp>();
  return inner ? inner.getResult() : Simpler();
}

//===-- Select ----------------------------------------------------------------------------===//

/// Rules 1 to 3 of the list in arithmetic, 6, including conditions that are known only from the
/// facts.
Simpler Identities::of(SelectOp op) {
  Value ifTrue = op.getValIfTrue(), ifFalse = op.getValIfFalse();
  if (ifTrue == ifFalse)
    return ifTrue;
  if (std::optional<Element> condition = facts.splatOf(op.getCond()))
    return condition->bits ? ifTrue : ifFalse;
  if (formatOfTile(op) == Format::I1 && isOne(ifTrue) && isZero(ifFalse))
    return op.getCond();
  return {};
}

Simpler lower::applyIdentity(Operation *op, Facts &facts) {
  Identities identities(facts);
  return llvm::TypeSwitch<Operation *, Simpler>(op)
      .Case<AddIOp, SubIOp, MulIOp, MulhiIOp, DivIOp, RemIOp, ShLIOp, ShRIOp, AndIOp, OrIOp, XOrIOp,
            NegIOp, MaxIOp, MinIOp, CmpIOp, OffsetOp, AddFOp, SubFOp, MulFOp, DivFOp, MaxFOp,
            MinFOp, PowOp, CmpFOp, NegFOp, AbsFOp, SelectOp>(
          [&](auto op) { return identities.of(op); })
      .Default(Simpler());
}
