// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scratch.h.

#include "tilewright/cpu/plan/Scratch.h"
#include "tilewright/cpu/plan/Folds.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"

#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using mlir::Value;

Scratch cpu::treeScratch(tile::ReduceOp op, const Fold &fold) {
  Scratch scratch;
  if (fold.form != FoldForm::ByTree)
    return scratch;
  for (Value operand : op.getOperands()) {
    tile::TileType type = tileTypeOf(operand);
    scratch.add(llvm::alignTo(type.getShape()[op.getDim()] / 2 * fold.width *
                                  wordBytes(type.getElementType()),
                              arenaAlignment));
  }
  return scratch;
}

Scratch cpu::printScratch(tile::PrintOp op) {
  Scratch scratch;
  if (op.getArgs().empty())
    return scratch;
  scratch.add(8 * op.getArgs().size());
  for (Value argument : op.getArgs())
    scratch.add(8 * llvm::cast<tile::TileType>(argument.getType()).getNumElements());
  return scratch;
}

Scratch cpu::continueScratch(tile::ContinueOp op) {
  Scratch scratch;
  auto loop = llvm::cast<mlir::LoopLikeOpInterface>(tile::enclosingNonIf(op));
  for (auto [carried, operand] : llvm::zip(loop.getRegionIterArgs(), op->getOperands()))
    if (tileTypeOf(operand) && llvm::isa<mlir::BlockArgument>(operand) &&
        operand.getParentBlock() == carried.getOwner() && operand != carried)
      scratch.add(llvm::alignTo(bufferBytes(tileTypeOf(operand)), arenaAlignment));
  return scratch;
}

Scratch cpu::allocaScratch(tile::AllocaOp op) {
  auto pointer = llvm::cast<tile::PointerType>(op.getType().getElementType());
  uint64_t elementBits = numerics::info(*tile::formatOf(pointer.getPointeeType())).storageBits;
  uint64_t bits = llvm::SaturatingMultiply<uint64_t>(op.getNumElem(), elementBits);
  Scratch scratch;
  scratch.add(std::max<int64_t>(llvm::divideCeil(bits, 8), 1) +
              std::max<int64_t>(op.getAlignment() - arenaAlignment, 0));
  return scratch;
}
