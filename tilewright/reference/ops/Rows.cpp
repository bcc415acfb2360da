// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/ops/Rows.h"
#include "tilewright/tile/Arithmetic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::tile;
using numerics::Format;
using numerics::RowFunction;
namespace rows = tilewright::numerics::rows;

/// The format of the first operand; in most operations all operands have it.
static Format from(mlir::Operation *op) { return formatOfTile(op->getOperand(0)); }
static Format to(mlir::Operation *op) { return formatOfTile(op->getResult(0)); }

static RowFunction rowOf(OffsetOp op) {
  auto pointer = llvm::cast<PointerType>(op.getType().getElementType());
  unsigned bits = numerics::info(*formatOf(pointer.getPointeeType())).storageBits;
  return rows::offset(formatOfTile(op->getOperand(1)), bits);
}

namespace {
/// Maps operation kinds to their choice of row function. A kernel needs it for every operation it
/// executes, and trying one kind after the other would take longer than the computation.
class RowTable {
public:
  /// Adds one kind: choose(operation), which captures nothing.
  template <typename Choose> RowTable &add(Choose) {
    using Op = typename llvm::function_traits<Choose>::template arg_t<0>;
    choices[mlir::TypeID::get<Op>()] = [](mlir::Operation *op) {
      return Choose()(llvm::cast<Op>(op));
    };
    return *this;
  }

  RowFunction find(mlir::Operation *op) const {
    auto choice = choices.find(op->getName().getTypeID());
    return choice == choices.end() ? nullptr : choice->second(op);
  }

private:
  llvm::DenseMap<mlir::TypeID, RowFunction (*)(mlir::Operation *)> choices;
};
} // namespace

static RowTable makeTable() {
  using R = RowFunction;
  return RowTable()
      // Floats.
      .add([](AddFOp op) -> R {
        return rows::addF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .add([](SubFOp op) -> R {
        return rows::subF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .add([](MulFOp op) -> R {
        return rows::mulF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .add([](DivFOp op) -> R {
        return rows::divF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .add([](FmaOp op) -> R {
        return rows::fmaF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .add([](SqrtOp op) -> R {
        return rows::sqrtF(from(op), modeOf(op.getRoundingMode()), op.getFlushToZero());
      })
      .add([](RemFOp op) -> R { return rows::remF(from(op)); })
      .add([](MaxFOp op) -> R {
        return rows::maxF(from(op), op.getPropagateNan(), op.getFlushToZero());
      })
      .add([](MinFOp op) -> R {
        return rows::minF(from(op), op.getPropagateNan(), op.getFlushToZero());
      })
      .add([](CmpFOp op) -> R {
        return rows::cmpF(from(op), modeOf(op.getComparisonPredicate()),
                          modeOf(op.getComparisonOrdering()));
      })
      .add([](AbsFOp op) -> R { return rows::absF(from(op)); })
      .add([](NegFOp op) -> R { return rows::negF(from(op)); })
      .add([](CeilOp op) -> R { return rows::ceilF(from(op)); })
      .add([](FloorOp op) -> R { return rows::floorF(from(op)); })
      .add([](ExpOp op) -> R { return rows::expF(from(op)); })
      .add([](Exp2Op op) -> R { return rows::exp2F(from(op), op.getFlushToZero()); })
      .add([](LogOp op) -> R { return rows::logF(from(op)); })
      .add([](Log2Op op) -> R { return rows::log2F(from(op)); })
      .add([](SinOp op) -> R { return rows::sinF(from(op)); })
      .add([](CosOp op) -> R { return rows::cosF(from(op)); })
      .add([](TanOp op) -> R { return rows::tanF(from(op)); })
      .add([](SinhOp op) -> R { return rows::sinhF(from(op)); })
      .add([](CoshOp op) -> R { return rows::coshF(from(op)); })
      .add([](TanhOp op) -> R { return rows::tanhF(from(op)); })
      .add([](RsqrtOp op) -> R { return rows::rsqrtF(from(op), op.getFlushToZero()); })
      .add([](PowOp op) -> R { return rows::powF(from(op)); })
      .add([](FPowIOp op) -> R { return rows::powI(from(op), formatOfTile(op.getExponent())); })
      .add([](Atan2Op op) -> R { return rows::atan2F(from(op)); })
      // Integers.
      .add([](AddIOp op) -> R { return rows::addI(from(op), modeOf(op.getOverflow())); })
      .add([](SubIOp op) -> R { return rows::subI(from(op), modeOf(op.getOverflow())); })
      .add([](MulIOp op) -> R { return rows::mulI(from(op), modeOf(op.getOverflow())); })
      .add([](ShLIOp op) -> R { return rows::shlI(from(op), modeOf(op.getOverflow())); })
      .add([](ShRIOp op) -> R { return rows::shrI(from(op), modeOf(op.getSignedness())); })
      .add([](NegIOp op) -> R { return rows::negI(from(op), modeOf(op.getOverflow())); })
      .add([](AbsIOp op) -> R { return rows::absI(from(op)); })
      .add([](MulhiIOp op) -> R { return rows::mulhU(from(op)); })
      .add([](DivIOp op) -> R {
        return rows::divI(from(op), modeOf(op.getSignedness()), modeOf(op.getRounding()));
      })
      .add([](RemIOp op) -> R { return rows::remI(from(op), modeOf(op.getSignedness())); })
      .add([](MaxIOp op) -> R { return rows::maxI(from(op), modeOf(op.getSignedness())); })
      .add([](MinIOp op) -> R { return rows::minI(from(op), modeOf(op.getSignedness())); })
      .add([](CmpIOp op) -> R {
        return rows::cmpI(from(op), modeOf(op.getComparisonPredicate()),
                          modeOf(op.getSignedness()));
      })
      .add([](AndIOp op) -> R { return rows::andI(from(op)); })
      .add([](OrIOp op) -> R { return rows::orI(from(op)); })
      .add([](XOrIOp op) -> R { return rows::xorI(from(op)); })
      // Conversions, and operations on words of any format.
      .add([](ExtIOp op) -> R { return rows::extI(from(op), to(op), modeOf(op.getSignedness())); })
      .add(
          [](TruncIOp op) -> R { return rows::truncI(from(op), to(op), modeOf(op.getOverflow())); })
      .add([](FToFOp op) -> R {
        return rows::floatToFloat(from(op), to(op), modeOf(op.getRoundingMode()));
      })
      .add([](FToIOp op) -> R {
        if (op.getSaturating())
          return nullptr;
        return to(op) == Format::I1
                   ? rows::floatToBool(from(op))
                   : rows::floatToInt(from(op), to(op), modeOf(op.getSignedness()));
      })
      .add([](IToFOp op) -> R {
        return rows::intToFloat(from(op), to(op), modeOf(op.getSignedness()));
      })
      .add([](BitcastOp op) -> R { return rows::copy(from(op)); })
      .add([](IntToPtrOp op) -> R { return rows::copy(from(op)); })
      .add([](PtrToIntOp op) -> R { return rows::copy(from(op)); })
      .add([](PtrToPtrOp op) -> R { return rows::copy(from(op)); })
      .add([](OffsetOp op) -> R { return rowOf(op); })
      .add([](SelectOp op) -> R { return rows::select(to(op)); });
}

RowFunction reference::rowFunctionOf(mlir::Operation *op) {
  static const RowTable table = makeTable();
  return table.find(op);
}
