// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CacheHints.h.

#include "tilewright/cpu/emit/CacheHints.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Prefetching ---------------------------------------------------------------------------===//

/// The change of an index from this iteration, or tile block, to the next, as an i64.
Value CacheHints::emitStep(const analysis::InductionStep &step) {
  using Kind = analysis::InductionStep::Kind;
  auto factor = [&](Value value) {
    auto constant = value.getDefiningOp<tile::ConstantOp>();
    return b.zeroExtended(constant ? b.splatOf(constant, 1) : frame.scalar(value));
  };
  switch (step.kind) {
  case Kind::Zero:
    return b.i64(0);
  case Kind::One:
    return b.i64(1);
  case Kind::Value:
    return factor(step.value);
  case Kind::Sum: {
    Value first = emitStep(step.operands[0]);
    return b.add(first, emitStep(step.operands[1]));
  }
  case Kind::Product: {
    Value changing = emitStep(step.operands[0]);
    return b.mul(changing, factor(step.value));
  }
  }
  llvm_unreachable("kinds are listed above");
}

Value CacheHints::bytesTo(const NextTile &next) {
  mlir::Type element = tileTypeOf(next.load->getResult(0)).getElementType();
  return b.mul(emitStep(next.steps.front()), b.i64(wordBytes(element)));
}

Value CacheHints::bytesTo(const NextTile &next, const TileRegion &region) {
  auto view = llvm::cast<tile::LoadViewOp>(next.load).getView().getType();
  Value offset;
  for (auto [dim, step] : llvm::enumerate(next.steps)) {
    if (step.isZero())
      continue;
    Value change =
        b.mul(b.mul(emitStep(step), b.i64(tile::ruleOf(view, dim).step)), region.axes[dim].stride);
    offset = offset ? b.add(offset, change) : change;
  }
  return b.mul(offset, b.i64(wordBytes(region.elementType)));
}

Value CacheHints::originOf(const TileRegion &region) {
  Value offset = b.i64(0);
  for (const Axis &axis : region.axes)
    offset = b.add(offset, b.mul(axis.first, axis.stride));
  return b.add(region.base, b.mul(offset, b.i64(wordBytes(region.elementType))));
}

void CacheHints::prefetchLine(Value address, bool toWrite, bool isNear) {
  LLVM::Prefetch::create(b, b.asPointers(address), /*rw=*/toWrite,
                         /*hint=*/toWrite || isNear ? 3 : 2, /*cache=*/1);
}

void CacheHints::prefetchLines(Value first, int64_t bytes, bool isNear) {
  for (int64_t line = 0; line < bytes; line += cacheLineBytes)
    prefetchLine(b.add(first, b.i64(line)), /*toWrite=*/false, isNear);
}

//===-- Non-temporal stores -------------------------------------------------------------------===//

/// Whether the tensor is so large that stored data would be evicted before it is read, and rows of
/// the tile consist of whole cache lines, which need not be read before they are written. As an i1.
Value CacheHints::isNonTemporal(const TileRegion &region) {
  int64_t bytes = wordBytes(region.elementType), rowDim = lastWideDimension(region.shape);
  Value size = b.i64(bytes), places = originOf(region);
  for (auto [dim, axis] : llvm::enumerate(region.axes)) {
    size = b.mul(size, axis.extent);
    if (int64_t(dim) != rowDim)
      places = arith::OrIOp::create(b, places, b.mul(axis.stride, b.i64(bytes)));
  }
  // The disjunction is aligned only if all its operands are.
  Value large = isLarge(size, region.access->nonTemporal);
  return arith::AndIOp::create(b, large, isAligned(places));
}

/// The extent of memory behind pointers is unknown, but tile blocks are assumed to store to
/// different addresses.
Value CacheHints::isLargeLaunch(int64_t bytesPerBlock, const NonTemporal &stores) {
  Value size = b.i64(bytesPerBlock);
  for (Value extent : frame.gridSize)
    size = b.mul(size, b.zeroExtended(extent));
  return isLarge(size, stores);
}

/// Whether `bytes` exceed what the last-level cache keeps besides the inputs.
Value CacheHints::isLarge(Value bytes, const NonTemporal &stores) {
  constexpr int64_t offsetOfThreads = 48; // the offset in twLaunch
  Value threads =
      LLVM::LoadOp::create(b, b.getI64Type(), b.byteAddress(frame.launch, b.i64(offsetOfThreads)));
  Value several = arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, threads, b.i64(1));
  Value least = arith::SelectOp::create(b, several, b.i64(stores.leastBytesOfThreads),
                                        b.i64(stores.leastBytes));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, bytes, least);
}

Value CacheHints::isAligned(Value address) {
  Value rest = arith::AndIOp::create(b, address, b.i64(cacheLineBytes - 1));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, b.i64(0));
}
