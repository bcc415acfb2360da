// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/Rows.h"
#include "tilewright/tile/Arithmetic.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::tile;
using numerics::Format;
using numerics::RowFunction;
namespace rows = tilewright::numerics::rows;

/// The format of the first operand, in most operations that of all.
static Format from(mlir::Operation *op) { return formatOfTile(op->getOperand(0)); }
static Format to(mlir::Operation *op) { return formatOfTile(op->getResult(0)); }

static RowFunction rowOf(OffsetOp op) {
  auto pointer = llvm::cast<PointerType>(op.getType().getElementType());
  unsigned bits = numerics::info(*formatOf(pointer.getPointeeType())).storageBits;
  return rows::offset(formatOfTile(op->getOperand(1)), bits);
}

RowFunction reference::rowFunctionOf(mlir::Operation *op) {
  using R = RowFunction;
  return llvm::TypeSwitch<mlir::Operation *, R>(op)
      // Floats.
      .Case([](AddFOp op) -> R {
        return rows::addF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .Case([](SubFOp op) -> R {
        return rows::subF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .Case([](MulFOp op) -> R {
        return rows::mulF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .Case([](DivFOp op) -> R {
        return rows::divF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .Case([](FmaOp op) -> R {
        return rows::fmaF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .Case([](SqrtOp op) -> R {
        return rows::sqrtF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .Case([](RemFOp op) -> R { return rows::remF(from(op)); })
      .Case([](MaxFOp op) -> R {
        return rows::maxF(from(op), op.getPropagateNan(), op.getFlushToZero());
      })
      .Case([](MinFOp op) -> R {
        return rows::minF(from(op), op.getPropagateNan(), op.getFlushToZero());
      })
      .Case([](CmpFOp op) -> R {
        return rows::cmpF(from(op), modeOf(op.getComparisonPredicate()),
                          modeOf(op.getComparisonOrdering()));
      })
      .Case([](AbsFOp op) -> R { return rows::absF(from(op)); })
      .Case([](NegFOp op) -> R { return rows::negF(from(op)); })
      .Case([](CeilOp op) -> R { return rows::ceilF(from(op)); })
      .Case([](FloorOp op) -> R { return rows::floorF(from(op)); })
      .Case([](ExpOp op) -> R { return rows::expF(from(op)); })
      .Case([](Exp2Op op) -> R { return rows::exp2F(from(op), op.getFlushToZero()); })
      .Case([](LogOp op) -> R { return rows::logF(from(op)); })
      .Case([](Log2Op op) -> R { return rows::log2F(from(op)); })
      .Case([](SinOp op) -> R { return rows::sinF(from(op)); })
      .Case([](CosOp op) -> R { return rows::cosF(from(op)); })
      .Case([](TanOp op) -> R { return rows::tanF(from(op)); })
      .Case([](SinhOp op) -> R { return rows::sinhF(from(op)); })
      .Case([](CoshOp op) -> R { return rows::coshF(from(op)); })
      .Case([](TanhOp op) -> R { return rows::tanhF(from(op)); })
      .Case([](RsqrtOp op) -> R { return rows::rsqrtF(from(op), op.getFlushToZero()); })
      .Case([](PowOp op) -> R { return rows::powF(from(op)); })
      .Case([](Atan2Op op) -> R { return rows::atan2F(from(op)); })
      // Integers.
      .Case([](AddIOp op) -> R { return rows::addI(from(op), modeOf(op.getOverflow())); })
      .Case([](SubIOp op) -> R { return rows::subI(from(op), modeOf(op.getOverflow())); })
      .Case([](MulIOp op) -> R { return rows::mulI(from(op), modeOf(op.getOverflow())); })
      .Case([](ShLIOp op) -> R { return rows::shlI(from(op), modeOf(op.getOverflow())); })
      .Case([](ShRIOp op) -> R { return rows::shrI(from(op), modeOf(op.getSignedness())); })
      .Case([](NegIOp op) -> R { return rows::negI(from(op), modeOf(op.getOverflow())); })
      .Case([](AbsIOp op) -> R { return rows::absI(from(op)); })
      .Case([](MulhiIOp op) -> R { return rows::mulhU(from(op)); })
      .Case([](DivIOp op) -> R {
        return rows::divI(from(op), modeOf(op.getSignedness()), modeOf(op.getRounding()));
      })
      .Case([](RemIOp op) -> R { return rows::remI(from(op), modeOf(op.getSignedness())); })
      .Case([](MaxIOp op) -> R { return rows::maxI(from(op), modeOf(op.getSignedness())); })
      .Case([](MinIOp op) -> R { return rows::minI(from(op), modeOf(op.getSignedness())); })
      .Case([](CmpIOp op) -> R {
        return rows::cmpI(from(op), modeOf(op.getComparisonPredicate()),
                          modeOf(op.getSignedness()));
      })
      .Case([](AndIOp op) -> R { return rows::andI(from(op)); })
      .Case([](OrIOp op) -> R { return rows::orI(from(op)); })
      .Case([](XOrIOp op) -> R { return rows::xorI(from(op)); })
      // Conversions, and words of any meaning.
      .Case([](ExtIOp op) -> R { return rows::extI(from(op), to(op), modeOf(op.getSignedness())); })
      .Case(
          [](TruncIOp op) -> R { return rows::truncI(from(op), to(op), modeOf(op.getOverflow())); })
      .Case([](FToFOp op) -> R {
        return rows::floatToFloat(from(op), to(op), modeOf(op.getRoundingMode()));
      })
      .Case([](FToIOp op) -> R {
        return rows::floatToInt(from(op), to(op), modeOf(op.getSignedness()));
      })
      .Case([](IToFOp op) -> R {
        return rows::intToFloat(from(op), to(op), modeOf(op.getSignedness()));
      })
      .Case<BitcastOp, IntToPtrOp, PtrToIntOp, PtrToPtrOp>(
          [](mlir::Operation *op) -> R { return rows::copy(from(op)); })
      .Case([](OffsetOp op) -> R { return rowOf(op); })
      .Case([](SelectOp op) -> R { return rows::select(to(op)); })
      .Default(R());
}
