// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loads can come before the loop of a matrix product that they follow? A bias and scales,
// which the product's epilogue reads, lie between the loop and the store. Before the loop, they let
// a product apply the epilogue to sums that are still in registers. What no token orders has no
// order (memory model, 4), so only operands are in the way.

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

/// What a tile may cost, in additions per element, that is computed from what is loaded: no more
/// than compilers would rather compute again than keep while the loop runs.
static constexpr unsigned mostCost = 4;

/// What may be done earlier than the text says: nothing but other operations' results is in the
/// way.
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

/// Adds the operations that make the value and come after the loop, in their order. Fails if one of
/// them must stay there.
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

/// Moves what the epilogue reads beside the sums before the loop, all of it or nothing: if it loads
/// something, but no more than a part of what is stored, which stays in the first cache while the
/// loop runs.
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
