// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TileValues.h.

#include "tilewright/nvidia/plan/TileValues.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/elementwise/Literals.h"
#include "tilewright/tile/Effects.h"

using namespace tilewright;
using mlir::Operation;
using mlir::Value;

int64_t nvidia::elementCountOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getNumElements();
}

int64_t nvidia::registersOf(Value value) {
  auto type = llvm::cast<tile::TileType>(value.getType());
  return llvm::divideCeil(elementwise::wordBytes(type.getElementType()), 4);
}

bool nvidia::isRecomputed(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op || !tileTypeOf(tile))
    return false;
  if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
    return constant.getValue().isSplat();
  if (auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op))
    return isScalar(moved.getMoved()) ||
           (elementCountOf(moved.getMoved()) == 1 && isRecomputed(moved.getMoved()));
  return llvm::isa<tile::IotaOp>(op);
}

bool nvidia::isZero(Value tile) {
  auto constant = tile.getDefiningOp<tile::ConstantOp>();
  return constant && isRecomputed(tile) && elementwise::registerBits(constant, 0) == 0;
}

bool nvidia::isByElements(Operation *op) {
  return llvm::isa<tile::ElementwiseOpInterface>(op) && tileTypeOf(op->getResult(0));
}

bool nvidia::isNothing(Operation *op) {
  return llvm::isa<tile::MakeTokenOp, tile::JoinTokensOp>(op) ||
         (op->getNumResults() == 1 && isRecomputed(op->getResult(0)));
}

bool nvidia::isOfScalars(Operation *op) {
  return op->getNumRegions() == 0 && tile::onlyComputes(op) &&
         !op->hasTrait<mlir::OpTrait::IsTerminator>() &&
         llvm::none_of(op->getOperands(), tileTypeOf) &&
         llvm::none_of(op->getResults(), tileTypeOf);
}
