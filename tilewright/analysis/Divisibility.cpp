// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Divisibility.h. Integers wrap around modulo a power of two, which keeps these divisors.

#include "tilewright/analysis/Divisibility.h"
#include "tilewright/numerics/Format.h"
#include "tilewright/tile/Ops.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using mlir::Value;

static constexpr uint64_t mostDivisor = uint64_t(1) << 30;
/// Expressions are shared, so that a search might visit one in exponentially many ways.
static constexpr unsigned deepest = 16;

static uint64_t powerIn(uint64_t value) {
  return value == 0 ? mostDivisor : std::min(mostDivisor, value & -value);
}

static uint64_t divisorOf(Value scalar, unsigned depth);

static uint64_t ofConstant(tile::ConstantOp op) {
  auto values = llvm::dyn_cast<mlir::DenseIntElementsAttr>(op.getValue());
  return values && values.isSplat() ? powerIn(values.getSplatValue<llvm::APInt>().getZExtValue())
                                    : 1;
}

static uint64_t ofAssume(tile::AssumeOp op, unsigned depth) {
  uint64_t known = divisorOf(op.getValue(), depth);
  auto divBy = llvm::dyn_cast<tile::DivByAttr>(op.getPredicate());
  return divBy ? std::max(known, powerIn(divBy.getDivisor())) : known;
}

static uint64_t ofOffset(tile::OffsetOp op, unsigned depth) {
  auto pointer = llvm::cast<tile::PointerType>(op.getType().getElementType());
  uint64_t bits = numerics::info(*tile::formatOf(pointer.getPointeeType())).storageBits;
  uint64_t moved = bits % 8 ? 1 : powerIn(bits / 8) * divisorOf(op.getOffset(), depth);
  return std::min(divisorOf(op.getPtr(), depth), powerIn(moved));
}

static uint64_t divisorOf(Value scalar, unsigned depth) {
  mlir::Operation *op = scalar.getDefiningOp();
  if (!op || depth == 0)
    return 1;
  auto of = [&](unsigned operand) { return divisorOf(op->getOperand(operand), depth - 1); };
  return llvm::TypeSwitch<mlir::Operation *, uint64_t>(op)
      .Case([](tile::ConstantOp op) { return ofConstant(op); })
      .Case([&](tile::AssumeOp op) { return ofAssume(op, depth - 1); })
      .Case([&](tile::OffsetOp op) { return ofOffset(op, depth - 1); })
      .Case<tile::AddIOp, tile::SubIOp>([&](auto) { return std::min(of(0), of(1)); })
      .Case([&](tile::MulIOp) { return powerIn(of(0) * of(1)); })
      .Case<tile::ExtIOp, tile::TruncIOp>([&](auto) { return of(0); })
      .Default([](auto) { return uint64_t(1); });
}

uint64_t analysis::divisorOf(Value scalar) { return ::divisorOf(scalar, deepest); }
