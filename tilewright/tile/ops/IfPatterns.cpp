// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalizes `if`: one pattern for each sentence of the list in operations, 13. A branch either
// ends in `yield`, which gives the results, or leaves with `break`, `continue` or `return`, and
// then its values never reach the results. Most patterns distinguish the two.

#include "tilewright/tile/ops/Conditions.h"

using namespace mlir;
using namespace tilewright::tile;

static LogicalResult inlineKnownBranch(IfOp op, PatternRewriter &rewriter);
static LogicalResult swapNegatedBranches(IfOp op, PatternRewriter &rewriter);
static LogicalResult dropUnusedResults(IfOp op, PatternRewriter &rewriter);
static LogicalResult forwardEqualYields(IfOp op, PatternRewriter &rewriter);
static LogicalResult replaceYieldedTruth(IfOp op, PatternRewriter &rewriter);
static LogicalResult turnYieldsIntoSelect(IfOp op, PatternRewriter &rewriter);
static LogicalResult mergeAdjacentIfs(IfOp op, PatternRewriter &rewriter);
static LogicalResult mergeNestedIfs(IfOp op, PatternRewriter &rewriter);
static LogicalResult removeEmptyElse(IfOp op, PatternRewriter &rewriter);
static LogicalResult hoistLeavingElse(IfOp op, PatternRewriter &rewriter);

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  for (auto pattern : {inlineKnownBranch, swapNegatedBranches, dropUnusedResults,
                       forwardEqualYields, replaceYieldedTruth, turnYieldsIntoSelect,
                       mergeAdjacentIfs, mergeNestedIfs, removeEmptyElse, hoistLeavingElse})
    patterns.add(pattern);
}

//===-- Branches --------------------------------------------------------------------------===//

/// The `yield` at the end of a branch; null if the branch leaves or is absent.
static YieldOp yieldOf(Block *branch) {
  return branch ? dyn_cast<YieldOp>(branch->getTerminator()) : YieldOp();
}

static bool isOnlyYield(Block *branch) { return isa<YieldOp>(branch->front()); }

static bool isDefinedOutside(IfOp op, Value value) {
  return !op->isAncestor(value.getParentRegion()->getParentOp());
}

/// The values that both branches yield for a result, if both yield.
struct YieldedPair {
  Value result, ifTrue, ifFalse;
};
static SmallVector<YieldedPair> usedYields(IfOp op) {
  YieldOp ifTrue = yieldOf(op.thenBlock()), ifFalse = yieldOf(op.elseBlock());
  SmallVector<YieldedPair> pairs;
  if (ifTrue && ifFalse)
    for (auto [r, t, f] :
         llvm::zip_equal(op.getResults(), ifTrue.getOperands(), ifFalse.getOperands()))
      if (!r.use_empty())
        pairs.push_back({r, t, f});
  return pairs;
}

static void eraseFollowing(Operation *op, RewriterBase &rewriter) {
  while (&op->getBlock()->back() != op)
    rewriter.eraseOp(&op->getBlock()->back());
}

/// An `if` without branches, in the place of another and with its dictionary.
static IfOp createLike(IfOp op, TypeRange results, Value condition, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  auto created = IfOp::create(rewriter, op.getLoc(), results, condition);
  created->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return created;
}

static void moveBranch(Region &from, Region &to, RewriterBase &rewriter) {
  rewriter.inlineRegionBefore(from, to, to.end());
}

Value tilewright::tile::negate(Value condition, Location loc, RewriterBase &rewriter) {
  auto type = cast<TileType>(condition.getType());
  Value allTrue =
      ConstantOp::create(rewriter, loc, type, DenseElementsAttr::get(type, APInt(1, 1)));
  return XOrIOp::create(rewriter, loc, type, condition, allTrue);
}

//===-- The condition is known, or negated --------------------------------------------------===//

void tilewright::tile::replaceByBranch(IfOp op, Block *branch, RewriterBase &rewriter) {
  if (!branch)
    return rewriter.eraseOp(op);
  YieldOp yield = yieldOf(branch);
  if (!yield) {
    eraseFollowing(op, rewriter);
    rewriter.inlineBlockBefore(branch, op);
    return rewriter.eraseOp(op);
  }
  SmallVector<Value> results(yield.getOperands());
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(branch, op);
  rewriter.replaceOp(op, results);
}

static LogicalResult inlineKnownBranch(IfOp op, PatternRewriter &rewriter) {
  std::optional<bool> condition = constantCondition(op.getCondition());
  if (!condition)
    return failure();
  replaceByBranch(op, *condition ? op.thenBlock() : op.elseBlock(), rewriter);
  return success();
}

static LogicalResult swapNegatedBranches(IfOp op, PatternRewriter &rewriter) {
  Value condition = negatedCondition(op.getCondition());
  if (!condition || !op.elseBlock())
    return failure();
  IfOp swapped = createLike(op, op.getResultTypes(), condition, rewriter);
  moveBranch(op.getElseRegion(), swapped.getThenRegion(), rewriter);
  moveBranch(op.getThenRegion(), swapped.getElseRegion(), rewriter);
  rewriter.replaceOp(op, swapped);
  return success();
}

//===-- The results ---------------------------------------------------------------------===//

static LogicalResult dropUnusedResults(IfOp op, PatternRewriter &rewriter) {
  SmallVector<Value> used;
  SmallVector<unsigned> positions;
  for (OpResult result : op.getResults()) {
    if (result.use_empty())
      continue;
    used.push_back(result);
    positions.push_back(result.getResultNumber());
  }
  if (used.size() == op.getNumResults())
    return failure();

  for (Block *branch : {op.thenBlock(), op.elseBlock()})
    if (YieldOp yield = yieldOf(branch)) {
      SmallVector<Value> kept = llvm::map_to_vector(
          positions, [&](unsigned position) { return yield.getOperand(position); });
      rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(kept); });
    }
  IfOp smaller = createLike(op, ValueRange(used).getTypes(), op.getCondition(), rewriter);
  moveBranch(op.getThenRegion(), smaller.getThenRegion(), rewriter);
  moveBranch(op.getElseRegion(), smaller.getElseRegion(), rewriter);
  for (auto [from, to] : llvm::zip_equal(used, smaller.getResults()))
    rewriter.replaceAllUsesWith(from, to);
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult forwardEqualYields(IfOp op, PatternRewriter &rewriter) {
  bool changed = false;
  for (auto [result, ifTrue, ifFalse] : usedYields(op))
    if (ifTrue == ifFalse) {
      rewriter.replaceAllUsesWith(result, ifTrue);
      changed = true;
    }
  return success(changed);
}

/// A result that is true in one branch and false in the other equals the condition or its negation.
static LogicalResult replaceYieldedTruth(IfOp op, PatternRewriter &rewriter) {
  bool changed = false;
  for (auto [result, ifTrue, ifFalse] : usedYields(op)) {
    std::optional<bool> then = constantCondition(ifTrue), otherwise = constantCondition(ifFalse);
    if (result.getType() != op.getCondition().getType() || !then || !otherwise ||
        *then == *otherwise)
      continue;
    rewriter.setInsertionPoint(op);
    rewriter.replaceAllUsesWith(result, *then ? op.getCondition()
                                              : negate(op.getCondition(), op.getLoc(), rewriter));
    changed = true;
  }
  return success(changed);
}

/// `select` requires a condition of the same shape as the values, so this is for scalars.
static LogicalResult turnYieldsIntoSelect(IfOp op, PatternRewriter &rewriter) {
  bool changed = false;
  for (auto [result, ifTrue, ifFalse] : usedYields(op)) {
    auto type = dyn_cast<TileType>(result.getType());
    if (!type || type.getRank() != 0 || !isDefinedOutside(op, ifTrue) ||
        !isDefinedOutside(op, ifFalse))
      continue;
    rewriter.setInsertionPoint(op);
    Value chosen =
        SelectOp::create(rewriter, op.getLoc(), type, op.getCondition(), ifTrue, ifFalse);
    rewriter.replaceAllUsesWith(result, chosen);
    changed = true;
  }
  return success(changed);
}

//===-- Two ifs -------------------------------------------------------------------------===//

/// Joins two branches that run one after the other into one. Each may be absent. The first must end
/// in `yield`.
static void joinBranches(IfOp first, Block *firstBranch, Block *secondBranch, Region &joined,
                         RewriterBase &rewriter) {
  if (!firstBranch || !secondBranch) {
    if (Block *only = firstBranch ? firstBranch : secondBranch)
      moveBranch(*only->getParent(), joined, rewriter);
    return;
  }
  YieldOp firstYield = yieldOf(firstBranch);
  SmallVector<Value> yielded(firstYield.getOperands());
  for (auto [result, value] : llvm::zip_equal(first.getResults(), yielded))
    rewriter.replaceUsesWithIf(result, value, [&](OpOperand &use) {
      return secondBranch->getParent()->isAncestor(use.getOwner()->getParentRegion());
    });
  if (YieldOp secondYield = yieldOf(secondBranch)) {
    llvm::append_range(yielded, secondYield.getOperands());
    rewriter.modifyOpInPlace(secondYield, [&] { secondYield->setOperands(yielded); });
  }
  rewriter.eraseOp(firstYield);
  rewriter.mergeBlocks(secondBranch, firstBranch);
  moveBranch(*firstBranch->getParent(), joined, rewriter);
}

/// if c { A } else { B }; if c { C } else { D }: if c { A C } else { B D }
static LogicalResult mergeAdjacentIfs(IfOp op, PatternRewriter &rewriter) {
  auto first = dyn_cast_if_present<IfOp>(op->getPrevNode());
  if (!first)
    return failure();
  Value asked = first.getCondition();
  bool negated =
      negatedCondition(op.getCondition()) == asked || negatedCondition(asked) == op.getCondition();
  if (op.getCondition() != asked && !negated)
    return failure();
  // If a branch of the first `if` leaves, the second `if` is skipped.
  if (!yieldOf(first.thenBlock()) || (first.elseBlock() && !yieldOf(first.elseBlock())))
    return failure();

  Block *thenSecond = op.thenBlock(), *elseSecond = op.elseBlock();
  if (negated)
    std::swap(thenSecond, elseSecond);
  SmallVector<Type> types(first.getResultTypes());
  llvm::append_range(types, op.getResultTypes());
  IfOp merged = createLike(first, types, asked, rewriter);
  joinBranches(first, first.thenBlock(), thenSecond, merged.getThenRegion(), rewriter);
  // The then branch may be gone by now, so the else branch is found through its region.
  Block *elseFirst = first.getElseRegion().empty() ? nullptr : &first.getElseRegion().front();
  joinBranches(first, elseFirst, elseSecond, merged.getElseRegion(), rewriter);
  rewriter.replaceOp(op, merged.getResults().take_back(op.getNumResults()));
  rewriter.replaceOp(first, merged.getResults().take_front(first.getNumResults()));
  return success();
}

/// The `if` that is the only operation of the then branch, apart from the terminator.
static IfOp onlyNestedIf(IfOp op) {
  auto inner = dyn_cast<IfOp>(op.thenBlock()->front());
  return inner && inner->getNextNode() == yieldOf(op.thenBlock()) ? inner : IfOp();
}

/// For each result of the outer `if`, the number of the inner result that it forwards; none unless
/// both `if`s yield the same values when a condition fails.
static std::optional<SmallVector<unsigned>> passedOnResults(IfOp outer, IfOp inner) {
  SmallVector<unsigned> passedOn;
  for (unsigned i = 0; i < outer.getNumResults(); ++i) {
    auto result = dyn_cast<OpResult>(yieldOf(outer.thenBlock()).getOperand(i));
    if (!result || result.getOwner() != inner)
      return std::nullopt;
    unsigned position = result.getResultNumber();
    if (yieldOf(outer.elseBlock()).getOperand(i) != yieldOf(inner.elseBlock()).getOperand(position))
      return std::nullopt;
    passedOn.push_back(position);
  }
  return passedOn;
}

/// if a { if b { A } }: if andi(a, b) { A }
static LogicalResult mergeNestedIfs(IfOp op, PatternRewriter &rewriter) {
  IfOp inner = onlyNestedIf(op);
  if (!inner)
    return failure();
  for (Block *elseBranch : {op.elseBlock(), inner.elseBlock()})
    if (elseBranch && !isOnlyYield(elseBranch))
      return failure();
  std::optional<SmallVector<unsigned>> passedOn = passedOnResults(op, inner);
  if (!passedOn)
    return failure();

  if (YieldOp yield = yieldOf(inner.thenBlock())) {
    SmallVector<Value> values = llvm::map_to_vector(
        *passedOn, [&](unsigned position) { return yield.getOperand(position); });
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(values); });
  }
  rewriter.setInsertionPoint(op);
  Value both = AndIOp::create(rewriter, op.getLoc(), op.getCondition().getType(), op.getCondition(),
                              inner.getCondition());
  IfOp merged = createLike(op, op.getResultTypes(), both, rewriter);
  moveBranch(inner.getThenRegion(), merged.getThenRegion(), rewriter);
  moveBranch(op.getElseRegion(), merged.getElseRegion(), rewriter);
  rewriter.replaceOp(op, merged);
  return success();
}

//===-- The else branch -------------------------------------------------------------------===//

static LogicalResult removeEmptyElse(IfOp op, PatternRewriter &rewriter) {
  if (op.getNumResults() != 0 || !op.elseBlock() || !isOnlyYield(op.elseBlock()))
    return failure();
  rewriter.modifyOpInPlace(op, [&] { rewriter.eraseBlock(op.elseBlock()); });
  return success();
}

/// If both branches leave, the operations after the `if` are unreachable, and the else branch can
/// take their place: if c { A break } else { B continue }: if c { A break } B continue
static LogicalResult hoistLeavingElse(IfOp op, PatternRewriter &rewriter) {
  if (!op.elseBlock() || yieldOf(op.thenBlock()) || yieldOf(op.elseBlock()))
    return failure();
  eraseFollowing(op, rewriter);
  IfOp single = createLike(op, {}, op.getCondition(), rewriter);
  moveBranch(op.getThenRegion(), single.getThenRegion(), rewriter);
  rewriter.inlineBlockBefore(op.elseBlock(), op);
  rewriter.eraseOp(op);
  return success();
}
