// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do kernels tell the caches? What the next turn of a loop, or the next tile block, reads is
// asked for while this one computes; what is stored to tensors much larger than the caches goes
// around them.

#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/ViewGeometry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- What comes next -----------------------------------------------------------------------===//

/// By how much an index grows from a turn of the loop to the next, as an i64 (null: it stays);
/// fails if that is not known before the turn. Without a loop, from a tile block to the next.
bool KernelEmitter::changeInTurn(Value index, tile::ForOp loop, Value &change) {
  change = {};
  if (loop && index == loop.getRegion().front().getArgument(0)) {
    change = b.zeroExtended(scalar(loop.getStep()));
    return true;
  }
  mlir::Operation *op = index.getDefiningOp();
  if (auto id = llvm::dyn_cast_or_null<tile::GetTileBlockIdOp>(op); id && !loop) {
    if (index == id->getResult(0)) // blocks follow each other along x
      change = b.i64(1);
    return true;
  }
  bool isOutside = loop && !loop.getRegion().isAncestor(index.getParentRegion());
  if (isOutside || llvm::isa_and_present<tile::ConstantOp>(op))
    return true;
  if (!op) // an argument of the entry, or of a loop
    return !loop && llvm::isa<tile::EntryOp>(index.getParentBlock()->getParentOp());
  if (llvm::isa<tile::ExtIOp, tile::TruncIOp, tile::AssumeOp>(op))
    return changeInTurn(op->getOperand(0), loop, change);
  if (!llvm::isa<tile::AddIOp, tile::MulIOp>(op))
    return false;
  Value lhs, rhs;
  if (!changeInTurn(op->getOperand(0), loop, lhs) || !changeInTurn(op->getOperand(1), loop, rhs))
    return false;
  if (llvm::isa<tile::AddIOp>(op)) {
    change = lhs && rhs ? b.add(lhs, rhs) : lhs ? lhs : rhs;
    return true;
  }
  if (lhs || rhs)
    change = b.mul(lhs ? lhs : rhs, b.zeroExtended(scalar(op->getOperand(lhs ? 1 : 0))));
  return !(lhs && rhs);
}

/// How many bytes after what it reads the load will read in the next turn of the loop around, or
/// in the next tile block; null if that is not known, or the same.
Value KernelEmitter::bytesToNextTurn(tile::LoadViewOp load, const Window &window) {
  mlir::Operation *around = tile::enclosingNonIf(load);
  if (!llvm::isa<tile::ForOp, tile::EntryOp>(around))
    return {};
  Value offset;
  for (auto [dim, axis] : llvm::enumerate(window.axes)) {
    Value change;
    if (axis.isSparse() ||
        !changeInTurn(load.getIndex()[dim], llvm::dyn_cast<tile::ForOp>(around), change))
      return {};
    if (!change)
      continue;
    change =
        b.mul(b.mul(change, b.i64(tile::ruleOf(load.getView().getType(), dim).step)), axis.stride);
    offset = offset ? b.add(offset, change) : change;
  }
  return offset ? b.mul(offset, b.i64(wordBytes(window.elementType))) : Value();
}

/// The address of its first element.
Value KernelEmitter::originOf(const Window &window) {
  Value offset = b.i64(0);
  for (const Axis &axis : window.axes)
    offset = b.add(offset, b.mul(axis.first, axis.stride));
  return b.add(window.base, b.mul(offset, b.i64(wordBytes(window.elementType))));
}

/// Into the second cache what is read in the next turn, into the first what is written in this one.
void KernelEmitter::prefetchLine(Value address, bool toWrite) {
  LLVM::Prefetch::create(b, b.asPointers(address), /*rw=*/toWrite,
                         /*hint=*/toWrite ? 3 : 2, /*cache=*/1);
}

//===-- Around the caches ---------------------------------------------------------------------===//

/// Whether the tensor is so large that what is stored there is not in a cache when somebody reads
/// it, and rows of the tile are made of whole cache lines: then they need not be read before they
/// are written. As an i1.
Value KernelEmitter::goesAroundCaches(const Window &window) {
  int64_t bytes = wordBytes(window.elementType), rowDim = lastWideDimension(window.shape);
  Value size = b.i64(bytes), places = originOf(window);
  for (auto [dim, axis] : llvm::enumerate(window.axes)) {
    size = b.mul(size, axis.extent);
    if (int64_t(dim) != rowDim)
      places = arith::OrIOp::create(b, places, b.mul(axis.stride, b.i64(bytes)));
  }
  Value isLarge =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, size, b.i64(target.lastCacheBytes / 2));
  Value rest = arith::AndIOp::create(b, places, b.i64(63));
  Value isAligned = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, b.i64(0));
  return arith::AndIOp::create(b, isLarge, isAligned);
}
