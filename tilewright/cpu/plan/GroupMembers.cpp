// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations can be steps of a group, and what do they go over? Loads and stores whose rows
// are vectors of neighbours, reductions and scans along rows whose order does not matter, and what
// is computed element by element into a buffer.

#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/analysis/Combiners.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/cpu/plan/Transposes.h"
#include "tilewright/tile/ViewGeometry.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::ArrayRef;
using mlir::Operation;
using mlir::Value;

int64_t cpu::lastWideDimension(ArrayRef<int64_t> shape) {
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim)
    if (shape[dim] > 1)
      return dim;
  return -1;
}

//===-- Aggregates ----------------------------------------------------------------------------===//

bool cpu::isScannedByLanes(tile::ScanOp op) {
  mlir::Block &body = op.getBody().front();
  tile::TileType type = tileTypeOf(op.getOperands()[0]);
  // Floats are rounded in their order. For Zen 4, LLVM 22's legalisation never ends over the
  // shuffles of 64 bytes that a scan would be made of.
  bool isWide = llvm::any_of(llvm::ArrayRef({16, 32, 64}),
                             [&](unsigned bits) { return type.getElementType().isInteger(bits); });
  return op.getNumOperands() == 1 && isWide && analysis::isElementwiseBody(body) &&
         analysis::isOrderFree(body) && lastWideDimension(type.getShape()) == int64_t(op.getDim());
}

//===-- Memory --------------------------------------------------------------------------------===//

/// A load or store that is done by vectors of neighbours.
template <typename Access> static bool isPlain(Access op, Value tile) {
  tile::TileView view = op.getView().getType();
  int64_t row = tileTypeOf(tile) ? lastWideDimension(tileTypeOf(tile).getShape()) : -1;
  return row >= 0 && op.getMemoryOrderingSemantics() == tile::MemoryOrderingSemantics::Weak &&
         !llvm::isa<mlir::Float4E2M1FNType>(view.getTensorView().getElementType()) &&
         tile::mayBeContiguous(view, row);
}

/// The same through pointers, whose rows follow each other or are scattered; what follows along
/// another dimension is better done along that one.
template <typename Access> static bool goesAlongRows(Access op, Value pointers) {
  tile::TileType type = tileTypeOf(pointers);
  if (!type || op.getMemoryOrderingSemantics() != tile::MemoryOrderingSemantics::Weak)
    return false;
  mlir::Type pointee = llvm::cast<tile::PointerType>(type.getElementType()).getPointeeType();
  int64_t row = lastWideDimension(type.getShape());
  int64_t neighbours = analysis::contiguousDimension(pointers);
  return row >= 0 && !llvm::isa<mlir::Float4E2M1FNType>(pointee) &&
         (neighbours == row || neighbours < 0);
}

/// Those of which all coordinates are known: products and others that go their own ways need them.
template <typename Access> static bool isPlainAndDense(Access op, Value tile) {
  return isPlain(op, tile) && !llvm::isa<tile::GatherScatterViewType>(op.getView().getType());
}

bool cpu::isPlainAccess(tile::LoadViewOp load) { return isPlainAndDense(load, load.getTile()); }
bool cpu::isPlainAccess(tile::StoreViewOp store) { return isPlainAndDense(store, store.getTile()); }

//===-- Steps ---------------------------------------------------------------------------------===//

tile::TileType cpu::domainOf(Operation *op, llvm::function_ref<bool(Value)> hasBuffer) {
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op))
    return isPlain(load, load.getTile()) && hasBuffer(load.getTile()) ? tileTypeOf(load.getTile())
                                                                      : tile::TileType();
  if (auto store = llvm::dyn_cast<tile::StoreViewOp>(op))
    return isPlain(store, store.getTile()) ? tileTypeOf(store.getTile()) : tile::TileType();
  if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(op))
    return goesAlongRows(load, load.getSource()) ? tileTypeOf(load.getSource()) : tile::TileType();
  if (auto store = llvm::dyn_cast<tile::StorePtrOp>(op))
    return goesAlongRows(store, store.getDestination()) ? tileTypeOf(store.getDestination())
                                                        : tile::TileType();
  if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(op)) {
    tile::TileType type = tileTypeOf(reduce.getOperands()[0]);
    bool isAlongRow = lastWideDimension(type.getShape()) == int64_t(reduce.getDim());
    mlir::Block &body = reduce.getBody().front();
    return isAlongRow && analysis::isElementwiseBody(body) && analysis::isOrderFree(body)
               ? type
               : tile::TileType();
  }
  if (auto scan = llvm::dyn_cast<tile::ScanOp>(op))
    return isScannedByLanes(scan) ? tileTypeOf(scan.getOperands()[0]) : tile::TileType();
  if (op->getNumResults() == 1 && canFuse(op) && hasBuffer(op->getResult(0)) && !turnOf(op))
    return tileTypeOf(op->getResult(0));
  return {};
}
