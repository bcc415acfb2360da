// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which reductions can stand beside an earlier one of the same tile? One loop over the tile does
// both then. Between them there may be a store, as in
//
//     largest, index = argmax(row); store index; store max(row)
//
// A reduction has no effects, so only its operands are in the way.

#include "tilewright/lower/Passes.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_HOISTREDUCTIONS
#include "tilewright/lower/Passes.h.inc"
} // namespace tilewright::lower

using namespace tilewright;
using mlir::Operation;
using mlir::Value;

/// Whether all that it reads is there before the other operation of its block.
static bool hasOperandsBefore(tile::ReduceOp reduction, Operation *other) {
  return llvm::all_of(reduction->getOperands(), [&](Value operand) {
    Operation *maker = operand.getDefiningOp();
    return !maker || maker->getBlock() != other->getBlock() || maker->isBeforeInBlock(other);
  });
}

namespace {
struct HoistReductionsPass : tilewright::lower::impl::HoistReductionsBase<HoistReductionsPass> {
  void runOnOperation() override {
    getOperation()->walk([](mlir::Block *block) { hoistIn(*block); });
  }

private:
  /// The last reduction of a tile along a dimension that later ones come to.
  using LastOf = llvm::DenseMap<std::pair<Value, uint32_t>, Operation *>;

  static void hoistIn(mlir::Block &block) {
    LastOf lastOf;
    for (auto reduction : llvm::make_early_inc_range(block.getOps<tile::ReduceOp>())) {
      Operation *&last = lastOf[{reduction.getOperands().front(), reduction.getDim()}];
      if (last && tile::onlyComputes(reduction) && hasOperandsBefore(reduction, last))
        reduction->moveAfter(last);
      last = reduction;
    }
  }
};
} // namespace
