// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of floating-point operations, and the modifiers that they accept (arithmetic, 2.4 and
// 4.10 to 4.20).

#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/Math.h"
#include "tilewright/tile/Arithmetic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using numerics::Element;

//===-- Meaning ------------------------------------------------------------------------===//

Element AddFOp::evalElement(ArrayRef<Element> in) {
  return numerics::addF(in[0], in[1], modeOf(getRoundingMode()), getFlushToZero());
}
Element SubFOp::evalElement(ArrayRef<Element> in) {
  return numerics::subF(in[0], in[1], modeOf(getRoundingMode()), getFlushToZero());
}
Element MulFOp::evalElement(ArrayRef<Element> in) {
  return numerics::mulF(in[0], in[1], modeOf(getRoundingMode()), getFlushToZero());
}
Element DivFOp::evalElement(ArrayRef<Element> in) {
  return numerics::divF(in[0], in[1], modeOf(getRoundingMode()), getFlushToZero());
}
Element FmaOp::evalElement(ArrayRef<Element> in) {
  return numerics::fmaF(in[0], in[1], in[2], modeOf(getRoundingMode()), getFlushToZero());
}
Element SqrtOp::evalElement(ArrayRef<Element> in) {
  return numerics::sqrtF(in[0], modeOf(getRoundingMode()), getFlushToZero());
}
Element RemFOp::evalElement(ArrayRef<Element> in) { return numerics::remF(in[0], in[1]); }
Element MaxFOp::evalElement(ArrayRef<Element> in) {
  return numerics::maxF(in[0], in[1], getPropagateNan(), getFlushToZero());
}
Element MinFOp::evalElement(ArrayRef<Element> in) {
  return numerics::minF(in[0], in[1], getPropagateNan(), getFlushToZero());
}
Element CmpFOp::evalElement(ArrayRef<Element> in) {
  return numerics::cmpF(modeOf(getComparisonPredicate()), modeOf(getComparisonOrdering()), in[0],
                        in[1]);
}
Element AbsFOp::evalElement(ArrayRef<Element> in) { return numerics::absF(in[0]); }
Element NegFOp::evalElement(ArrayRef<Element> in) { return numerics::negF(in[0]); }
Element CeilOp::evalElement(ArrayRef<Element> in) { return numerics::ceilF(in[0]); }
Element FloorOp::evalElement(ArrayRef<Element> in) { return numerics::floorF(in[0]); }
Element SinOp::evalElement(ArrayRef<Element> in) { return numerics::sinF(in[0]); }
Element CosOp::evalElement(ArrayRef<Element> in) { return numerics::cosF(in[0]); }
Element TanOp::evalElement(ArrayRef<Element> in) { return numerics::tanF(in[0]); }
Element SinhOp::evalElement(ArrayRef<Element> in) { return numerics::sinhF(in[0]); }
Element CoshOp::evalElement(ArrayRef<Element> in) { return numerics::coshF(in[0]); }
Element LogOp::evalElement(ArrayRef<Element> in) { return numerics::logF(in[0]); }
Element Log2Op::evalElement(ArrayRef<Element> in) { return numerics::log2F(in[0]); }
Element ExpOp::evalElement(ArrayRef<Element> in) {
  return numerics::expF(in[0], modeOf(getRoundingMode()));
}
Element TanhOp::evalElement(ArrayRef<Element> in) {
  return numerics::tanhF(in[0], modeOf(getRoundingMode()));
}
Element Exp2Op::evalElement(ArrayRef<Element> in) {
  return numerics::exp2F(in[0], getFlushToZero());
}
Element RsqrtOp::evalElement(ArrayRef<Element> in) {
  return numerics::rsqrtF(in[0], getFlushToZero());
}
Element PowOp::evalElement(ArrayRef<Element> in) { return numerics::powF(in[0], in[1]); }
Element FPowIOp::evalElement(ArrayRef<Element> in) { return numerics::powI(in[0], in[1]); }
Element Atan2Op::evalElement(ArrayRef<Element> in) { return numerics::atan2F(in[0], in[1]); }

//===-- Rules --------------------------------------------------------------------------===//

/// Some modifiers exist for f32 only.
static LogicalResult verifyF32Only(Operation *op, StringRef modifier) {
  Type element = cast<TileType>(op->getResult(0).getType()).getElementType();
  if (element.isF32())
    return success();
  return op->emitOpError() << modifier
                           << " modifier only supported for f32 data type, but got: " << element;
}

static LogicalResult verifyFlush(Operation *op, bool flushToZero) {
  return flushToZero ? verifyF32Only(op, "flush_to_zero") : success();
}

/// `extra` lists the supported members besides the four IEEE modes.
static LogicalResult verifyRounding(Operation *op, RoundingMode mode, bool flushToZero,
                                    ArrayRef<RoundingMode> extra = {}) {
  if (!numerics::isIeee(modeOf(mode)) && !llvm::is_contained(extra, mode)) {
    InFlightDiagnostic diag = op->emitOpError()
                              << "invalid rounding mode specified, expect one of [nearest_even, "
                                 "zero, negative_inf, positive_inf";
    for (RoundingMode member : extra)
      diag << ", " << stringifyRoundingMode(member);
    return diag << "]";
  }
  if (failed(verifyFlush(op, flushToZero)))
    return failure();
  return llvm::is_contained(extra, mode) ? verifyF32Only(op, stringifyRoundingMode(mode))
                                         : success();
}

LogicalResult AddFOp::verify() {
  return verifyRounding(*this, getRoundingMode(), getFlushToZero());
}
LogicalResult SubFOp::verify() {
  return verifyRounding(*this, getRoundingMode(), getFlushToZero());
}
LogicalResult MulFOp::verify() {
  return verifyRounding(*this, getRoundingMode(), getFlushToZero());
}
LogicalResult FmaOp::verify() { return verifyRounding(*this, getRoundingMode(), getFlushToZero()); }
LogicalResult DivFOp::verify() {
  return verifyRounding(*this, getRoundingMode(), getFlushToZero(),
                        {RoundingMode::Approx, RoundingMode::Full});
}
LogicalResult SqrtOp::verify() {
  return verifyRounding(*this, getRoundingMode(), getFlushToZero(), {RoundingMode::Approx});
}
LogicalResult MaxFOp::verify() { return verifyFlush(*this, getFlushToZero()); }
LogicalResult MinFOp::verify() { return verifyFlush(*this, getFlushToZero()); }
LogicalResult Exp2Op::verify() { return verifyFlush(*this, getFlushToZero()); }
LogicalResult RsqrtOp::verify() { return verifyFlush(*this, getFlushToZero()); }

static LogicalResult verifyApproximable(Operation *op, RoundingMode mode) {
  if (mode == RoundingMode::Full)
    return success();
  if (mode != RoundingMode::Approx)
    return op->emitOpError() << "invalid rounding mode specified, expect one of [approx, full]";
  return verifyF32Only(op, "approx");
}
LogicalResult ExpOp::verify() { return verifyApproximable(*this, getRoundingMode()); }
LogicalResult TanhOp::verify() { return verifyApproximable(*this, getRoundingMode()); }
