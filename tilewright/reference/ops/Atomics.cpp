// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes atomic operations. Each enabled element is a separate transaction that reads the old
// value and writes a new one, so that elements with the same address see each other's results
// (operations, 9). They are processed in row-major order, or in a random order under the random
// schedule.

#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/Integer.h"
#include "tilewright/reference/machine/Step.h"
#include "tilewright/reference/memory/Access.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/tile/Arithmetic.h"

using namespace tilewright;
using namespace tilewright::reference;
using numerics::Signedness;
using tile::AtomicRMWMode;

static Element combineBits(AtomicRMWMode mode, Element old, Element operand) {
  const bool isFloat = numerics::info(old.format).isFloat();
  switch (mode) {
  case AtomicRMWMode::And:
    return numerics::andI(old, operand);
  case AtomicRMWMode::Or:
    return numerics::orI(old, operand);
  case AtomicRMWMode::Xor:
    return numerics::xorI(old, operand);
  case AtomicRMWMode::Add:
    return numerics::addI(old, operand);
  case AtomicRMWMode::AddF:
    return numerics::addF(old, operand);
  case AtomicRMWMode::Max:
    return isFloat ? numerics::maxF(old, operand)
                   : numerics::maxI(old, operand, Signedness::Signed);
  case AtomicRMWMode::Min:
    return isFloat ? numerics::minF(old, operand)
                   : numerics::minI(old, operand, Signedness::Signed);
  case AtomicRMWMode::UMax:
    return numerics::maxI(old, operand, Signedness::Unsigned);
  case AtomicRMWMode::UMin:
    return numerics::minI(old, operand, Signedness::Unsigned);
  case AtomicRMWMode::Xchg:
    return operand;
  }
  llvm_unreachable("modes are listed above");
}

MarkedElement reference::combine(AtomicRMWMode mode, MarkedElement old, MarkedElement operand) {
  return {combineBits(mode, old.bits, operand.bits),
          mode == AtomicRMWMode::Xchg ? operand.mark : std::max(old.mark, operand.mark)};
}

static LogicalResult execute(TileBlock &block, tile::AtomicRMWOp op) {
  MemoryOperation update{op, Effect::Update, semanticsOf(op), block.token(op.getToken())};
  update.operand = block.tile(op.getArg());
  update.mode = op.getMode();
  // The result of a disabled element is unspecified.
  Tile result(update.operand->format(), update.operand->shape());
  auto disable = [&](int64_t i) { block.setUnspecified(result, i); };
  if (llvm::failed(
          findSegments(block, op, op.getPointers(), op.getMask(), update.segments, disable)))
    return llvm::failure();
  update.result = std::move(result);
  return issue(block, std::move(update), op.getResult(), op.getResultToken());
}

static LogicalResult execute(TileBlock &block, tile::AtomicCASOp op) {
  MemoryOperation swap{op, Effect::CompareSwap, semanticsOf(op), block.token(op.getToken())};
  swap.operand = block.tile(op.getVal());
  swap.expected = block.tile(op.getCmp());
  // The result of a disabled element is its `cmp` (operations, 9.2).
  Tile result(swap.expected->format(), swap.expected->shape());
  auto disable = [&](int64_t i) { result.copyFrom(*swap.expected, i, i, 1); };
  if (llvm::failed(findSegments(block, op, op.getPointers(), op.getMask(), swap.segments, disable)))
    return llvm::failure();
  swap.result = std::move(result);
  return issue(block, std::move(swap), op.getResult(), op.getResultToken());
}

template <typename Op>
static LogicalResult reduceThroughView(TileBlock &block, Op op, AtomicRMWMode mode) {
  MemoryOperation update{op, Effect::Update, semanticsOf(op), block.token(op.getToken())};
  update.operand = block.tile(op.getStored());
  update.mode = mode;
  auto view = llvm::cast<mlir::TypedValue<tile::TileView>>(op.getAddressed());
  if (llvm::failed(findSegments(block, op, view, op.getIndex(), op.getInbounds(), update.segments,
                                [](int64_t, int64_t) {})))
    return llvm::failure();
  return issue(block, std::move(update), nullptr, op.getResultToken());
}

static LogicalResult execute(TileBlock &block, tile::AtomicRedViewOp op) {
  return reduceThroughView(block, op, op.getMode());
}

static LogicalResult execute(TileBlock &block, tile::MultimemReduceViewOp op) {
  mlir::Type element = op.getTile().getType().getElementType();
  return reduceThroughView(block, op, tile::atomicModeOf(op.getReduction(), element));
}

Execute reference::atomicsExecutor(mlir::Operation *op) {
  return firstOf<tile::AtomicRMWOp, tile::AtomicCASOp, tile::AtomicRedViewOp,
                 tile::MultimemReduceViewOp>(
      op, [](TileBlock &block, auto op) { return execute(block, op); });
}
