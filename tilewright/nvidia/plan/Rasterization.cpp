// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Rasterization.h.

#include "tilewright/nvidia/plan/Rasterization.h"
#include "tilewright/analysis/MemoryOrder.h"
#include "tilewright/tile/Loops.h"

#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Operation;
using mlir::Value;

//===-- Dependence on block ids ---------------------------------------------------------------===//

namespace {
/// Finds the components of the block's id that values depend on, by data.
class IdSearch {
public:
  /// As bits: 1 for x, 2 for y, 4 for z.
  unsigned run(Value value);

private:
  /// Tokens only order accesses.
  void add(mlir::ValueRange more) {
    values.insert_range(llvm::make_filter_range(
        more, [](Value value) { return !llvm::isa<tile::TokenType>(value.getType()); }));
  }
  void visit(Value value);
  void visitArgument(mlir::BlockArgument argument);

  llvm::SetVector<Value> values;
  unsigned ids = 0;
};
} // namespace

unsigned IdSearch::run(Value value) {
  values.insert(value);
  for (size_t at = 0; at < values.size(); ++at)
    visit(values[at]);
  return ids;
}

/// The induction variable of a `for` follows from the bounds; a carried value from that before the
/// loop, and from those of earlier iterations.
void IdSearch::visitArgument(mlir::BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (!tile::isLoop(parent))
    return;
  const bool isFor = llvm::isa<tile::ForOp>(parent);
  if (isFor && argument.getArgNumber() == 0)
    return add(parent->getOperands().take_front(3));
  const unsigned number = argument.getArgNumber() - isFor;
  add(tile::initValuesOf(parent)[number]);
  for (Operation *next : tile::continuesOf(parent))
    add(next->getOperand(number));
}

/// What an operation with a region returns may follow from all in it.
void IdSearch::visit(Value value) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return visitArgument(argument);
  Operation *op = value.getDefiningOp();
  if (llvm::isa<tile::GetTileBlockIdOp>(op))
    ids |= 1u << llvm::cast<mlir::OpResult>(value).getResultNumber();
  add(op->getOperands());
  if (!tile::isAggregate(op))
    op->walk([&](Operation *inner) { add(inner->getOperands()); });
}

//===-- The choice ----------------------------------------------------------------------------===//

/// Whether rows of the result follow from x and columns from y, or the other way round. Both
/// operands may be chosen by z.
static bool isOfRowsAndColumns(tile::MatmulOpInterface product) {
  constexpr unsigned x = 1, y = 2, both = x | y;
  const unsigned lhs = IdSearch().run(product.getLhs()) & both;
  const unsigned rhs = IdSearch().run(product.getRhs()) & both;
  return (lhs == x && rhs == y) || (lhs == y && rhs == x);
}

/// Whether blocks may start in any order, and nothing names the CTA instead of the block. A block
/// that waits for another one may rely on it having started. The driver reports failed assertions
/// with the id of the CTA.
static bool mayBeReordered(tile::EntryOp entry) {
  return !entry
              .walk([](Operation *op) {
                auto loop = llvm::dyn_cast<tile::LoopOp>(op);
                const bool hasOrder =
                    llvm::isa<tile::AssertOp>(op) || (loop && analysis::firstPollIn(loop));
                return hasOrder ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
              })
              .wasInterrupted();
}

Rasterization nvidia::rasterizationOf(tile::EntryOp entry, const Target &target) {
  const int64_t panel =
      int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(1, target.tuning.panelBlocks))));
  llvm::SmallVector<tile::MatmulOpInterface> products;
  entry.walk([&](tile::MatmulOpInterface product) { products.push_back(product); });
  const bool areOfPanels = !products.empty() && panel > 1 && mayBeReordered(entry) &&
                           llvm::all_of(products, isOfRowsAndColumns);
  return {areOfPanels ? panel : 1};
}
