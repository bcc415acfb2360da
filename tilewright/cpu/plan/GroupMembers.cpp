// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations can be members of a fusion group, and their domains: loads and stores with
// contiguous rows, reductions and scans along rows whose order is free, and elementwise operations
// with buffers.

#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/analysis/Combiners.h"
#include "tilewright/analysis/Selections.h"
#include "tilewright/codegen/workarounds/Workarounds.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/cpu/plan/Transposes.h"
#include "tilewright/tile/types/ViewGeometry.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

//===-- Aggregates ----------------------------------------------------------------------------===//

bool cpu::isScannedByLanes(tile::ScanOp op) {
  mlir::Block &body = op.getBody().front();
  tile::TileType type = tileTypeOf(op.getOperands()[0]);
  mlir::Type element = type.getElementType();
  bool isShuffled = element.isF32() || element.isF64() ||
                    (element.isInteger() && !codegen::workarounds::selectionLoopsOnShuffles(
                                                element.getIntOrFloatBitWidth()));
  return op.getNumOperands() == 1 && isShuffled && analysis::isElementwiseBody(body) &&
         analysis::isOrderFree(body) && lastWideDimension(type.getShape()) == int64_t(op.getDim());
}

//===-- Memory --------------------------------------------------------------------------------===//

/// Multicast memory is accessed outside of groups.
static bool isMultimem(Operation *op) {
  return llvm::isa<tile::MultimemLoadReduceViewOp, tile::MultimemStoreViewOp>(op);
}

/// The domain of an access with contiguous vectors. Pointer accesses qualify if their rows are
/// contiguous or scattered; those that are contiguous along another dimension are faster along that
/// one.
static SmallVector<int64_t> shapeOfRows(Operation *op) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  if (!access || access.isAtomic() || !access.isWeak() || isMultimem(op))
    return {};
  SmallVector<int64_t> shape;
  mlir::Type element;
  bool hasRows = false;
  if (auto view = llvm::dyn_cast<tile::TileView>(access.getAddressed().getType())) {
    shape.assign(view.getTileShape().begin(), view.getTileShape().end());
    int64_t row = lastWideDimension(shape);
    element = view.getTensorView().getElementType();
    hasRows = row >= 0 && tile::mayBeContiguous(view, row);
  } else if (tile::TileType pointers = tileTypeOf(access.getAddressed())) {
    shape.assign(pointers.getShape().begin(), pointers.getShape().end());
    element = llvm::cast<tile::PointerType>(pointers.getElementType()).getPointeeType();
    int64_t along = analysis::contiguousDimension(access.getAddressed());
    int64_t row = lastWideDimension(shape);
    hasRows = row >= 0 && (along == row || along < 0);
  }
  if (!hasRows || llvm::isa<mlir::Float4E2M1FNType>(element)) // two such elements share a byte
    return {};
  return shape;
}

bool cpu::hasContiguousRows(Operation *op) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  return access && access.isThroughView() && !shapeOfRows(op).empty() &&
         !llvm::isa<tile::GatherScatterViewType>(access.getAddressed().getType());
}

//===-- Members -------------------------------------------------------------------------------===//

SmallVector<int64_t> cpu::domainOf(Operation *op, llvm::function_ref<bool(Value)> hasBuffer) {
  auto shapeIf = [](bool isMember, Value tile) {
    return isMember ? SmallVector<int64_t>(tileTypeOf(tile).getShape()) : SmallVector<int64_t>();
  };
  if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op)) {
    Value loaded = access.getLoaded();
    return !loaded || hasBuffer(loaded) ? shapeOfRows(op) : SmallVector<int64_t>();
  }
  if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(op)) {
    Value first = reduce.getOperands()[0];
    bool isAlongRow = lastWideDimension(tileTypeOf(first).getShape()) == int64_t(reduce.getDim());
    mlir::Block &body = reduce.getBody().front();
    bool isOrderFree = analysis::isOrderFree(body) || analysis::isOrderFreeSelection(reduce);
    return shapeIf(isAlongRow && analysis::isElementwiseBody(body) && isOrderFree, first);
  }
  if (auto scan = llvm::dyn_cast<tile::ScanOp>(op))
    return shapeIf(isScannedByLanes(scan), scan.getOperands()[0]);
  if (op->getNumResults() != 1 || !tileTypeOf(op->getResult(0)))
    return {};
  return shapeIf(canFuse(op) && hasBuffer(op->getResult(0)) && !isTranspose(op), op->getResult(0));
}
