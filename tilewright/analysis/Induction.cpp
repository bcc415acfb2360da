// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Induction.h.

#include "tilewright/analysis/Induction.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using analysis::InductionStep;
using mlir::Operation;
using mlir::Value;
using Answer = std::optional<InductionStep>;
using Kind = InductionStep::Kind;

static Answer sumOf(Answer lhs, Answer rhs) {
  if (!lhs || !rhs)
    return std::nullopt;
  if (lhs->isZero() || rhs->isZero())
    return lhs->isZero() ? rhs : lhs;
  return InductionStep{Kind::Sum, {}, {*std::move(lhs), *std::move(rhs)}};
}

/// Of which one factor stays, as the step would change, too.
static Answer productOf(tile::MulIOp op, Answer lhs, Answer rhs) {
  if (!lhs || !rhs || (!lhs->isZero() && !rhs->isZero()))
    return std::nullopt;
  if (lhs->isZero() && rhs->isZero())
    return lhs;
  bool changesLeft = !lhs->isZero();
  return InductionStep{Kind::Product,
                       changesLeft ? op.getRhs() : op.getLhs(),
                       {*std::move(changesLeft ? lhs : rhs)}};
}

/// `known`: the step of a value that is not computed from others; none for other values.
/// `visits`: how many values may still be looked at. A value that is read twice is followed twice,
/// so a chain of n such values would have a step of 2^n terms.
static Answer stepOf(Value index, llvm::function_ref<Answer(Value)> known, unsigned &visits) {
  if (visits == 0)
    return std::nullopt;
  --visits;
  if (Answer step = known(index))
    return step;
  if (!index.getDefiningOp())
    return std::nullopt;
  auto follow = [&](Value operand) { return stepOf(operand, known, visits); };
  return llvm::TypeSwitch<Operation *, Answer>(index.getDefiningOp())
      .Case([](tile::ConstantOp) { return InductionStep(); })
      .Case<tile::ExtIOp, tile::TruncIOp>([&](auto op) { return follow(op.getFrom()); })
      .Case([&](tile::AssumeOp op) { return follow(op.getValue()); })
      .Case([&](tile::AddIOp op) { return sumOf(follow(op.getLhs()), follow(op.getRhs())); })
      .Case(
          [&](tile::MulIOp op) { return productOf(op, follow(op.getLhs()), follow(op.getRhs())); })
      .Default([](Operation *) { return std::nullopt; });
}

static Answer stepOf(Value index, llvm::function_ref<Answer(Value)> known) {
  unsigned visits = analysis::mostVisitsForStep;
  return stepOf(index, known, visits);
}

Answer analysis::stepPerIteration(Value index, tile::ForOp loop) {
  return stepOf(index, [&](Value value) -> Answer {
    if (value == loop.inductionVar())
      return InductionStep{Kind::Value, loop.getStep(), {}};
    if (!loop.getRegion().isAncestor(value.getParentRegion()))
      return InductionStep();
    return std::nullopt;
  });
}

Answer analysis::stepPerBlock(Value index) {
  return stepOf(index, [](Value value) -> Answer {
    if (auto id = value.getDefiningOp<tile::GetTileBlockIdOp>())
      return InductionStep{value == id->getResult(0) ? Kind::One : Kind::Zero, {}, {}};
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    if (argument && llvm::isa<tile::EntryOp>(argument.getOwner()->getParentOp()))
      return InductionStep();
    return std::nullopt;
  });
}
