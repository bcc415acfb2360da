// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Multimem.h.

#include "tilewright/cpu/emit/Multimem.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/tile/Arithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::SmallVector;
using mlir::Value;
using tile::MultimemReductionKind;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- The arrays ----------------------------------------------------------------------------===//

Multimem::Copies Multimem::copiesOf(const TileRegion &region) {
  mlir::Type pointer = frame.launch.getType();
  LLVM::LLVMFuncOp ask = globals.hostFunction("tw_copies", {b.getI64Type()}, pointer);
  Value copies = LLVM::CallOp::create(b, ask, region.base).getResult();
  // A twCopies.
  return {LLVM::LoadOp::create(b, b.getI64Type(), copies),
          LLVM::LoadOp::create(b, pointer, b.byteAddress(copies, b.i64(8)))};
}

Value Multimem::distanceOf(const Copies &copies, Value number) {
  Value at = b.byteAddress(copies.distances, b.mul(number, b.i64(8)));
  return LLVM::LoadOp::create(b, b.getI64Type(), at);
}

void Multimem::forEachCopy(const TileRegion &region,
                           llvm::function_ref<void(const TileRegion &)> body) {
  Copies copies = copiesOf(region);
  b.carryUpTo(0, copies.count, {}, [&](Value number, mlir::ValueRange) {
    TileRegion copy = region;
    copy.base = b.add(region.base, distanceOf(copies, number));
    body(copy);
    return SmallVector<Value>();
  });
}

//===-- Operations ----------------------------------------------------------------------------===//

Value Multimem::combined(MultimemReductionKind kind, mlir::Type elementType, Value x, Value y) {
  bool isExtreme = kind == MultimemReductionKind::Min || kind == MultimemReductionKind::Max;
  if (isExtreme && !elementType.isInteger()) // f16 or bf16
    return elementwise::extremeOfHalves(b, b.getLoc(), target, *tile::formatOf(elementType),
                                        kind == MultimemReductionKind::Max, x, y);
  return atomics.updated(tile::atomicModeOf(kind, elementType), elementType, x, y);
}

static AddressSet moved(LoopBuilder &b, AddressSet set, Value distance, int64_t width) {
  if (set.addresses)
    set.addresses = arith::AddIOp::create(b, set.addresses, b.splat(distance, width));
  else
    set.address = b.add(set.address, distance);
  return set;
}

void Multimem::emit(tile::MultimemLoadReduceViewOp op) {
  TileRegion region = views.regionOf(op);
  LLVM::AtomicOrdering ordering = orderingOf(op.getOrdering());
  Value padding = views.paddingOf(op.getView().getType());
  Copies copies = copiesOf(region);
  Value result = op.getReducedValues(), firstDistance = distanceOf(copies, b.i64(0));
  views.forEachAddressSet(region, [&](const Position &position, const AddressSet &from) {
    Value fill = padding ? b.splat(padding, position.width) : Value();
    auto readAt = [&](Value distance) {
      return memory.read(moved(b, from, distance, position.width), region.elementType, fill,
                         position.width, ordering);
    };
    auto combine = [&](Value number, mlir::ValueRange soFar) -> SmallVector<Value> {
      return {combined(op.getReduction(), region.elementType, soFar[0],
                       readAt(distanceOf(copies, number)))};
    };
    Value first = readAt(firstDistance);
    Value value = b.carryUpTo(1, copies.count, first, combine)[0];
    // Padding is not an element of an array.
    if (from.mask)
      value = arith::SelectOp::create(b, from.mask, value, first);
    if (tileTypeOf(result))
      buffers.writeTile(result, position, value);
    else
      frame.scalars.define(result, value);
  });
}

void Multimem::emit(tile::MultimemReduceViewOp op) {
  forEachCopy(views.regionOf(op), [&](const TileRegion &copy) {
    atomics.reduceThroughView(op, copy, tile::atomicModeOf(op.getReduction(), copy.elementType));
  });
}

void Multimem::emit(tile::MultimemStoreViewOp op) {
  LLVM::AtomicOrdering ordering = orderingOf(op.getOrdering());
  forEachCopy(views.regionOf(op), [&](const TileRegion &copy) {
    views.forEachAddressSet(copy, [&](const Position &position, const AddressSet &to) {
      memory.write(to, copy.elementType, evaluator.evaluate(op.getTile(), position), ordering);
    });
  });
}
