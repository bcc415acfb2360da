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

/// The value that all elements of the tile have: a scalar or a constant; null if they may differ.
static Value scalarOf(Value value) {
  while (llvm::cast<tile::TileType>(value.getType()).getRank() > 0) {
    if (auto constant = value.getDefiningOp<tile::ConstantOp>())
      return constant.getValue().isSplat() ? value : Value();
    auto moved = value.getDefiningOp<tile::RearrangementOpInterface>();
    if (!moved)
      return {};
    value = moved.getMoved();
  }
  return value;
}

/// The step of a product. One factor must be constant over the iterations, because otherwise the
/// step would change, too, and the same for all elements.
static Answer productOf(tile::MulIOp op, Answer lhs, Answer rhs) {
  if (!lhs || !rhs || (!lhs->isZero() && !rhs->isZero()))
    return std::nullopt;
  if (lhs->isZero() && rhs->isZero())
    return lhs;
  bool changesLeft = !lhs->isZero();
  Value factor = scalarOf(changesLeft ? op.getRhs() : op.getLhs());
  if (!factor)
    return std::nullopt;
  return InductionStep{Kind::Product, factor, {*std::move(changesLeft ? lhs : rhs)}};
}

/// Whether the integer, read as signed, is known not to be negative.
static bool isNonNegative(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
      return constant.getValue().isSplat() &&
             constant.getValue().getSplatValue<llvm::APInt>().isNonNegative();
    if (auto extend = llvm::dyn_cast<tile::ExtIOp>(op)) {
      if (extend.getSignedness() == tile::Signedness::Unsigned)
        return true;
      value = extend.getFrom();
      continue;
    }
    auto assume = llvm::dyn_cast<tile::AssumeOp>(op);
    if (!assume)
      return false;
    auto bounds = llvm::dyn_cast<tile::BoundedAttr>(mlir::Attribute(assume.getPredicate()));
    if (bounds && bounds.getLb().value_or(-1) >= 0)
      return true;
    value = assume.getValue();
  }
  return false;
}

namespace {
/// Computes the step of an integer from the steps of the values that it is computed from.
class Follower {
public:
  /// `known`: returns the step of a value that is not computed from others, or none if the value is
  /// computed. `positive`: a value that is known to be positive when read as signed; may be null.
  Follower(llvm::function_ref<Answer(Value)> known, Value positive = {})
      : known(known), positive(positive) {}

  Answer stepOf(Value index);

private:
  Answer follow(Operation *op);
  Answer stepOfSigned(Value index);
  bool isNonNegative(const InductionStep &step) const;

  llvm::function_ref<Answer(Value)> known;
  Value positive;
  /// How many more values may be visited. A value with two uses is visited twice, so a chain of n
  /// such values would have a step of 2^n terms.
  unsigned visits = analysis::mostVisitsForStep;
};
} // namespace

Answer Follower::stepOf(Value index) {
  if (visits == 0)
    return std::nullopt;
  --visits;
  if (Answer step = known(index))
    return step;
  return index.getDefiningOp() ? follow(index.getDefiningOp()) : std::nullopt;
}

/// The step of an integer that is sign-extended.
Answer Follower::stepOfSigned(Value index) {
  Answer step = stepOf(index);
  return step && !isNonNegative(*step) ? std::nullopt : step;
}

Answer Follower::follow(Operation *op) {
  return llvm::TypeSwitch<Operation *, Answer>(op)
      .Case([](tile::ConstantOp) { return InductionStep(); })
      .Case([&](tile::ExtIOp extend) -> Answer {
        const bool isSigned = extend.getSignedness() == tile::Signedness::Signed;
        return isSigned ? stepOfSigned(extend.getFrom()) : stepOf(extend.getFrom());
      })
      .Case([](tile::IotaOp) { return InductionStep(); })
      .Case([&](tile::RearrangementOpInterface op) -> Answer {
        const bool movesAlike = op->getNumOperands() == 1; // no coordinates, which might change
        return movesAlike ? stepOf(op.getMoved()) : std::nullopt;
      })
      .Case([&](tile::OffsetOp offset) {
        // Offsets are signed (operations, 4.9); for 64 bits this makes no difference.
        Value elements = offset.getOffset();
        bool isWide = llvm::cast<tile::TileType>(elements.getType()).getElementType().isInteger(64);
        return sumOf(stepOf(offset.getPtr()), isWide ? stepOf(elements) : stepOfSigned(elements));
      })
      .Case([&](tile::TruncIOp truncate) { return stepOf(truncate.getFrom()); })
      .Case([&](tile::AssumeOp assume) { return stepOf(assume.getValue()); })
      .Case([&](tile::AddIOp add) { return sumOf(stepOf(add.getLhs()), stepOf(add.getRhs())); })
      .Case([&](tile::MulIOp mul) {
        return productOf(mul, stepOf(mul.getLhs()), stepOf(mul.getRhs()));
      })
      .Default([](Operation *) { return std::nullopt; });
}

bool Follower::isNonNegative(const InductionStep &step) const {
  const bool hasValue = step.kind == Kind::Value || step.kind == Kind::Product;
  if (hasValue && step.value != positive && !::isNonNegative(step.value))
    return false;
  return llvm::all_of(step.operands, [&](const auto &part) { return isNonNegative(part); });
}

Answer analysis::stepPerIteration(Value index, tile::ForOp loop) {
  auto known = [&](Value value) -> Answer {
    if (value == loop.inductionVar())
      return InductionStep{Kind::Value, loop.getStep(), {}};
    if (!loop.getRegion().isAncestor(value.getParentRegion()))
      return InductionStep();
    return std::nullopt;
  };
  // A step of the loop that is not positive is undefined behaviour (operations, 5.2).
  return Follower(known, loop.getUnsignedCmp() ? Value() : loop.getStep()).stepOf(index);
}

Answer analysis::stepPerBlock(Value index) {
  auto known = [](Value value) -> Answer {
    if (auto id = value.getDefiningOp<tile::GetTileBlockIdOp>())
      return InductionStep{value == id->getResult(0) ? Kind::One : Kind::Zero, {}, {}};
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    if (argument && llvm::isa<tile::EntryOp>(argument.getOwner()->getParentOp()))
      return InductionStep();
    return std::nullopt;
  };
  return Follower(known).stepOf(index);
}
