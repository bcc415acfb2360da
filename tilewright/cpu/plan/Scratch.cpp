// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scratch.h.

#include "tilewright/cpu/plan/Scratch.h"
#include "tilewright/analysis/Combiners.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/elementwise/Elements.h"

#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using mlir::Value;

int64_t cpu::treeWidth(tile::ReduceOp op) {
  auto shape = tileTypeOf(op.getOperands()[0]).getShape();
  int64_t dim = lastWideDimension(shape);
  bool oneByOne = dim <= int64_t(op.getDim()) || !analysis::isElementwiseBody(op.getBody().front());
  return oneByOne ? 1 : std::min<int64_t>(shape[dim], 16);
}

int64_t cpu::treeScratchBytes(tile::ReduceOp op) {
  if (analysis::isOrderFree(op.getBody().front()))
    return 0;
  int64_t bytes = 0;
  for (Value operand : op.getOperands()) {
    tile::TileType type = tileTypeOf(operand);
    bytes += llvm::alignTo(type.getShape()[op.getDim()] / 2 * treeWidth(op) *
                               wordBytes(type.getElementType()),
                           arenaAlignment);
  }
  return bytes;
}

int64_t cpu::printScratchBytes(tile::PrintOp op) {
  int64_t bytes = 8 * op.getArgs().size();
  for (Value argument : op.getArgs())
    bytes += 8 * llvm::cast<tile::TileType>(argument.getType()).getNumElements();
  return bytes;
}

int64_t cpu::allocaBytes(tile::AllocaOp op) {
  auto pointer = llvm::cast<tile::PointerType>(op.getType().getElementType());
  uint64_t elementBits = numerics::info(*tile::formatOf(pointer.getPointeeType())).storageBits;
  uint64_t bits = llvm::SaturatingMultiply<uint64_t>(op.getNumElem(), elementBits);
  return std::max<int64_t>(llvm::divideCeil(bits, 8), 1) +
         std::max<int64_t>(op.getAlignment() - arenaAlignment, 0);
}
