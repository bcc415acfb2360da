// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a plan know about products? Which of their operands are read where they are, when the
// sums of several turns of a loop are made together, and where sums go: a product that is added to
// what a loop carries adds in place, and if nothing but a store reads what the loop leaves, the
// product of the last turn stores its sums itself.

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tilewright/cpu/plan/MatmulForm.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

//===-- Sums that a loop carries --------------------------------------------------------------===//

bool Plan::isInPlace(Operation *product, unsigned operand, const ProductForm &form) const {
  Home where = home(product->getOperand(operand));
  return areFactors(product, operand, form) && (where == Home::Buffer || where == Home::Constant);
}

tile::ConstantOp Plan::initialSum(Value value) const {
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
  auto loop = argument ? llvm::dyn_cast<tile::ForOp>(argument.getOwner()->getParentOp()) : nullptr;
  if (!loop || argument.getArgNumber() == 0 || !argument.hasOneUse() ||
      analysis::carriedAccumulator(*argument.user_begin()) != argument)
    return {};
  Value initial = loop.getInitValues()[argument.getArgNumber() - 1];
  return home(initial) == Home::Fused ? initial.getDefiningOp<tile::ConstantOp>()
                                      : tile::ConstantOp();
}

int64_t Plan::turnsOf(Operation *product, const ProductForm &form) const {
  auto loop = llvm::dyn_cast<tile::ForOp>(product->getParentOp());
  bool mayWait = loop && !tile::hasInnerJumps(loop) && analysis::carriedAccumulator(product) &&
                 !isInPlace(product, 0, form) && !isInPlace(product, 1, form);
  return mayWait ? turnsTogether(product, form) : 1;
}

//===-- Where sums go in the end --------------------------------------------------------------===//

/// An epilogue that is computed for all vectors of a block of sums, one after the other, is short.
static constexpr unsigned mostForEachSum = 8;

/// Whether nothing from here on, up to the last operation, has to do with memory, or with the host;
/// what reads a fused load accesses memory itself.
bool Plan::areSilent(Operation *from, Operation *last) const {
  bool loads = false;
  auto visit = [&](Operation *maker) {
    auto load = llvm::dyn_cast<tile::LoadViewOp>(maker);
    loads |= load && home(load.getTile()) == Home::Fused;
  };
  for (Operation *op = from; op != last && !loads; op = op->getNextNode()) {
    if (op->getNumRegions() > 0 || !mlir::isMemoryEffectFree(op))
      return false;
    for (Value operand : op->getOperands())
      forEachMaker(operand, visit);
  }
  return !loads;
}

/// Whether the value is known before the loop, or can be, by operations that come after it in the
/// text: those that make scalars and views are added to `needs`, those of tiles are fused.
bool Plan::canBeKnownBefore(Value value, Operation *loop,
                            llvm::SetVector<Operation *> &needs) const {
  Operation *op = value.getDefiningOp();
  bool isBefore = !op || op->getBlock() != loop->getBlock() || op->isBeforeInBlock(loop);
  Home where = home(value);
  if (isBefore)
    return where != Home::Loop;
  bool isTile = bool(tileTypeOf(value));
  if (op == loop || (isTile && where != Home::Fused && where != Home::Constant))
    return false;
  for (Value operand : op->getOperands())
    if (!canBeKnownBefore(operand, loop, needs))
      return false;
  if (!isTile)
    needs.insert(op);
  return true;
}

std::optional<FinalStore> Plan::finalStore(Operation *product) const {
  auto loop = llvm::dyn_cast<tile::ForOp>(product->getParentOp());
  bool inRegisters = !productForm(product, target).usesTiles();
  if (!loop || !inRegisters || !analysis::carriedAccumulator(product) ||
      tile::hasInnerJumps(loop) ||
      !areSilent(product->getNextNode(), product->getBlock()->getTerminator()))
    return std::nullopt;
  mlir::BlockArgument carried = analysis::carriedAccumulator(product);
  mlir::Value sums = loop->getResult(carried.getArgNumber() - 1);
  std::optional<analysis::Epilogue> epilogue = analysis::epilogueOf(sums);
  if (!epilogue || !isPlainAccess(epilogue->store))
    return std::nullopt;
  FinalStore found{epilogue->store, sums, {}};
  llvm::SetVector<Operation *> needs;
  unsigned cost = 0;
  for (Operation *op : epilogue->operations) {
    cost += costOf(op);
    if (home(op->getResult(0)) != Home::Fused || cost > mostForEachSum)
      return std::nullopt;
    for (Value operand : op->getOperands())
      if (operand != sums && !canBeKnownBefore(operand, loop, needs))
        return std::nullopt;
    sums = op->getResult(0);
  }
  const Group *group = groupOf(found.store);
  bool isAlone = !group || group->steps.size() == 1;
  if (!isAlone || !areSilent(loop->getNextNode(), found.store) ||
      !canBeKnownBefore(found.store.getView(), loop, needs))
    return std::nullopt;
  for (Value index : found.store.getIndex())
    if (!canBeKnownBefore(index, loop, needs))
      return std::nullopt;
  found.needs = needs.takeVector();
  return found;
}
