// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SharedFactors.h.

#include "tilewright/cpu/plan/SharedFactors.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

//===-- Values common to all blocks -----------------------------------------------------------===//

static bool isScalar(Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return type && !tileTypeOf(value);
}

/// Whether the operation makes a scalar or a view of scalars and views, and has no other effect.
static bool isScalarOperation(Operation *op) {
  auto isTile = [](Value value) { return bool(tileTypeOf(value)); };
  return op->getNumRegions() == 0 && tile::onlyComputes(op) &&
         llvm::none_of(op->getOperands(), isTile) && llvm::none_of(op->getResults(), isTile);
}

bool cpu::isLaunchInvariant(Value value, llvm::SetVector<Operation *> &needs) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
    return llvm::isa<tile::EntryOp>(argument.getOwner()->getParentOp());
  Operation *op = value.getDefiningOp();
  if (needs.contains(op))
    return true;
  if (llvm::isa<tile::GetTileBlockIdOp, tile::GetGlobalOp>(op) || !isScalarOperation(op))
    return false;
  for (Value operand : op->getOperands())
    if (!isLaunchInvariant(operand, needs))
      return false;
  needs.insert(op);
  return true;
}

static bool isLaunchInvariant(Value value) {
  llvm::SetVector<Operation *> needs;
  return isLaunchInvariant(value, needs);
}

/// The `make_tensor_view` on which a view is based.
static Operation *tensorOf(Value view) {
  Operation *op = view.getDefiningOp();
  while (op && !llvm::isa<tile::MakeTensorViewOp>(op))
    op = op->getNumOperands() > 0 ? op->getOperand(0).getDefiningOp() : nullptr;
  return op;
}

static Operation *invariantTensorOf(Value view) {
  Operation *tensor = tensorOf(view);
  return tensor && isLaunchInvariant(tensor->getResult(0)) ? tensor : nullptr;
}

LaunchMemory::LaunchMemory(tile::EntryOp entry) {
  entry.walk([&](Operation *op) {
    auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
    bool isHarmless = op->getNumRegions() > 0 || op->hasTrait<mlir::OpTrait::IsTerminator>() ||
                      llvm::isa<tile::AssertOp>(op) || (!access && tile::onlyComputes(op)) ||
                      (access && access.isLoad() && access.isWeak());
    if (isHarmless)
      return;
    auto store = llvm::dyn_cast<tile::StoreViewOp>(op);
    Operation *tensor = store && access.isWeak() ? invariantTensorOf(store.getView()) : nullptr;
    isKnown &= tensor != nullptr;
    if (tensor)
      stored.insert(tensor);
  });
}

Operation *LaunchMemory::unstoredTensorOf(tile::LoadViewOp load) const {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation());
  Operation *tensor = isKnown && access.isWeak() ? invariantTensorOf(load.getView()) : nullptr;
  return tensor && !stored.contains(tensor) ? tensor : nullptr;
}

//===-- Cache keys ----------------------------------------------------------------------------===//

/// Whether an integer before the loop is a block coordinate: coordinates may be the same for
/// several consecutive blocks.
static unsigned sourcesOf(Value value) {
  Operation *op = value.getDefiningOp();
  while (llvm::isa_and_present<tile::AssumeOp>(op)) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return llvm::isa_and_present<tile::GetTileBlockIdOp>(op)
             ? 1u << llvm::cast<mlir::OpResult>(value).getResultNumber()
             : unsigned(variesOtherwise);
}

namespace {
/// Finds the sources of a product's operand.
class OperandSources {
public:
  OperandSources(tile::ForOp loop, const Placements &placements)
      : loop(loop), placements(placements) {}

  /// Whether the value depends only on tiles loaded from tensors that are the same for all blocks,
  /// on constants, on the induction variable, and on integers computed before the loop.
  bool follow(Value value);

  SharedOperand found;

private:
  bool addKey(Value value);

  tile::ForOp loop;
  const Placements &placements;
  llvm::DenseSet<Value> seen;
};
} // namespace

bool OperandSources::addKey(Value value) {
  if (isLaunchInvariant(value))
    return true;
  auto type = llvm::cast<tile::TileType>(value.getType()).getElementType();
  if (!llvm::isa<mlir::IntegerType>(type))
    return false;
  found.keys.insert(value);
  found.varies |= sourcesOf(value);
  return found.keys.size() <= SharedOperand::mostKeys;
}

bool OperandSources::follow(Value value) {
  if (!seen.insert(value).second || value == loop.inductionVar() ||
      llvm::isa<tile::TokenType>(value.getType()))
    return true;
  bool isInLoop = loop->isAncestor(value.getParentBlock()->getParentOp());
  if (!isInLoop && isScalar(value))
    return addKey(value);
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() > 0)
    return false; // loop-carried, or the result of a loop
  if (tileTypeOf(value) && placements.of(value) == Placement::Constant)
    return true;
  if (tileTypeOf(value) && placements.of(value) != Placement::Fused)
    return false;
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op)) {
    Operation *tensor = invariantTensorOf(load.getView());
    auto access = llvm::cast<tile::MemoryAccessOpInterface>(op);
    if (!tensor || !access.isWeak())
      return false;
    found.loaded.insert(tensor);
    return llvm::all_of(load.getIndex(), [&](Value index) { return follow(index); });
  }
  // It varies by block, and is not computed before the loop, as a key must be.
  if (llvm::isa<tile::GetTileBlockIdOp>(op))
    return false;
  return tile::onlyComputes(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return follow(operand); });
}

std::optional<SharedOperand> cpu::sharedOperandOf(Operation *product, unsigned operand,
                                                  bool countsIterations,
                                                  const Placements &placements) {
  auto loop = llvm::dyn_cast<tile::ForOp>(product->getParentOp());
  if (!loop || tile::hasInnerJumps(loop))
    return std::nullopt;
  OperandSources sources(loop, placements);
  bool isKnown = sources.follow(product->getOperand(operand));
  if (auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(product))
    isKnown = isKnown && sources.follow(operand == 0 ? scaled.getLhsScale() : scaled.getRhsScale());
  isKnown = isKnown && sources.follow(loop.getLowerBound()) && sources.follow(loop.getStep()) &&
            (!countsIterations || sources.follow(loop.getUpperBound()));
  if (!isKnown || sources.found.loaded.empty())
    return std::nullopt;
  return std::move(sources.found);
}
