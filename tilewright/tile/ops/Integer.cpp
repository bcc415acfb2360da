// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation and rules of integer and bitwise operations (arithmetic, 4.1 to 4.9).

#include "tilewright/numerics/Integer.h"
#include "tilewright/tile/Arithmetic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using numerics::Element;

//===-- Meaning ------------------------------------------------------------------------===//

Element AddIOp::evalElement(ArrayRef<Element> in) {
  return numerics::addI(in[0], in[1], modeOf(getOverflow()));
}
Element SubIOp::evalElement(ArrayRef<Element> in) {
  return numerics::subI(in[0], in[1], modeOf(getOverflow()));
}
Element MulIOp::evalElement(ArrayRef<Element> in) {
  return numerics::mulI(in[0], in[1], modeOf(getOverflow()));
}
Element ShLIOp::evalElement(ArrayRef<Element> in) {
  return numerics::shlI(in[0], in[1], modeOf(getOverflow()));
}
Element NegIOp::evalElement(ArrayRef<Element> in) {
  return numerics::negI(in[0], modeOf(getOverflow()));
}
Element AbsIOp::evalElement(ArrayRef<Element> in) { return numerics::absI(in[0]); }
Element MulhiIOp::evalElement(ArrayRef<Element> in) { return numerics::mulhU(in[0], in[1]); }
Element DivIOp::evalElement(ArrayRef<Element> in) {
  return numerics::divI(in[0], in[1], modeOf(getSignedness()), modeOf(getRounding()));
}
Element RemIOp::evalElement(ArrayRef<Element> in) {
  return numerics::remI(in[0], in[1], modeOf(getSignedness()));
}
Element MaxIOp::evalElement(ArrayRef<Element> in) {
  return numerics::maxI(in[0], in[1], modeOf(getSignedness()));
}
Element MinIOp::evalElement(ArrayRef<Element> in) {
  return numerics::minI(in[0], in[1], modeOf(getSignedness()));
}
Element ShRIOp::evalElement(ArrayRef<Element> in) {
  return numerics::shrI(in[0], in[1], modeOf(getSignedness()));
}
Element CmpIOp::evalElement(ArrayRef<Element> in) {
  return numerics::cmpI(modeOf(getComparisonPredicate()), in[0], in[1], modeOf(getSignedness()));
}
Element AndIOp::evalElement(ArrayRef<Element> in) { return numerics::andI(in[0], in[1]); }
Element OrIOp::evalElement(ArrayRef<Element> in) { return numerics::orI(in[0], in[1]); }
Element XOrIOp::evalElement(ArrayRef<Element> in) { return numerics::xorI(in[0], in[1]); }

std::optional<Element> MulIOp::getAbsorbing() { return Element::zero(formatOfTile(getResult())); }
std::optional<Element> AndIOp::getAbsorbing() { return Element::zero(formatOfTile(getResult())); }
std::optional<Element> OrIOp::getAbsorbing() {
  return Element::integer(formatOfTile(getResult()), -1);
}

//===-- Rules --------------------------------------------------------------------------===//

LogicalResult NegIOp::verify() {
  // The operand is signed, so an assumption about unsigned wrap-around has no meaning.
  if (getOverflow() == IntegerOverflow::NoUnsignedWrap)
    return emitOpError() << "'no_unsigned_wrap' overflow flag is not supported";
  return success();
}

LogicalResult DivIOp::verify() {
  switch (getRounding()) {
  case RoundingMode::Zero:
  case RoundingMode::PositiveInf:
    return success();
  case RoundingMode::NegativeInf:
    if (getSignedness() == Signedness::Unsigned)
      return emitOpError() << "rounding mode 'negative_inf' is not allowed with 'unsigned' flag";
    return success();
  default:
    return emitOpError() << "invalid rounding mode specified, expect one of [zero, negative_inf, "
                            "positive_inf]";
  }
}
