// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect arith, element by element: the arithmetic of `numerics`, with the assumptions and the
// undefined cases of this dialect.

#include "tilewright/simt/Combine.h"
#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"

#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/Integer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using llvm::cast;
using numerics::Element;
using numerics::Format;
using numerics::Ordering;
using numerics::Overflow;
using numerics::Predicate;
using numerics::RoundingMode;
using numerics::Signedness;
using vector::CombiningKind;

using Elements = ArrayRef<Element>;

/// The format of a result.
static Format formatOfResult(Operation &op, unsigned result = 0) {
  return *formatOf(getElementTypeOrSelf(op.getResult(result).getType()));
}

//===-- Integers -------------------------------------------------------------------------===//

static Overflow assumptionOf(arith::IntegerOverflowFlags flags) {
  return Overflow(uint32_t(flags));
}

static bool shiftsTooFar(Element amount) {
  return !amount.poison && amount.asUnsigned() >= numerics::info(amount.format).bits;
}

template <typename Op, Signedness signedness, RoundingMode rounding = RoundingMode::Zero>
static Element divide(Operation &op, Elements in, unsigned) {
  if constexpr (requires(Op exact) { exact.getIsExact(); })
    if (cast<Op>(op).getIsExact() && numerics::remI(in[0], in[1], signedness).bits != 0)
      return Element::poisoned(in[0].format);
  return numerics::divI(in[0], in[1], signedness, rounding);
}

template <Signedness signedness> static Element remainder(Operation &, Elements in, unsigned) {
  return numerics::remI(in[0], in[1], signedness);
}

static Element shiftLeft(Operation &op, Elements in, unsigned) {
  if (shiftsTooFar(in[1]))
    return Element::poisoned(in[0].format);
  return numerics::shlI(in[0], in[1], assumptionOf(cast<arith::ShLIOp>(op).getOverflowFlags()));
}

template <typename Op, Signedness signedness>
static Element shiftRight(Operation &op, Elements in, unsigned) {
  if (shiftsTooFar(in[1]))
    return Element::poisoned(in[0].format);
  const Element result = numerics::shrI(in[0], in[1], signedness);
  const bool losesBits = numerics::shlI(result, in[1]).bits != in[0].bits;
  return cast<Op>(op).getIsExact() && losesBits ? Element::poisoned(in[0].format) : result;
}

template <CombiningKind kind> static Element combined(Operation &, Elements in, unsigned) {
  return combine(kind, in[0], in[1]);
}

/// The sum (result 0) and the carry (result 1).
static Element addExtended(Operation &, Elements in, unsigned result) {
  const Element sum = numerics::addI(in[0], in[1]);
  if (result == 0)
    return sum;
  return numerics::cmpI(Predicate::LessThan, sum, in[0], Signedness::Unsigned);
}

/// The lower (result 0) and the upper (result 1) half of the product.
template <Signedness signedness>
static Element multiplyExtended(Operation &, Elements in, unsigned result) {
  if (result == 0)
    return numerics::mulI(in[0], in[1]);
  if (numerics::anyPoison(in[0], in[1]))
    return Element::poisoned(in[0].format);
  const unsigned bits = numerics::info(in[0].format).bits;
  const __int128 product = signedness == Signedness::Signed
                               ? __int128(in[0].asSigned()) * in[1].asSigned()
                               : __int128((unsigned __int128)in[0].bits * in[1].bits);
  return Element::integer(in[0].format, int64_t(product >> bits));
}

static Element compareIntegers(Operation &op, Elements in, unsigned) {
  using P = arith::CmpIPredicate;
  const auto compare = [&](Predicate predicate, Signedness signedness) {
    return numerics::cmpI(predicate, in[0], in[1], signedness);
  };
  switch (cast<arith::CmpIOp>(op).getPredicate()) {
  case P::eq:
    return compare(Predicate::Equal, Signedness::Unsigned);
  case P::ne:
    return compare(Predicate::NotEqual, Signedness::Unsigned);
  case P::slt:
    return compare(Predicate::LessThan, Signedness::Signed);
  case P::sle:
    return compare(Predicate::LessThanOrEqual, Signedness::Signed);
  case P::sgt:
    return compare(Predicate::GreaterThan, Signedness::Signed);
  case P::sge:
    return compare(Predicate::GreaterThanOrEqual, Signedness::Signed);
  case P::ult:
    return compare(Predicate::LessThan, Signedness::Unsigned);
  case P::ule:
    return compare(Predicate::LessThanOrEqual, Signedness::Unsigned);
  case P::ugt:
    return compare(Predicate::GreaterThan, Signedness::Unsigned);
  case P::uge:
    return compare(Predicate::GreaterThanOrEqual, Signedness::Unsigned);
  }
  llvm_unreachable("all predicates are listed");
}

//===-- Floats ---------------------------------------------------------------------------===//

template <Element (*function)(Element, Element)>
static Element binaryFloat(Operation &, Elements in, unsigned) {
  return inOwnFormat([](Elements in) { return function(in[0], in[1]); }, in);
}

/// Works for all formats; in a format without sign the value stays the same.
static Element negate(Operation &, Elements in, unsigned) {
  const uint64_t sign = numerics::info(in[0].format).signBit();
  return in[0].poison ? in[0] : Element{in[0].bits ^ sign, in[0].format};
}

static Element subtract(Element lhs, Element rhs) { return numerics::subF(lhs, rhs); }
static Element divideFloats(Element lhs, Element rhs) { return numerics::divF(lhs, rhs); }

static bool isTrue(arith::CmpFPredicate predicate, double lhs, double rhs) {
  using P = arith::CmpFPredicate;
  const bool unordered = lhs != lhs || rhs != rhs;
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !unordered;
  case P::UNO:
    return unordered;
  case P::OEQ:
    return lhs == rhs;
  case P::OGT:
    return lhs > rhs;
  case P::OGE:
    return lhs >= rhs;
  case P::OLT:
    return lhs < rhs;
  case P::OLE:
    return lhs <= rhs;
  case P::ONE:
    return !unordered && lhs != rhs;
  case P::UEQ:
    return unordered || lhs == rhs;
  case P::UGT:
    return !(lhs <= rhs);
  case P::UGE:
    return !(lhs < rhs);
  case P::ULT:
    return !(lhs >= rhs);
  case P::ULE:
    return !(lhs > rhs);
  case P::UNE:
    return lhs != rhs;
  }
  llvm_unreachable("all predicates are listed");
}

static Element compareFloats(Operation &op, Elements in, unsigned) {
  if (numerics::anyPoison(in[0], in[1]))
    return Element::poisoned(Format::I1);
  return Element::boolean(
      isTrue(cast<arith::CmpFOp>(op).getPredicate(), in[0].asDouble(), in[1].asDouble()));
}

//===-- Conversions ----------------------------------------------------------------------===//

template <Signedness signedness> static Element extend(Operation &op, Elements in, unsigned) {
  return numerics::extI(in[0], formatOfResult(op), signedness);
}

static Element truncate(Operation &op, Elements in, unsigned) {
  return numerics::truncI(in[0], formatOfResult(op),
                          assumptionOf(cast<arith::TruncIOp>(op).getOverflowFlags()));
}

/// An index has 64 bits; the other type has at most 64.
template <Signedness signedness> static Element castIndex(Operation &op, Elements in, unsigned) {
  const Format to = formatOfResult(op);
  const int from = numerics::info(in[0].format).bits;
  if (from == numerics::info(to).bits)
    return in[0];
  return from < numerics::info(to).bits ? numerics::extI(in[0], to, signedness)
                                        : numerics::truncI(in[0], to);
}

template <Signedness signedness> static Element toFloat(Operation &op, Elements in, unsigned) {
  const Format to = formatOfResult(op);
  const Element wide = numerics::intToFloat(in[0], Format::F64, signedness);
  const bool isExact = numerics::info(in[0].format).bits <= 32;
  return isExact ? convertFloat(wide, to) : numerics::intToFloat(in[0], to, signedness);
}

template <Signedness signedness> static Element toInteger(Operation &op, Elements in, unsigned) {
  return numerics::floatToInt(in[0], formatOfResult(op), signedness);
}

static Element extendFloat(Operation &op, Elements in, unsigned) {
  return convertFloat(in[0], formatOfResult(op));
}

static RoundingMode roundingOf(arith::RoundingMode mode) {
  switch (mode) {
  case arith::RoundingMode::downward:
    return RoundingMode::NegativeInf;
  case arith::RoundingMode::upward:
    return RoundingMode::PositiveInf;
  case arith::RoundingMode::toward_zero:
    return RoundingMode::Zero;
  default:
    return RoundingMode::NearestEven;
  }
}

static Element truncateFloat(Operation &op, Elements in, unsigned) {
  const auto mode = cast<arith::TruncFOp>(op).getRoundingmode();
  if (!mode || *mode == arith::RoundingMode::to_nearest_even)
    return convertFloat(in[0], formatOfResult(op));
  return numerics::floatToFloat(in[0], formatOfResult(op), roundingOf(*mode));
}

static Element reinterpret(Operation &op, Elements in, unsigned) {
  const Format to = formatOfResult(op);
  return in[0].poison ? Element::poisoned(to) : Element{in[0].bits, to};
}

/// A scale is a power of two: rounds it to f8E8M0FNU.
static Element scaleOf(Element scale, Format to) {
  return convertFloat(convertFloat(scale, Format::F8E8M0FNU), to);
}

static Element extendScaled(Operation &op, Elements in, unsigned) {
  const Format to = formatOfResult(op);
  return multiply(convertFloat(in[0], to), scaleOf(in[1], to));
}

static Element truncateScaled(Operation &op, Elements in, unsigned) {
  const Element scaled = inOwnFormat([](Elements in) { return numerics::divF(in[0], in[1]); },
                                     {in[0], scaleOf(in[1], in[0].format)});
  return convertFloat(scaled, formatOfResult(op));
}

static Element choose(Operation &, Elements in, unsigned) {
  return numerics::select(in[0], in[1], in[2]);
}

//===-- Constants ------------------------------------------------------------------------===//

static uint64_t bitsOf(Attribute attribute) {
  if (auto floating = llvm::dyn_cast<FloatAttr>(attribute))
    return floating.getValue().bitcastToAPInt().getZExtValue();
  return cast<IntegerAttr>(attribute).getValue().getZExtValue();
}

void simt::fillFrom(Register &target, DenseElementsAttr values) {
  const auto put = [&](auto range) {
    for (auto [place, value] : llvm::enumerate(range))
      target.bits[place] = value.getZExtValue();
  };
  if (values.isSplat())
    std::fill(target.bits.begin(), target.bits.end(), bitsOf(values.getSplatValue<Attribute>()));
  else if (llvm::isa<FloatType>(values.getElementType()))
    put(llvm::map_range(values.getValues<APFloat>(),
                        [](const APFloat &value) { return value.bitcastToAPInt(); }));
  else
    put(values.getValues<APInt>());
}

static LogicalResult evaluateConstant(Machine &machine, arith::ConstantOp op) {
  if (machine.of(op).constant)
    return success();
  Register &result = machine.define(op, true);
  std::fill(result.poison.begin(), result.poison.end(), false);
  if (auto values = llvm::dyn_cast<DenseElementsAttr>(op.getValue()))
    fillFrom(result, values);
  else if (llvm::isa<IntegerAttr, FloatAttr>(op.getValue()))
    result.bits[0] = bitsOf(op.getValue());
  else
    return machine.refuse(*op, "a constant that is neither numbers nor dense");
  result.constant = true;
  return success();
}

static LogicalResult evaluatePoison(Machine &machine, ub::PoisonOp op) {
  Register &result = machine.define(op, true);
  if (!result.references.empty())
    return machine.refuse(*op, "poison in place of memory cannot be executed");
  std::fill(result.bits.begin(), result.bits.end(), 0);
  std::fill(result.poison.begin(), result.poison.end(), true);
  return success();
}

//===-- The table ------------------------------------------------------------------------===//

template <typename Op, Element (*function)(Element, Element, Overflow)>
static void addOverflowing(Table &table) {
  table.addElementwise<Op>([](Operation &op, Elements in, unsigned) {
    return function(in[0], in[1], assumptionOf(cast<Op>(op).getOverflowFlags()));
  });
}

static void addIntegers(Table &table) {
  using namespace arith;
  addOverflowing<AddIOp, numerics::addI>(table);
  addOverflowing<SubIOp, numerics::subI>(table);
  addOverflowing<MulIOp, numerics::mulI>(table);
  table.addElementwise<AddUIExtendedOp>(addExtended);
  table.addElementwise<MulSIExtendedOp>(multiplyExtended<Signedness::Signed>);
  table.addElementwise<MulUIExtendedOp>(multiplyExtended<Signedness::Unsigned>);
  table.addElementwise<DivSIOp>(divide<DivSIOp, Signedness::Signed>, true);
  table.addElementwise<DivUIOp>(divide<DivUIOp, Signedness::Unsigned>, true);
  table.addElementwise<CeilDivSIOp>(
      divide<CeilDivSIOp, Signedness::Signed, numerics::RoundingMode::PositiveInf>, true);
  table.addElementwise<CeilDivUIOp>(
      divide<CeilDivUIOp, Signedness::Unsigned, numerics::RoundingMode::PositiveInf>, true);
  table.addElementwise<FloorDivSIOp>(
      divide<FloorDivSIOp, Signedness::Signed, numerics::RoundingMode::NegativeInf>, true);
  table.addElementwise<RemSIOp>(remainder<Signedness::Signed>, true);
  table.addElementwise<RemUIOp>(remainder<Signedness::Unsigned>, true);
  table.addElementwise<AndIOp>(combined<CombiningKind::AND>);
  table.addElementwise<OrIOp>(combined<CombiningKind::OR>);
  table.addElementwise<XOrIOp>(combined<CombiningKind::XOR>);
  table.addElementwise<ShLIOp>(shiftLeft);
  table.addElementwise<ShRSIOp>(shiftRight<ShRSIOp, Signedness::Signed>);
  table.addElementwise<ShRUIOp>(shiftRight<ShRUIOp, Signedness::Unsigned>);
  table.addElementwise<MaxSIOp>(combined<CombiningKind::MAXSI>);
  table.addElementwise<MaxUIOp>(combined<CombiningKind::MAXUI>);
  table.addElementwise<MinSIOp>(combined<CombiningKind::MINSI>);
  table.addElementwise<MinUIOp>(combined<CombiningKind::MINUI>);
  table.addElementwise<CmpIOp>(compareIntegers);
}

static void addFloats(Table &table) {
  using namespace arith;
  table.addElementwise<AddFOp>(combined<CombiningKind::ADD>);
  table.addElementwise<SubFOp>(binaryFloat<subtract>);
  table.addElementwise<MulFOp>(combined<CombiningKind::MUL>);
  table.addElementwise<DivFOp>(binaryFloat<divideFloats>);
  table.addElementwise<RemFOp>(binaryFloat<numerics::remF>);
  table.addElementwise<NegFOp>(negate);
  table.addElementwise<MaximumFOp>(combined<CombiningKind::MAXIMUMF>);
  table.addElementwise<MaxNumFOp>(combined<CombiningKind::MAXNUMF>);
  table.addElementwise<MinimumFOp>(combined<CombiningKind::MINIMUMF>);
  table.addElementwise<MinNumFOp>(combined<CombiningKind::MINNUMF>);
  table.addElementwise<CmpFOp>(compareFloats);
}

static void addConversions(Table &table) {
  using namespace arith;
  table.addElementwise<ExtSIOp>(extend<Signedness::Signed>);
  table.addElementwise<ExtUIOp>(extend<Signedness::Unsigned>);
  table.addElementwise<TruncIOp>(truncate);
  table.addElementwise<IndexCastOp>(castIndex<Signedness::Signed>);
  table.addElementwise<IndexCastUIOp>(castIndex<Signedness::Unsigned>);
  table.addElementwise<SIToFPOp>(toFloat<Signedness::Signed>);
  table.addElementwise<UIToFPOp>(toFloat<Signedness::Unsigned>);
  table.addElementwise<FPToSIOp>(toInteger<Signedness::Signed>);
  table.addElementwise<FPToUIOp>(toInteger<Signedness::Unsigned>);
  table.addElementwise<ExtFOp>(extendFloat);
  table.addElementwise<TruncFOp>(truncateFloat);
  table.addElementwise<BitcastOp>(reinterpret);
  table.addElementwise<ScalingExtFOp>(extendScaled);
  table.addElementwise<ScalingTruncFOp>(truncateScaled);
}

void simt::addArith(Table &table) {
  table.add<arith::ConstantOp, evaluateConstant>();
  table.add<ub::PoisonOp, evaluatePoison>();
  table.addElementwise<arith::SelectOp>(choose);
  addIntegers(table);
  addFloats(table);
  addConversions(table);
}
