// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/layout/distribute/Identity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

static TypedAttr identityElement(vector::CombiningKind kind, Type type) {
  using Kind = vector::CombiningKind;
  Builder builder(type.getContext());
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &format = floating.getFloatSemantics();
    switch (kind) {
    case Kind::ADD: // -0.0 + -0.0 is -0.0
      return builder.getFloatAttr(type, APFloat::getZero(format, /*Negative=*/true));
    case Kind::MUL:
      return builder.getFloatAttr(type, APFloat::getOne(format));
    case Kind::MINNUMF: // of a number and a NaN, they return the number
    case Kind::MAXNUMF:
      if (APFloat::semanticsHasNaN(format))
        return builder.getFloatAttr(type, APFloat::getQNaN(format));
      break;
    default:
      break;
    }
    // The smallest value for maxima, and the largest value for minima.
    bool negative = kind == Kind::MAXIMUMF || kind == Kind::MAXNUMF;
    return builder.getFloatAttr(type, APFloat::semanticsHasInf(format)
                                          ? APFloat::getInf(format, negative)
                                          : APFloat::getLargest(format, negative));
  }
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto integer = [&](const APInt &value) { return builder.getIntegerAttr(type, value); };
  switch (kind) {
  case Kind::MUL:
    return integer(APInt(width, 1));
  case Kind::AND:
  case Kind::MINUI:
    return integer(APInt::getAllOnes(width));
  case Kind::MINSI:
    return integer(APInt::getSignedMaxValue(width));
  case Kind::MAXSI:
    return integer(APInt::getSignedMinValue(width));
  default: // addition, or, xor, the unsigned maximum
    return integer(APInt::getZero(width));
  }
}

Value layout::identityValue(OpBuilder &builder, Location loc, vector::CombiningKind kind,
                            Type type) {
  TypedAttr element = identityElement(kind, getElementTypeOrSelf(type));
  if (auto vector = dyn_cast<VectorType>(type))
    element = DenseElementsAttr::get(vector, Attribute(element));
  return arith::ConstantOp::create(builder, loc, element);
}
