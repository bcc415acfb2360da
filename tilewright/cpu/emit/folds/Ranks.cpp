// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Ranks.h.

#include "tilewright/cpu/emit/folds/Ranks.h"
#include "tilewright/analysis/Combiners.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Value;
namespace arith = mlir::arith;

/// Whether ranks are floats without signaling NaNs, and not integers.
static bool areQuietFloats(const Target &target) { return target.hasAvx512Floats; }

std::optional<Ranks> Ranks::of(tile::ReduceOp op, const Target &target) {
  mlir::Operation *combiner = analysis::onlyCombiner(op.getBody().front());
  constexpr int64_t bytesOfAvx2 = 32; // SSE2 has no integer maximum
  mlir::Type element = llvm::cast<tile::TileType>(op.getOperands()[0].getType()).getElementType();
  auto ranksOf = [&](auto extreme, bool keepsLarger) -> std::optional<Ranks> {
    bool gains = areQuietFloats(target)
                     ? (element.isF32() || element.isF64()) && !extreme.getPropagateNan()
                     : element.isF32() && target.vectorBytes == bytesOfAvx2;
    if (extreme.getFlushToZero() || !gains)
      return std::nullopt;
    return Ranks(target, element, keepsLarger, extreme.getPropagateNan());
  };
  if (auto larger = llvm::dyn_cast_if_present<tile::MaxFOp>(combiner))
    return ranksOf(larger, true);
  if (auto smaller = llvm::dyn_cast_if_present<tile::MinFOp>(combiner))
    return ranksOf(smaller, false);
  return std::nullopt;
}

/// Converts between the float's bits and an integer of the same order; the mapping is its own
/// inverse.
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
  if (areQuietFloats(target))
    return elementwise::quieted(b, b.getLoc(), target, x);
  Value order = orderOf(b, x);
  return arith::AddIOp::create(b, order, b.constantBits(order.getType(), uint32_t(nanOffset())));
}

Value Ranks::lowest(LoopBuilder &b, int64_t width) const {
  if (areQuietFloats(target)) {
    uint64_t nan = numerics::info(*tile::formatOf(element)).canonicalNan;
    return b.splat(b.constantElement(element, nan), width);
  }
  constexpr uint32_t least = 0x80000000;
  return b.splat(b.constantBits(b.getI32Type(), keepsLarger ? least : ~least), width);
}

Value Ranks::toFloat(LoopBuilder &b, Value rank) const {
  if (areQuietFloats(target))
    return rank;
  Value offset = b.constantBits(rank.getType(), uint32_t(nanOffset()));
  return numbersOf(b, arith::SubIOp::create(b, rank, offset));
}

Value Ranks::kept(LoopBuilder &b, Value x, Value y) const {
  if (areQuietFloats(target))
    return elementwise::extremeOfQuiet(b, b.getLoc(), target, keepsLarger, x, y);
  if (keepsLarger)
    return arith::MaxSIOp::create(b, x, y);
  return arith::MinSIOp::create(b, x, y);
}
