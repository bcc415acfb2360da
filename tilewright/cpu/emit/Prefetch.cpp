// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do kernels tell the caches? What the next turn of a loop, or the next tile block, reads is
// asked for while this one computes; what is stored to tensors much larger than the caches goes
// around them.

#include "tilewright/analysis/Induction.h"
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

/// The change of an index from this iteration to the next, or from this tile block, as an i64.
Value KernelEmitter::emitStep(const analysis::InductionStep &step) {
  using Kind = analysis::InductionStep::Kind;
  switch (step.kind) {
  case Kind::Zero:
    return b.i64(0);
  case Kind::One:
    return b.i64(1);
  case Kind::Value:
    return b.zeroExtended(scalar(step.value));
  case Kind::Sum: {
    Value first = emitStep(step.operands[0]);
    return b.add(first, emitStep(step.operands[1]));
  }
  case Kind::Product: {
    Value changing = emitStep(step.operands[0]);
    return b.mul(changing, b.zeroExtended(scalar(step.value)));
  }
  }
  llvm_unreachable("kinds are listed above");
}

/// How many bytes after what it reads the load will read in the next turn of the loop around, or
/// in the next tile block; null if that is not known, or the same.
Value KernelEmitter::bytesToNextTurn(tile::LoadViewOp load, const Window &window) {
  mlir::Operation *around = tile::enclosingNonIf(load);
  auto loop = llvm::dyn_cast<tile::ForOp>(around);
  if (!loop && !llvm::isa<tile::EntryOp>(around))
    return {};
  Value offset;
  for (auto [dim, axis] : llvm::enumerate(window.axes)) {
    if (axis.isSparse())
      return {};
    Value index = load.getIndex()[dim];
    auto step = loop ? analysis::stepPerIteration(index, loop) : analysis::stepPerBlock(index);
    if (!step)
      return {};
    if (step->isZero())
      continue;
    Value change =
        b.mul(b.mul(emitStep(*step), b.i64(tile::ruleOf(load.getView().getType(), dim).step)),
              axis.stride);
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
