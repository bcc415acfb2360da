// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves reductions of one tile next to each other, so that one loop over the tile computes both.
// There may be a store between them, as in
//
//     largest, index = argmax(row); store index; store max(row)
//
// A reduction has no effects, so only its operands, and values that its body uses from outside, can
// prevent the move.

#include "tilewright/lower/Passes.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_HOISTREDUCTIONS
#include "tilewright/lower/Passes.h.inc"
} // namespace tilewright::lower

using namespace tilewright;
using mlir::Operation;
using mlir::Value;

namespace {
struct HoistReductionsPass : tilewright::lower::impl::HoistReductionsBase<HoistReductionsPass> {
  void runOnOperation() override {
    getOperation()->walk([](mlir::Block *block) { hoistIn(*block); });
  }

private:
  static void hoistIn(mlir::Block &block);
};
} // namespace

/// Does not hoist reductions over loops and branches, which may jump, so that the operations after
/// them do not run.
void HoistReductionsPass::hoistIn(mlir::Block &block) {
  // Positions of operations; an operation that has moved gets that of the operation that it follows
  // now.
  llvm::DenseMap<Operation *, unsigned> numbers;
  for (Operation &op : block)
    numbers[&op] = numbers.size();
  auto isBefore = [&](Value value, Operation *other) {
    auto maker = numbers.find(value.getDefiningOp());
    return maker == numbers.end() || maker->second < numbers.at(other);
  };
  auto usesOnlyWhatIsBefore = [&](tile::ReduceOp reduction, Operation *other) {
    auto found = reduction->walk([&](Operation *user) {
      bool isFree =
          llvm::all_of(user->getOperands(), [&](Value used) { return isBefore(used, other); });
      return isFree ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
    });
    return !found.wasInterrupted();
  };
  llvm::DenseMap<std::pair<Value, uint32_t>, Operation *> lastOf; // by tile and dimension
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto reduction = llvm::dyn_cast<tile::ReduceOp>(op);
    if (!reduction) {
      if (op.getNumRegions() > 0 && !tile::isAggregate(&op))
        lastOf.clear();
      continue;
    }
    Operation *&last = lastOf[{reduction.getOperands().front(), reduction.getDim()}];
    if (last && tile::onlyComputes(reduction) && usesOnlyWhatIsBefore(reduction, last)) {
      reduction->moveAfter(last);
      numbers[reduction] = numbers.at(last);
    }
    last = reduction;
  }
}
