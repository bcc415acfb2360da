// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation and rules of conversions (arithmetic, 4.22 to 4.29).

#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Integer.h"
#include "tilewright/tile/Arithmetic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using numerics::Element;
using numerics::Format;

static Type elementTypeOf(Value tile) { return cast<TileType>(tile.getType()).getElementType(); }
static unsigned widthOf(Value tile) { return elementTypeOf(tile).getIntOrFloatBitWidth(); }

//===-- Meaning ------------------------------------------------------------------------===//

Element BitcastOp::evalElement(ArrayRef<Element> in) {
  return numerics::bitcast(in[0], formatOfTile(getResult()));
}
Element IntToPtrOp::evalElement(ArrayRef<Element> in) { return numerics::intToPtr(in[0]); }
Element PtrToIntOp::evalElement(ArrayRef<Element> in) { return numerics::ptrToInt(in[0]); }
Element PtrToPtrOp::evalElement(ArrayRef<Element> in) { return in[0]; }
Element ExtIOp::evalElement(ArrayRef<Element> in) {
  return numerics::extI(in[0], formatOfTile(getTo()), modeOf(getSignedness()));
}
Element TruncIOp::evalElement(ArrayRef<Element> in) {
  return numerics::truncI(in[0], formatOfTile(getTo()), modeOf(getOverflow()));
}
Element FToFOp::evalElement(ArrayRef<Element> in) {
  return numerics::floatToFloat(in[0], formatOfTile(getTo()), modeOf(getRoundingMode()));
}
Element FToIOp::evalElement(ArrayRef<Element> in) {
  if (formatOfTile(getTo()) == Format::I1 && !getSaturating())
    return numerics::floatToBool(in[0]);
  return numerics::floatToInt(in[0], formatOfTile(getTo()), modeOf(getSignedness()),
                              outOfRange(getSaturating()));
}
Element IToFOp::evalElement(ArrayRef<Element> in) {
  return numerics::intToFloat(in[0], formatOfTile(getTo()), modeOf(getSignedness()));
}

//===-- Rules --------------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  // The width of tf32 is 19, so it can only be cast to itself (types, 2.5).
  unsigned from = widthOf(getSource()), to = widthOf(getResult());
  if (from != to)
    return emitOpError() << "types must be equal width, cannot convert " << getSource().getType()
                         << " of width " << from << " to type " << getType() << " of width " << to;
  return success();
}

LogicalResult ExtIOp::verify() {
  if (widthOf(getFrom()) >= widthOf(getTo()))
    return emitOpError() << "extending to smaller or identical integer";
  return success();
}

LogicalResult TruncIOp::verify() {
  if (widthOf(getFrom()) <= widthOf(getTo()))
    return emitOpError() << "truncating to larger or identical integer";
  return success();
}

/// More bits, and no smaller range of normal numbers: f8E8M0FNU widens only to f64.
static bool isStrictWidening(const numerics::FormatInfo &from, const numerics::FormatInfo &to) {
  if (to.format == Format::F64)
    return true;
  return from.mantissaBits <= to.mantissaBits && from.minExponent() >= to.minExponent() &&
         from.maxExponent() <= to.maxExponent();
}

/// The modes in which `ftof` supports this conversion: the first row of 13.4, section 7.3, that
/// matches.
static ArrayRef<RoundingMode> modesBetween(Format from, Format to) {
  static constexpr RoundingMode widening[] = {RoundingMode::NearestEven, RoundingMode::Zero,
                                              RoundingMode::NegativeInf, RoundingMode::PositiveInf,
                                              RoundingMode::NearestAway};
  static constexpr RoundingMode toTF32[] = {RoundingMode::NearestEven, RoundingMode::Zero,
                                            RoundingMode::NearestAway};
  static constexpr RoundingMode toScale[] = {RoundingMode::Zero, RoundingMode::PositiveInf};
  if (to == Format::F8E8M0FNU)
    return toScale;
  if (numerics::info(to).bits <= 8)
    return ArrayRef(widening).take_front(1);
  if (isStrictWidening(numerics::info(from), numerics::info(to)))
    return widening;
  if (from == Format::F64 && to == Format::F32)
    return ArrayRef(widening).take_front(4);
  if (from == Format::F32 && to == Format::TF32)
    return toTF32;
  return ArrayRef(widening).take_front(2);
}

LogicalResult FToFOp::verify() {
  if (elementTypeOf(getFrom()) == elementTypeOf(getTo()))
    return emitOpError() << "converting tiles must not be a no-op";
  Format from = formatOfTile(getFrom()), to = formatOfTile(getTo());
  ArrayRef<RoundingMode> allowed = modesBetween(from, to);
  if (llvm::is_contained(allowed, getRoundingMode()))
    return success();
  InFlightDiagnostic diagnostic = emitOpError()
                                  << "invalid rounding mode specified for conversion ";
  if (to != Format::F8E8M0FNU)
    diagnostic << "from " << numerics::info(from).spelling << " ";
  diagnostic << "to " << numerics::info(to).spelling << ". Only ";
  for (auto [i, mode] : llvm::enumerate(allowed))
    diagnostic << (i == 0                   ? ""
                   : i + 1 < allowed.size() ? ", "
                                            : " and ")
               << "'" << stringifyRoundingMode(mode) << "'";
  return diagnostic << (allowed.size() == 1 ? " is supported" : " are supported");
}

LogicalResult FToIOp::verify() {
  if (getRoundingMode() != RoundingMode::NearestIntToZero)
    return emitOpError()
           << "invalid rounding mode specified. Only 'nearest_int_to_zero' is supported";
  return success();
}

LogicalResult IToFOp::verify() {
  if (isa<Float8E8M0FNUType>(elementTypeOf(getTo())))
    return emitOpError() << "integer to f8E8M0FNU conversion is not supported, please first "
                            "convert to another float type";
  if (getRoundingMode() != RoundingMode::NearestEven)
    return emitOpError() << "invalid rounding mode specified. Only 'nearest_even' is supported";
  return success();
}

/// The bits of an element in `pack`; only here, tf32 takes 32.
static int64_t packedWidth(Type element) {
  return isa<FloatTF32Type>(element) ? 32 : element.getIntOrFloatBitWidth();
}

static LogicalResult verifyRepack(Operation *op, TileType source, TileType result) {
  if (source.getRank() != 1 || result.getRank() != 1)
    return op->emitOpError() << "expects source and result to be rank-1 tiles";
  int64_t sourceWidth = packedWidth(source.getElementType());
  int64_t resultWidth = packedWidth(result.getElementType());
  if (sourceWidth == resultWidth)
    return op->emitOpError() << "expects source and result to have different element type widths";
  int64_t sourceBits = sourceWidth * source.getNumElements();
  int64_t resultBits = resultWidth * result.getNumElements();
  if (sourceBits % 8 != 0)
    return op->emitOpError() << "expects source tile to be byte-aligned";
  if (sourceBits != resultBits)
    return op->emitOpError() << "expects source and result to have the same size in bytes, but "
                                "got source tile size "
                             << sourceBits / 8 << " bytes and result tile size "
                             << llvm::divideCeil(resultBits, 8) << " bytes";
  return success();
}

LogicalResult PackOp::verify() { return verifyRepack(*this, getSource().getType(), getType()); }
LogicalResult UnpackOp::verify() { return verifyRepack(*this, getSource().getType(), getType()); }
