// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do conversions compute, and between which types? (arithmetic, 4.22 to 4.29)

#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Integer.h"
#include "tilewright/tile/Arithmetic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using numerics::Element;

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
  return numerics::floatToInt(in[0], formatOfTile(getTo()), modeOf(getSignedness()));
}
Element IToFOp::evalElement(ArrayRef<Element> in) {
  return numerics::intToFloat(in[0], formatOfTile(getTo()), modeOf(getSignedness()));
}

//===-- Rules --------------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  // The width of tf32 is 19, so that it has no partner but itself (types, 2.5).
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

LogicalResult FToFOp::verify() {
  if (elementTypeOf(getFrom()) == elementTypeOf(getTo()))
    return emitOpError() << "converting tiles must not be a no-op";
  RoundingMode mode = getRoundingMode();
  if (isa<Float8E8M0FNUType>(elementTypeOf(getTo()))) {
    if (mode != RoundingMode::Zero && mode != RoundingMode::PositiveInf)
      return emitOpError() << "invalid rounding mode specified for conversion to f8E8M0FNU. Only "
                              "'zero' and 'positive_inf' are supported";
    return success();
  }
  if (mode != RoundingMode::NearestEven)
    return emitOpError() << "invalid rounding mode specified. Only 'nearest_even' is supported";
  return success();
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

/// Bits that an element takes in `pack`: unlike elsewhere, 32 for tf32.
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
