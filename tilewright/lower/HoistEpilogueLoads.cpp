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

/// What may be done earlier than the text says: nothing but other operations' results is in the
/// way.
static bool mayMove(Operation *op) {
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op))
    return load.getMemoryOrderingSemantics() == tile::MemoryOrderingSemantics::Weak;
  return op->getNumRegions() == 0 && tile::onlyComputes(op);
}

/// The operations that make the value and come after the loop, in their order; none if one of them
/// must stay there.
static std::optional<SetVector<Operation *>> makersAfter(tile::ForOp loop, Value value) {
  SetVector<Operation *> makers;
  bool mayAll = true;
  auto isAfter = [&](Operation *op) {
    if (op->getBlock() != loop->getBlock() || op->isBeforeInBlock(loop))
      return false;
    mayAll &= mayMove(op);
    return mayAll;
  };
  mlir::BackwardSliceOptions options;
  options.filter = isAfter;
  options.inclusive = true;
  if (llvm::failed(mlir::getBackwardSlice(value, &makers, options)) || !mayAll)
    return std::nullopt;
  return makers;
}

/// Moves what makes the value before the loop, if it loads something, and no more than a part of
/// what the epilogue stores: that stays in the first cache while the loop runs.
static void hoist(tile::ForOp loop, Value value, int64_t mostElements) {
  std::optional<SetVector<Operation *>> makers = makersAfter(loop, value);
  if (!makers)
    return;
  int64_t loaded = 0;
  for (Operation *op : *makers)
    if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op))
      loaded += elementsOf(load.getTile());
  if (loaded == 0 || loaded > mostElements)
    return;
  for (Operation *op : *makers)
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
    for (Value sums : products) {
      std::optional<analysis::Epilogue> epilogue = analysis::epilogueOf(sums);
      if (!epilogue)
        continue;
      Value before = sums;
      for (Operation *op : epilogue->operations) {
        for (Value operand : op->getOperands())
          if (operand != before)
            hoist(llvm::cast<tile::ForOp>(sums.getDefiningOp()), operand, elementsOf(sums) / 4);
        before = op->getResult(0);
      }
    }
  }
};
} // namespace
