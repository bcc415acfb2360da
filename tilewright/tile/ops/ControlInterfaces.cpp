// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements upstream control-flow interfaces for loops, branches and bodies. Upstream supports
// only jumps to the operation that directly contains a terminator, but a `break` or `continue` in
// an `if` jumps to the loop around that. For such a loop, the interfaces report that any iteration
// may be the last one, and forward no values, so that no analysis takes a value for a constant. The
// state of memory at such a jump cannot be expressed: dense data-flow analyses, which follow
// control flow, are not supported (docs/decisions/upstream-control-flow.md).

#include "tilewright/tile/Loops.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

/// An empty range of operands.
static OperandRange none(Operation *op) {
  return OperandRange(op->operand_end(), op->operand_end());
}

//===-- Jumps out of an `if` ------------------------------------------------------------------===//

Operation *tile::enclosingNonIf(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa_and_present<IfOp>(parent))
    parent = parent->getParentOp();
  return parent;
}

ValueRange tile::initValuesOf(Operation *loop) {
  if (auto counted = dyn_cast<ForOp>(loop))
    return counted.getInitValues();
  return cast<LoopOp>(loop).getInitValues();
}

/// The jumps of this kind that belong to the loop.
template <typename Jump> static SmallVector<Operation *> jumpsOf(Operation *loop) {
  SmallVector<Operation *> jumps;
  loop->walk([&](Jump jump) {
    if (tile::enclosingNonIf(jump) == loop)
      jumps.push_back(jump);
  });
  return jumps;
}

SmallVector<Operation *> tile::continuesOf(Operation *loop) { return jumpsOf<ContinueOp>(loop); }
SmallVector<Operation *> tile::breaksOf(Operation *loop) { return jumpsOf<BreakOp>(loop); }

bool tile::hasInnerJumps(Operation *loop) {
  return loop->getRegion(0)
      .walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (isLoop(op))
          return WalkResult::skip(); // its jumps belong to itself
        bool isJump = isa<BreakOp, ContinueOp>(op) && op->getParentOp() != loop;
        return isJump ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static RegionSuccessor intoBody(Operation *loop, Block::BlockArgListType arguments) {
  Region *body = &loop->getRegion(0);
  return hasInnerJumps(loop) ? RegionSuccessor(body) : RegionSuccessor(body, arguments);
}

static RegionSuccessor behind(Operation *loop) {
  ResultRange results = loop->getResults();
  return RegionSuccessor(loop, hasInnerJumps(loop) ? results.take_front(0) : results);
}

//===-- for -----------------------------------------------------------------------------------===//

SmallVector<Region *> ForOp::getLoopRegions() { return {&getRegion()}; }
std::optional<SmallVector<Value>> ForOp::getLoopInductionVars() {
  return SmallVector<Value>{inductionVar()};
}
/// Upstream interprets bounds as signed integers.
static std::optional<SmallVector<OpFoldResult>> signedBound(ForOp loop, Value bound) {
  if (loop.getUnsignedCmp())
    return std::nullopt;
  return SmallVector<OpFoldResult>{bound};
}
std::optional<SmallVector<OpFoldResult>> ForOp::getLoopLowerBounds() {
  return signedBound(*this, getLowerBound());
}
std::optional<SmallVector<OpFoldResult>> ForOp::getLoopSteps() {
  return signedBound(*this, getStep());
}
std::optional<SmallVector<OpFoldResult>> ForOp::getLoopUpperBounds() {
  return signedBound(*this, getUpperBound());
}
MutableArrayRef<OpOperand> ForOp::getInitsMutable() { return getInitValuesMutable(); }
Block::BlockArgListType ForOp::getRegionIterArgs() { return iterArgs(); }
std::optional<ResultRange> ForOp::getLoopResults() { return getResultValues(); }

/// The operands of the body's last operation, if every iteration ends there. The verifier calls
/// this before it has checked that the operation is a `continue`.
static std::optional<MutableArrayRef<OpOperand>> continuedValues(Block *body) {
  if (body->empty() || !isa<ContinueOp>(body->back()) || hasInnerJumps(body->getParentOp()))
    return std::nullopt;
  return body->back().getOpOperands();
}
std::optional<MutableArrayRef<OpOperand>> ForOp::getYieldedValuesMutable() {
  return continuedValues(body());
}

OperandRange ForOp::getEntrySuccessorOperands(RegionSuccessor) {
  return hasInnerJumps(*this) ? none(*this) : getInitValues();
}

/// There may be no iteration, and any iteration may be the last.
void ForOp::getSuccessorRegions(RegionBranchPoint, SmallVectorImpl<RegionSuccessor> &successors) {
  successors.push_back(intoBody(*this, iterArgs()));
  successors.push_back(behind(*this));
}

//===-- loop ----------------------------------------------------------------------------------===//

SmallVector<Region *> LoopOp::getLoopRegions() { return {&getRegion()}; }
MutableArrayRef<OpOperand> LoopOp::getInitsMutable() { return getInitValuesMutable(); }
Block::BlockArgListType LoopOp::getRegionIterArgs() { return body()->getArguments(); }
std::optional<MutableArrayRef<OpOperand>> LoopOp::getYieldedValuesMutable() {
  return continuedValues(body());
}

OperandRange LoopOp::getEntrySuccessorOperands(RegionSuccessor) {
  return hasInnerJumps(*this) ? none(*this) : getInitValues();
}

/// Only `break` leaves the loop, and only `continue` starts another iteration.
void LoopOp::getSuccessorRegions(RegionBranchPoint point,
                                 SmallVectorImpl<RegionSuccessor> &successors) {
  Operation *terminator = point.getTerminatorPredecessorOrNull();
  bool isAnywhere = hasInnerJumps(*this);
  if (isAnywhere || !isa_and_present<BreakOp>(terminator))
    successors.push_back(intoBody(*this, body()->getArguments()));
  if (isAnywhere || isa_and_present<BreakOp>(terminator))
    successors.push_back(behind(*this));
}

//===-- if ------------------------------------------------------------------------------------===//

/// Whether a terminator gives the results of the surrounding `if`. The verifier of this interface
/// runs before ours, which has a better message if types differ.
static bool givesResults(Operation *terminator) {
  auto branches = dyn_cast<IfOp>(terminator->getParentOp());
  return branches && isa<YieldOp>(terminator) &&
         terminator->getOperandTypes() == branches.getResultTypes();
}

/// Only `yield` reaches the operations after the `if`.
void IfOp::getSuccessorRegions(RegionBranchPoint point,
                               SmallVectorImpl<RegionSuccessor> &successors) {
  if (Operation *terminator = point.getTerminatorPredecessorOrNull()) {
    if (isa<YieldOp>(terminator))
      successors.push_back(RegionSuccessor(
          *this, givesResults(terminator) ? getResults() : getResults().take_front(0)));
    return;
  }
  successors.push_back(RegionSuccessor(&getThenRegion()));
  if (getElseRegion().empty())
    successors.push_back(RegionSuccessor(*this, getResults().take_front(0)));
  else
    successors.push_back(RegionSuccessor(&getElseRegion()));
}

//===-- reduce, scan --------------------------------------------------------------------------===//

/// The body receives elements of the operands and yields elements of the results: no value is
/// forwarded unchanged.
static void getSuccessorsOfAggregate(Operation *op, SmallVectorImpl<RegionSuccessor> &successors) {
  successors.push_back(RegionSuccessor(&op->getRegion(0)));
  successors.push_back(RegionSuccessor(op, op->getResults().take_front(0)));
}

void ReduceOp::getSuccessorRegions(RegionBranchPoint,
                                   SmallVectorImpl<RegionSuccessor> &successors) {
  getSuccessorsOfAggregate(*this, successors);
}
SmallVector<Region *> ReduceOp::getLoopRegions() { return {&getBody()}; }

void ScanOp::getSuccessorRegions(RegionBranchPoint, SmallVectorImpl<RegionSuccessor> &successors) {
  getSuccessorsOfAggregate(*this, successors);
}
SmallVector<Region *> ScanOp::getLoopRegions() { return {&getBody()}; }

//===-- Terminators ---------------------------------------------------------------------------===//

/// The operands that the terminator forwards to the operation that directly contains it.
static MutableOperandRange handedOn(Operation *terminator, bool isHandedOn) {
  return isHandedOn ? MutableOperandRange(terminator) : MutableOperandRange(terminator, 0, 0);
}

MutableOperandRange YieldOp::getMutableSuccessorOperands(RegionSuccessor) {
  return handedOn(*this, givesResults(*this));
}
MutableOperandRange BreakOp::getMutableSuccessorOperands(RegionSuccessor) {
  Operation *parent = (*this)->getParentOp();
  return handedOn(*this, isa<LoopOp>(parent) && !hasInnerJumps(parent));
}
MutableOperandRange ContinueOp::getMutableSuccessorOperands(RegionSuccessor) {
  Operation *parent = (*this)->getParentOp();
  return handedOn(*this, isa<ForOp, LoopOp>(parent) && !hasInnerJumps(parent));
}
