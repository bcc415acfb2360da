// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalizes `select` by the two lists in arithmetic, 6: folds, of which the first that matches
// applies, and rewrites that create new operations. Other tools print the same canonical form, so
// there are no other patterns.

#include "tilewright/tile/ops/Conditions.h"

using namespace mlir;
using namespace tilewright::tile;

//===-- Folds, in the order of the list ---------------------------------------------------===//

/// Rules 4 and 4': a select between two values by their equality. If they are equal, either is
/// correct, so the value for the unequal case is always correct.
static Value chosenByEquality(SelectOp op) {
  auto compare = op.getCond().getDefiningOp<CmpIOp>();
  if (!compare)
    return {};
  Value ifTrue = op.getValIfTrue(), ifFalse = op.getValIfFalse();
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  if (!(lhs == ifTrue && rhs == ifFalse) && !(lhs == ifFalse && rhs == ifTrue))
    return {};
  switch (compare.getComparisonPredicate()) {
  case ComparisonPredicate::Equal:
    return ifFalse;
  case ComparisonPredicate::NotEqual:
    return ifTrue;
  default:
    return {};
  }
}

/// Rule 5: a select on a negated condition swaps its values instead.
static bool dropNegation(SelectOp op) {
  Value condition = negatedCondition(op.getCond());
  if (!condition)
    return false;
  Value ifTrue = op.getValIfTrue(), ifFalse = op.getValIfFalse();
  op.getCondMutable().assign(condition);
  op.getValIfTrueMutable().assign(ifFalse);
  op.getValIfFalseMutable().assign(ifTrue);
  return true;
}

/// Rules 6 and 6': a nested select on the same condition has a known outcome.
static bool dropRepeatedChoice(SelectOp op) {
  auto inner = [&](Value value) {
    auto select = value.getDefiningOp<SelectOp>();
    return select && select.getCond() == op.getCond() ? select : SelectOp();
  };
  if (SelectOp select = inner(op.getValIfTrue())) {
    op.getValIfTrueMutable().assign(select.getValIfTrue());
    return true;
  }
  if (SelectOp select = inner(op.getValIfFalse())) {
    op.getValIfFalseMutable().assign(select.getValIfFalse());
    return true;
  }
  return false;
}

OpFoldResult SelectOp::fold(FoldAdaptor) {
  // In a module body, where the order of operations has no meaning, values may form cycles.
  if (llvm::is_contained(getOperands(), getResult()))
    return {};
  if (getValIfTrue() == getValIfFalse()) // 1
    return getValIfTrue();
  if (std::optional<bool> condition = constantCondition(getCond())) // 2
    return *condition ? getValIfTrue() : getValIfFalse();
  if (constantCondition(getValIfTrue()) == true && constantCondition(getValIfFalse()) == false)
    return getCond(); // 3
  if (Value chosen = chosenByEquality(*this))
    return chosen;
  if (dropNegation(*this) || dropRepeatedChoice(*this))
    return getResult();
  return {};
}

//===-- Rewrites --------------------------------------------------------------------------===//

/// select p, false, true: xori p, true
static LogicalResult selectToNegation(SelectOp op, PatternRewriter &rewriter) {
  if (constantCondition(op.getValIfTrue()) != false ||
      constantCondition(op.getValIfFalse()) != true)
    return failure();
  rewriter.replaceOpWithNewOp<XOrIOp>(op, op.getType(), op.getCond(), op.getValIfFalse());
  return success();
}

template <typename Element>
static DenseElementsAttr chooseElements(DenseElementsAttr condition, DenseElementsAttr ifTrue,
                                        DenseElementsAttr ifFalse) {
  SmallVector<Element> chosen;
  chosen.reserve(condition.getNumElements());
  for (auto [c, t, f] : llvm::zip_equal(condition.getValues<bool>(), ifTrue.getValues<Element>(),
                                        ifFalse.getValues<Element>()))
    chosen.push_back(c ? t : f);
  return DenseElementsAttr::get(ifTrue.getType(), chosen);
}

/// A select of constants by a constant is a constant.
static LogicalResult selectAmongConstants(SelectOp op, PatternRewriter &rewriter) {
  DenseElementsAttr condition = constantElements(op.getCond());
  DenseElementsAttr ifTrue = constantElements(op.getValIfTrue());
  DenseElementsAttr ifFalse = constantElements(op.getValIfFalse());
  if (!condition || !ifTrue || !ifFalse)
    return failure();
  DenseElementsAttr chosen = isa<FloatType>(ifTrue.getElementType())
                                 ? chooseElements<APFloat>(condition, ifTrue, ifFalse)
                                 : chooseElements<APInt>(condition, ifTrue, ifFalse);
  rewriter.replaceOpWithNewOp<ConstantOp>(op, op.getType(), chosen);
  return success();
}

static std::optional<APInt> splatInteger(Value value) {
  DenseElementsAttr elements = constantElements(value);
  if (!elements || !elements.isSplat() || !elements.getElementType().isInteger())
    return std::nullopt;
  return elements.getSplatValue<APInt>();
}

/// select c, 1, 0: exti c unsigned; with 0 and 1 swapped, extends the negated condition.
static LogicalResult selectToExtension(SelectOp op, PatternRewriter &rewriter) {
  std::optional<APInt> ifTrue = splatInteger(op.getValIfTrue());
  std::optional<APInt> ifFalse = splatInteger(op.getValIfFalse());
  if (!ifTrue || !ifFalse || ifTrue->getBitWidth() == 1)
    return failure();
  bool negated = ifTrue->isZero() && ifFalse->isOne();
  if (!negated && !(ifTrue->isOne() && ifFalse->isZero()))
    return failure();
  Value condition = op.getCond();
  if (negated)
    condition = negate(condition, op.getLoc(), rewriter);
  rewriter.replaceOpWithNewOp<ExtIOp>(op, op.getType(), condition, Signedness::Unsigned);
  return success();
}

void SelectOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(selectToNegation);
  patterns.add(selectAmongConstants);
  patterns.add(selectToExtension);
}
