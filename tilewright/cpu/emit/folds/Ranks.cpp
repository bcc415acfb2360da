// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Ranks.h.

#include "tilewright/cpu/emit/folds/Ranks.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace arith = mlir::arith;

std::optional<Ranks> Ranks::of(tile::ReduceOp op, const Target &target) {
  constexpr int64_t bytesOfAvx2 = 32;
  mlir::Block &body = op.getBody().front();
  mlir::Operation *combine = &body.front();
  bool isOneOperation =
      op.getNumOperands() == 1 && combine->getNextNode() == body.getTerminator() &&
      combine->getNumResults() == 1 && body.getTerminator()->getOperand(0) == combine->getResult(0);
  mlir::Type element = llvm::cast<tile::TileType>(op.getOperands()[0].getType()).getElementType();
  if (!isOneOperation || !element.isF32() || target.vectorBytes != bytesOfAvx2)
    return std::nullopt;
  auto ranksOf = [&](auto extreme, bool keepsLarger) -> std::optional<Ranks> {
    bool combinesArguments = extreme.getLhs() != extreme.getRhs() &&
                             llvm::isa<mlir::BlockArgument>(extreme.getLhs()) &&
                             llvm::isa<mlir::BlockArgument>(extreme.getRhs());
    if (!combinesArguments || extreme.getFlushToZero())
      return std::nullopt;
    return Ranks(keepsLarger, extreme.getPropagateNan());
  };
  if (auto larger = llvm::dyn_cast<tile::MaxFOp>(combine))
    return ranksOf(larger, true);
  if (auto smaller = llvm::dyn_cast<tile::MinFOp>(combine))
    return ranksOf(smaller, false);
  return std::nullopt;
}

/// The bits as an integer of the order of the numbers, and back.
static Value mirrored(LoopBuilder &b, Value bits) {
  Value signs = arith::ShRSIOp::create(b, bits, b.constantBits(bits.getType(), 31));
  Value others = arith::ShRUIOp::create(b, signs, b.constantBits(bits.getType(), 1));
  return arith::XOrIOp::create(b, bits, others);
}

/// There are 2^23 - 1 NaNs of each sign.
int64_t Ranks::nanOffset() const {
  constexpr int64_t nansOfASign = 0x7FFFFF;
  return nansAreAbove ? -nansOfASign : nansOfASign;
}

Value cpu::orderOf(LoopBuilder &b, Value numbers) {
  mlir::Type integers = elementwise::shapedLike(b.getI32Type(), numbers.getType());
  return mirrored(b, arith::BitcastOp::create(b, integers, numbers));
}

Value cpu::numbersOf(LoopBuilder &b, Value order) {
  return arith::BitcastOp::create(b, elementwise::shapedLike(b.getF32Type(), order.getType()),
                                  mirrored(b, order));
}

Value Ranks::ofFloat(LoopBuilder &b, Value x) const {
  Value order = orderOf(b, x);
  return arith::AddIOp::create(b, order, b.constantBits(order.getType(), uint32_t(nanOffset())));
}

Value Ranks::toFloat(LoopBuilder &b, Value rank) const {
  Value offset = b.constantBits(rank.getType(), uint32_t(nanOffset()));
  return numbersOf(b, arith::SubIOp::create(b, rank, offset));
}

Value Ranks::kept(LoopBuilder &b, Value x, Value y) const {
  if (keepsLarger)
    return arith::MaxSIOp::create(b, x, y);
  return arith::MinSIOp::create(b, x, y);
}
