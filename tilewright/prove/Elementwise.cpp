// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Elementwise.h.

#include "tilewright/prove/Elementwise.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::prove;
using mlir::Operation;
using tile::Signedness;

//===-- Results -----------------------------------------------------------------------------===//

bool Elementwise::defineExact(Operation *op, Number number) {
  evaluator.define(op->getResult(0), std::move(number));
  return true;
}

bool Elementwise::define(Operation *op, Polynomial value, Support support) {
  Cases outside;
  for (const Constraint &bound : rangeOf(value, widthOf(op->getResult(0))))
    outside = either(outside, negation(bound));
  const bool isConstant = value.constant().has_value();
  const bool fits = isConstant && llvm::none_of(outside, [](const Conjunction &beyond) {
                      return *beyond.front().value.constant() >= 0;
                    });
  if (!fits)
    support =
        evaluator.require(op, ObligationKind::Range, outside, support, shapeOf(op->getResult(0)));
  return defineExact(op, {std::move(value), std::move(support)});
}

/// A result that was read as unsigned must also fit the type as signed.
bool Elementwise::defineRead(Operation *op, Signedness signedness, Number number) {
  if (signedness == Signedness::Signed)
    return defineExact(op, std::move(number));
  return define(op, number.value, number.support);
}

Number Elementwise::reading(Operation *op, unsigned number, Signedness signedness) {
  Number value = operand(op, number);
  if (signedness == Signedness::Signed)
    return value;
  return evaluator.asUnsigned(std::move(value), widthOf(op->getOperand(number)));
}

/// 2 to the power of a constant that is less than the width.
static std::optional<Integer> powerOfTwo(const std::optional<Integer> &exponent, unsigned width) {
  if (!exponent || *exponent < 0 || *exponent >= int64_t(width) || *exponent > 62)
    return std::nullopt;
  return Integer(int64_t(1) << int64_t(*exponent));
}

//===-- Sums and products -------------------------------------------------------------------===//

bool Elementwise::sum(Operation *op, int64_t factor) {
  const Number a = operand(op, 0), b = operand(op, 1);
  Support support = a.support;
  return define(op, a.value + b.value * Polynomial(factor), support += b.support);
}

bool Elementwise::product(tile::MulIOp op) {
  const Number a = operand(op, 0), b = operand(op, 1);
  Support support = a.support;
  return define(op, a.value * b.value, support += b.support);
}

bool Elementwise::shift(tile::ShLIOp op) {
  const Number shifted = operand(op, 0), distance = operand(op, 1);
  const auto factor = powerOfTwo(distance.value.constant(), widthOf(op.getRhs()));
  Support support = shifted.support;
  return factor && define(op, shifted.value * Polynomial(*factor), support += distance.support);
}

bool Elementwise::shift(tile::ShRIOp op) {
  const Number distance = operand(op, 1);
  const auto divisor = powerOfTwo(distance.value.constant(), widthOf(op.getRhs()));
  return divisor && defineRead(op, op.getSignedness(),
                               evaluator.quotient(op, reading(op, 0, op.getSignedness()),
                                                  {Polynomial(*divisor), distance.support},
                                                  tile::RoundingMode::NegativeInf));
}

//===-- Quotients ---------------------------------------------------------------------------===//

/// `quotient` is `dividend / divisor` rounded down, or up.
static Conjunction roundedDown(const Polynomial &quotient, const Polynomial &dividend,
                               const Polynomial &divisor) {
  return {atLeast(dividend, divisor * quotient), lessThan(dividend, divisor * quotient + divisor)};
}
static Conjunction roundedUp(const Polynomial &quotient, const Polynomial &dividend,
                             const Polynomial &divisor) {
  return {atLeast(divisor * quotient, dividend), lessThan(divisor * quotient, dividend + divisor)};
}

/// The sign of the dividend decides how a quotient is rounded toward zero. A divisor that is not
/// positive violates an obligation.
static Cases definitionOf(const Polynomial &q, const Polynomial &a, const Polynomial &b,
                          bool isPositive, tile::RoundingMode rounding) {
  Conjunction down = roundedDown(q, a, b), up = roundedUp(q, a, b);
  down.push_back(atLeast(b, 1));
  up.push_back(atLeast(b, 1));
  if (rounding == tile::RoundingMode::PositiveInf)
    return {up};
  if (isPositive)
    down.push_back(atLeast(q, 0));
  if (rounding == tile::RoundingMode::NegativeInf || isPositive)
    return {down};
  down.insert(down.end(), {atLeast(a, 0), atLeast(q, 0)});
  up.insert(up.end(), {lessThan(a, 0), atLeast(0, q)});
  return {down, up};
}

Number Evaluator::quotient(Operation *op, const Number &dividend, const Number &divisor,
                           tile::RoundingMode rounding) {
  Support support = dividend.support;
  support += divisor.support;
  const Polynomial &a = dividend.value, &b = divisor.value;
  if (const std::optional<Integer> constant = b.constant(); !constant || *constant < 1)
    support = require(op, ObligationKind::Control, {{lessThan(b, 1)}}, support,
                      shapeOf(op->getResult(0)));
  const auto [known, isNew] = path.quotients.try_emplace({a, b, rounding});
  if (isNew)
    known->second = analysis.symbols.addComputed([&](const Polynomial &q) {
      return definitionOf(q, a, b, analysis.symbols.isNonNegative(a), rounding);
    });
  return {known->second, std::move(support)};
}

bool Elementwise::division(tile::DivIOp op) {
  return defineRead(op, op.getSignedness(),
                    evaluator.quotient(op, reading(op, 0, op.getSignedness()),
                                       reading(op, 1, op.getSignedness()), op.getRounding()));
}

bool Elementwise::remainder(tile::RemIOp op) {
  const Number a = reading(op, 0, op.getSignedness()), b = reading(op, 1, op.getSignedness());
  Number quotient = evaluator.quotient(op, a, b, tile::RoundingMode::Zero);
  quotient.value = a.value - b.value * quotient.value;
  return defineRead(op, op.getSignedness(), std::move(quotient));
}

//===-- Choices -----------------------------------------------------------------------------===//

bool Elementwise::extreme(Operation *op, Signedness signedness, bool isLarger) {
  const Number a = reading(op, 0, signedness), b = reading(op, 1, signedness);
  const Polynomial &large = isLarger ? a.value : b.value, &small = isLarger ? b.value : a.value;
  const Truth chooseFirst{{{atLeast(large, small)}}, {{lessThan(large, small)}}};
  return defineRead(op, signedness,
                    std::get<Number>(evaluator.choose(chooseFirst, op->getResult(0), a, b)));
}

bool Elementwise::selection(tile::SelectOp op) {
  evaluator.define(op.getResult(), evaluator.choose(evaluator.truthOf(op.getCond()), op.getResult(),
                                                    evaluator.valueOf(op.getValIfTrue()),
                                                    evaluator.valueOf(op.getValIfFalse())));
  return true;
}

bool Elementwise::magnitude(tile::AbsIOp op) {
  const Number source = operand(op, 0);
  const Polynomial zero;
  const Truth isPositive{{{atLeast(source.value, zero)}}, {{lessThan(source.value, zero)}}};
  const Number negative{-source.value, source.support};
  const auto chosen = evaluator.choose(isPositive, op.getResult(), source, negative);
  const auto &number = std::get<Number>(chosen);
  return define(op, number.value, number.support);
}

//===-- Conditions --------------------------------------------------------------------------===//

static Constraint constraintOf(tile::ComparisonPredicate predicate, const Polynomial &a,
                               const Polynomial &b) {
  switch (predicate) {
  case tile::ComparisonPredicate::Equal:
  case tile::ComparisonPredicate::NotEqual:
    return equal(a, b);
  case tile::ComparisonPredicate::LessThan:
    return lessThan(a, b);
  case tile::ComparisonPredicate::LessThanOrEqual:
    return atLeast(b, a);
  case tile::ComparisonPredicate::GreaterThan:
    return lessThan(b, a);
  case tile::ComparisonPredicate::GreaterThanOrEqual:
    return atLeast(a, b);
  }
  llvm_unreachable("predicates are listed above");
}

bool Elementwise::comparison(tile::CmpIOp op) {
  if (widthOf(op.getLhs()) == 1)
    return false;
  const Number a = reading(op, 0, op.getSignedness()), b = reading(op, 1, op.getSignedness());
  const Constraint constraint = constraintOf(op.getComparisonPredicate(), a.value, b.value);
  Truth truth{{{constraint}}, negation(constraint), a.support};
  truth.support += b.support;
  if (op.getComparisonPredicate() == tile::ComparisonPredicate::NotEqual)
    std::swap(truth.whenTrue, truth.whenFalse);
  evaluator.define(op.getResult(), std::move(truth));
  return true;
}

static Truth operator!(Truth truth) {
  std::swap(truth.whenTrue, truth.whenFalse);
  return truth;
}

static Truth operator&&(const Truth &a, const Truth &b) {
  Truth result{both(a.whenTrue, b.whenTrue), either(a.whenFalse, b.whenFalse), a.support};
  result.support += b.support;
  return result;
}

/// The low bits of an integer, if the mask is one less than a power of two.
bool Elementwise::conjunction(tile::AndIOp op) {
  if (widthOf(op.getResult()) == 1) {
    evaluator.define(op.getResult(),
                     evaluator.truthOf(op.getLhs()) && evaluator.truthOf(op.getRhs()));
    return true;
  }
  const Number bits = operand(op, 1);
  const std::optional<Integer> mask = bits.value.constant();
  if (!mask || *mask < 0 || *mask > (int64_t(1) << 61) ||
      !llvm::isPowerOf2_64(uint64_t(int64_t(*mask)) + 1))
    return false;
  const Polynomial modulus(*mask + 1);
  const Number a = operand(op, 0);
  Number quotient =
      evaluator.quotient(op, a, {modulus, bits.support}, tile::RoundingMode::NegativeInf);
  quotient.value = a.value - modulus * quotient.value;
  return defineExact(op, std::move(quotient));
}

bool Elementwise::disjunction(tile::OrIOp op) {
  if (widthOf(op.getResult()) != 1)
    return false;
  evaluator.define(op.getResult(),
                   !(!evaluator.truthOf(op.getLhs()) && !evaluator.truthOf(op.getRhs())));
  return true;
}

bool Elementwise::exclusive(tile::XOrIOp op) {
  if (widthOf(op.getResult()) != 1)
    return false;
  const Truth a = evaluator.truthOf(op.getLhs()), b = evaluator.truthOf(op.getRhs());
  evaluator.define(op.getResult(), !(!(a && !b) && !(!a && b)));
  return true;
}

bool Elementwise::extension(tile::ExtIOp op) {
  Number number = evaluator.numberOf(op.getFrom());
  if (op.getSignedness() == Signedness::Unsigned)
    number = evaluator.asUnsigned(std::move(number), widthOf(op.getFrom()));
  return defineExact(op, std::move(number));
}

//===-- The table ---------------------------------------------------------------------------===//

bool Elementwise::execute(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](tile::AddIOp) { return sum(op, 1); })
      .Case([&](tile::SubIOp) { return sum(op, -1); })
      .Case([&](tile::MulIOp mul) { return product(mul); })
      .Case([&](tile::ShLIOp shl) { return shift(shl); })
      .Case([&](tile::ShRIOp shr) { return shift(shr); })
      .Case([&](tile::DivIOp div) { return division(div); })
      .Case([&](tile::RemIOp rem) { return remainder(rem); })
      .Case([&](tile::MaxIOp max) { return extreme(op, max.getSignedness(), true); })
      .Case([&](tile::MinIOp min) { return extreme(op, min.getSignedness(), false); })
      .Case([&](tile::CmpIOp cmp) { return comparison(cmp); })
      .Case([&](tile::AndIOp both) { return conjunction(both); })
      .Case([&](tile::OrIOp either) { return disjunction(either); })
      .Case([&](tile::XOrIOp one) { return exclusive(one); })
      .Case([&](tile::ExtIOp ext) { return extension(ext); })
      .Case([&](tile::AbsIOp abs) { return magnitude(abs); })
      .Case([&](tile::SelectOp select) { return selection(select); })
      .Case([&](tile::NegIOp) {
        const Number source = operand(op, 0);
        return define(op, -source.value, source.support);
      })
      .Case([&](tile::TruncIOp) {
        const Number source = operand(op, 0);
        return widthOf(op->getResult(0)) > 1 && define(op, source.value, source.support);
      })
      .Case([&](tile::IotaOp iota) {
        if (widthOf(iota.getResult()) < 32)
          return define(iota, Symbols::position(0), {});
        return defineExact(iota, {Symbols::position(0)});
      })
      .Default(false);
}
