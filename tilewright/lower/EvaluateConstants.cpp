// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant evaluation, in two walks. The first goes forward and collects facts: operands come
// before users, so one visit per operation is enough. It replaces uses, but erases no operation
// that has facts. The second goes backward. It replaces operations whose results are known and
// still used by constants, and erases dead operations, users first.

#include "tilewright/lower/EvaluateOp.h"
#include "tilewright/lower/Passes.h"
#include "tilewright/lower/Progression.h"
#include "tilewright/lower/Simplify.h"
#include "tilewright/tile/ops/Conditions.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_EVALUATECONSTANTS
#include "tilewright/lower/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::tile;
using numerics::Element;

namespace {

class Evaluation {
public:
  Evaluation(MLIRContext *context, Limits limits) : facts(limits), rewriter(context) {}

  void collect(Region &region);
  void writeDown(Region &region);

private:
  Operation *visit(Operation *op);
  Operation *enterBranch(IfOp op, bool condition);
  Operation *skipLoop(ForOp op);
  bool neverRuns(ForOp op);
  void learn(Operation *op);
  bool evaluate(Operation *op);

  Facts facts;
  IRRewriter rewriter;
};

struct EvaluateConstantsPass : lower::impl::EvaluateConstantsBase<EvaluateConstantsPass> {
  using EvaluateConstantsBase::EvaluateConstantsBase;

  void runOnOperation() override {
    Evaluation evaluation(&getContext(), {maxTileElements, maxTotalElements});
    for (Region &region : getOperation()->getRegions())
      evaluation.collect(region);
    for (Region &region : getOperation()->getRegions())
      evaluation.writeDown(region);
  }
};

} // namespace

//===-- Forward: facts --------------------------------------------------------------------===//

void Evaluation::collect(Region &region) {
  for (Block &block : region)
    for (Operation *op = block.empty() ? nullptr : &block.front(); op;)
      op = visit(op);
}

/// Returns the operation to visit next.
Operation *Evaluation::visit(Operation *op) {
  if (auto ifOp = dyn_cast<IfOp>(op))
    if (std::optional<Element> condition = facts.splatOf(ifOp.getCondition()))
      return enterBranch(ifOp, condition->bits);
  if (auto forOp = dyn_cast<ForOp>(op))
    if (neverRuns(forOp))
      return skipLoop(forOp);
  for (Region &region : op->getRegions())
    collect(region);
  // The order of a module body has no meaning: uses may be cyclic, and nothing is known about
  // operands that come later.
  if (!isa_and_present<tile::ModuleOp>(op->getParentOp()))
    learn(op);
  return op->getNextNode();
}

/// Replaces the `if` by the operations of the branch, and visits them next.
Operation *Evaluation::enterBranch(IfOp op, bool condition) {
  Block *block = op->getBlock();
  Operation *before = op->getPrevNode();
  replaceByBranch(op, condition ? op.thenBlock() : op.elseBlock(), rewriter);
  return before ? before->getNextNode() : &block->front();
}

/// Only with a valid step: an invalid one is an error that must stay (operations, 5.2).
bool Evaluation::neverRuns(ForOp op) {
  std::optional<Element> lower = facts.splatOf(op.getLowerBound());
  std::optional<Element> upper = facts.splatOf(op.getUpperBound());
  std::optional<Element> step = facts.splatOf(op.getStep());
  if (!lower || !upper || !step)
    return false;
  if (op.getUnsignedCmp())
    return lower->asUnsigned() >= upper->asUnsigned() && step->asUnsigned() != 0;
  return lower->asSigned() >= upper->asSigned() && step->asSigned() > 0;
}

Operation *Evaluation::skipLoop(ForOp op) {
  Operation *next = op->getNextNode();
  rewriter.replaceOp(op, op.getInitValues());
  return next;
}

/// Computes the result, or simplifies the operation.
void Evaluation::learn(Operation *op) {
  if (op->getNumResults() != 1 || isa<ConstantOp>(op) || evaluate(op))
    return;
  rewriter.setInsertionPoint(op);
  Simpler simpler = applyIdentity(op, facts);
  if (!simpler)
    simpler = joinConversions(op, facts, rewriter);
  if (!simpler)
    simpler = simplifyPower(op, facts, rewriter);
  if (!simpler)
    simpler = joinRearrangements(op, facts, rewriter);
  Value result = op->getResult(0);
  if (simpler.splat)
    facts.record(result, ConstantTile::splat(cast<TileType>(result.getType()), *simpler.splat));
  else if (simpler.value)
    rewriter.replaceAllUsesWith(result, simpler.value);
}

bool Evaluation::evaluate(Operation *op) {
  if (!isEvaluable(op))
    return false;
  SmallVector<const ConstantTile *> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(facts.find(operand));
    if (!operands.back())
      return false;
  }
  if (!facts.spend(evaluationWork(op, operands)))
    return false;
  std::optional<ConstantTile> result = evaluateOp(op, operands);
  if (!result)
    return false;
  facts.record(op->getResult(0), std::move(*result));
  return true;
}

//===-- Backward: constants -----------------------------------------------------------------===//

/// The constant that replaces an operation; null if the operation stays. An `iota` stays, because
/// it is smaller than the list of its elements and shows how they grow.
static const ConstantTile *writtenFor(Operation *op, Facts &facts) {
  if (op->getNumResults() != 1 || isa<ConstantOp>(op))
    return nullptr;
  const ConstantTile *tile = facts.find(op->getResult(0));
  bool written = tile && tile->isWritable() && (tile->isSplat() || !isa<IotaOp>(op));
  return written ? tile : nullptr;
}

/// Creates the tile at the rewriter's insertion point.
static Value writeTile(const ConstantTile &tile, Location location, IRRewriter &rewriter) {
  if (std::optional<Progression> progression = progressionOf(tile))
    return makeProgression(tile.getType(), *progression, location, rewriter);
  return ConstantOp::create(rewriter, location, tile.getType(), tile.toAttribute());
}

void Evaluation::writeDown(Region &region) {
  for (Block &block : region)
    for (Operation *op = block.empty() ? nullptr : &block.back(), *previous; op; op = previous) {
      previous = op->getPrevNode();
      for (Region &nested : op->getRegions())
        writeDown(nested);
      // Whether an operation with regions has effects requires a walk over them, which is left to
      // canonicalize.
      if (op->getNumRegions() == 0 && isOpTriviallyDead(op)) {
        rewriter.eraseOp(op);
      } else if (const ConstantTile *tile = writtenFor(op, facts)) {
        rewriter.setInsertionPoint(op);
        rewriter.replaceOp(op, writeTile(*tile, op->getLoc(), rewriter));
      }
    }
}
