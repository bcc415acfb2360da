// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hoists the loads of a matrix product's epilogue (a bias, scales) above the product's loop.
// Otherwise they lie between the loop and the store. Hoisted, they let the compiler apply the
// epilogue while the accumulators are still in registers. Loads without token dependences are
// unordered (memory model, 4), so only operands can prevent the move.

#include "tilewright/analysis/Matmuls.h"
#include "tilewright/lower/Passes.h"
#include "tilewright/tile/Effects.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Analysis/TopologicalSortUtils.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_HOISTEPILOGUELOADS
#include "tilewright/lower/Passes.h.inc"
} // namespace tilewright::lower

using namespace tilewright;
using llvm::SetVector;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

static int64_t elementsOf(Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return type ? type.getNumElements() : 0;
}

/// The highest cost, in additions per element, of computing on the loaded tiles. Up to it,
/// compilers rematerialize such tiles instead of keeping them live during the loop.
static constexpr unsigned mostCost = 4;

/// Whether the operation may be moved up, as far as its operands allow.
static bool mayMove(Operation *op) {
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op))
    return load.getMemoryOrderingSemantics() == tile::MemoryOrderingSemantics::Weak;
  bool makesTile =
      llvm::any_of(op->getResults(), [](Value value) { return elementsOf(value) > 1; });
  return op->getNumRegions() == 0 && tile::onlyComputes(op) &&
         (!makesTile || op->hasTrait<mlir::OpTrait::ConstantLike>() ||
          llvm::isa<tile::ElementwiseOpInterface, tile::RearrangementOpInterface, tile::IotaOp,
                    tile::AssumeOp>(op));
}

/// Adds the operations behind the loop that `value` depends on, in order. Fails if one of them must
/// not move.
static bool addMakersAfter(tile::ForOp loop, Value value, SetVector<Operation *> &makers) {
  bool mayAll = true;
  mlir::BackwardSliceOptions options;
  options.filter = [&](Operation *op) {
    if (op->getBlock() != loop->getBlock() || op->isBeforeInBlock(loop))
      return false;
    mayAll &= mayMove(op);
    return mayAll;
  };
  options.inclusive = true;
  return llvm::succeeded(mlir::getBackwardSlice(value, &makers, options)) && mayAll;
}

/// Moves all that the epilogue reads besides the accumulators in front of the loop, or nothing.
/// There must be a load, and all loads together at most a quarter as large as the accumulators, so
/// that the tiles stay in the L1 cache while the loop runs.
static void hoist(tile::ForOp loop, Value sums, const analysis::Epilogue &epilogue) {
  SetVector<Operation *> makers;
  Value before = sums;
  for (Operation *op : epilogue.operations) {
    for (Value operand : op->getOperands())
      if (operand != before && !addMakersAfter(loop, operand, makers))
        return;
    before = op->getResult(0);
  }
  int64_t loaded = 0;
  unsigned cost = 0;
  for (Operation *op : makers) {
    if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op))
      loaded += elementsOf(load.getTile());
    if (auto elementwise = llvm::dyn_cast<tile::ElementwiseOpInterface>(op);
        elementwise && elementsOf(op->getResult(0)) > 1)
      cost += elementwise.getCost();
  }
  if (loaded == 0 || 4 * loaded > elementsOf(sums) || cost > mostCost)
    return;
  for (Operation *op : mlir::topologicalSort(makers))
    op->moveBefore(loop);
}

namespace {
struct HoistEpilogueLoadsPass
    : tilewright::lower::impl::HoistEpilogueLoadsBase<HoistEpilogueLoadsPass> {
  void runOnOperation() override {
    SmallVector<Value> products;
    getOperation()->walk([&](tile::MatmulOpInterface product) {
      mlir::BlockArgument carried = analysis::carriedAccumulator(product);
      if (auto loop = carried ? llvm::dyn_cast<tile::ForOp>(carried.getOwner()->getParentOp())
                              : tile::ForOp())
        products.push_back(loop->getResult(carried.getArgNumber() - 1));
    });
    for (Value sums : products)
      if (std::optional<analysis::Epilogue> epilogue = analysis::epilogueOf(sums))
        hoist(llvm::cast<tile::ForOp>(sums.getDefiningOp()), sums, *epilogue);
  }
};
} // namespace
