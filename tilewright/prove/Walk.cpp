// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Walk.h.

#include "tilewright/prove/Walk.h"
#include "tilewright/prove/Accesses.h"
#include "tilewright/prove/Elementwise.h"
#include "tilewright/tile/Loops.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::prove;
using mlir::Block;
using mlir::Operation;
using mlir::Value;

namespace {
class Walk {
public:
  explicit Walk(Analysis &analysis) : evaluator(analysis), analysis(analysis) {}

  void run(tile::EntryOp entry, llvm::ArrayRef<std::string> names);

private:
  /// One iteration stands for all: the number of the iteration, and when the body is executed.
  struct Iterations {
    SymbolId number;
    Path path;
  };

  void execute(Block &block);
  void execute(Operation *op);
  void executeSimple(Operation *op);
  void executeIf(tile::IfOp op);
  void executeFor(tile::ForOp op);
  void executeLoop(tile::LoopOp op);
  /// The results are those of `total` iterations, if that is known.
  void iterate(Operation *loop, Block &body, llvm::ArrayRef<mlir::BlockArgument> carried,
               const Iterations &iterations, std::optional<Polynomial> total);
  std::vector<std::optional<Polynomial>> growth(Operation *loop, Block &body,
                                                llvm::ArrayRef<mlir::BlockArgument> carried,
                                                const Iterations &iterations);
  void skip(Operation *op);

  Evaluator evaluator;
  Analysis &analysis;
  unsigned executed = 0;
};
} // namespace

/// Bodies of loops are executed twice, and so those of nested loops often. After this many
/// operations, nothing is known about what a loop carries.
static constexpr unsigned mostExecuted = 1 << 15;

void Walk::run(tile::EntryOp entry, llvm::ArrayRef<std::string> names) {
  evaluator.begin(entry, names);
  execute(entry.getBody().front());
}

void Walk::execute(Block &block) {
  for (Operation &op : block)
    execute(&op);
}

void Walk::execute(Operation *op) {
  ++executed;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::IfOp branch) { executeIf(branch); })
      .Case([&](tile::ForOp counted) { executeFor(counted); })
      .Case([&](tile::LoopOp endless) { executeLoop(endless); })
      .Default([&](Operation *other) {
        if (other->getNumRegions())
          skip(other);
        else
          executeSimple(other);
      });
}

void Walk::executeSimple(Operation *op) {
  if (!evaluator.execute(op) && !Elementwise(evaluator).execute(op) &&
      !Accesses(evaluator).execute(op))
    for (Value result : op->getResults())
      evaluator.define(result, evaluator.anything(result, op));
  evaluator.limit(op);
}

/// Bodies of reductions compute no addresses.
void Walk::skip(Operation *op) {
  op->walk([&](tile::MemoryAccessOpInterface access) {
    analysis.subjects.push_back({access, {}, /*isAccess=*/true, op});
  });
  for (Value result : op->getResults())
    evaluator.define(result, evaluator.anything(result, op));
}

//===-- Branches ----------------------------------------------------------------------------===//

static Path within(Path path, const Cases &condition, const Support &support) {
  path.cases = both(path.cases, condition);
  path.support += support;
  return path;
}

static bool leaves(Block *block) {
  return block && !block->empty() && !llvm::isa<tile::YieldOp>(block->back());
}

void Walk::executeIf(tile::IfOp op) {
  const Truth condition = evaluator.truthOf(op.getCondition());
  const Path before = evaluator.path;
  const Path thenPath = within(before, condition.whenTrue, condition.support);
  const Path elsePath = within(before, condition.whenFalse, condition.support);
  evaluator.path = thenPath;
  execute(*op.thenBlock());
  if (Block *other = op.elseBlock()) {
    evaluator.path = elsePath;
    execute(*other);
  }
  evaluator.path = leaves(op.thenBlock()) ? elsePath : leaves(op.elseBlock()) ? thenPath : before;
  for (auto [number, result] : llvm::enumerate(op.getResults())) {
    const auto from = [&, number = number](Block *block) {
      return leaves(block) ? AbstractValue() : evaluator.valueOf(block->back().getOperand(number));
    };
    const AbstractValue whenTrue = from(op.thenBlock()), whenFalse = from(op.elseBlock());
    if (leaves(op.thenBlock()) || leaves(op.elseBlock()))
      evaluator.define(result, leaves(op.thenBlock()) ? whenFalse : whenTrue);
    else
      evaluator.define(result, evaluator.choose(condition, result, whenTrue, whenFalse));
  }
}

//===-- Loops -------------------------------------------------------------------------------===//

/// The difference of two values of the same kind; none if it is not known.
static std::optional<Polynomial> difference(const AbstractValue &after,
                                            const AbstractValue &before) {
  if (const auto *a = std::get_if<Number>(&after), *b = std::get_if<Number>(&before); a && b)
    return a->value - b->value;
  const auto *a = std::get_if<Pointer>(&after), *b = std::get_if<Pointer>(&before);
  if (a && b && a->memory && a->memory == b->memory)
    return a->offset - b->offset;
  return std::nullopt;
}

/// The value with something added to it.
static AbstractValue grown(AbstractValue value, const Polynomial &by, unsigned obligation) {
  if (auto *number = std::get_if<Number>(&value))
    number->value += by;
  if (auto *pointer = std::get_if<Pointer>(&value))
    pointer->offset += by;
  restOn(value, {{obligation}});
  return value;
}

/// By how much each carried value grows per iteration, if by the same amount in all: the body is
/// executed with unknown values, and must add something that was known before the loop.
std::vector<std::optional<Polynomial>> Walk::growth(Operation *loop, Block &body,
                                                    llvm::ArrayRef<mlir::BlockArgument> carried,
                                                    const Iterations &iterations) {
  std::vector<std::optional<Polynomial>> all(carried.size());
  if (carried.empty() || executed > mostExecuted)
    return all;
  const size_t obligations = analysis.obligations.size(), subjects = analysis.subjects.size();
  std::vector<AbstractValue> before;
  for (auto [argument, init] : llvm::zip_equal(carried, tile::initValuesOf(loop))) {
    before.push_back(evaluator.anything(argument, loop));
    const AbstractValue first = evaluator.valueOf(init);
    if (auto *any = std::get_if<Pointer>(&before.back()))
      if (const auto *start = std::get_if<Pointer>(&first))
        *any = {start->memory,
                analysis.symbols.addComputed([](const Polynomial &) -> Cases { return {{}}; }, loop,
                                             !shapeOf(argument).empty())};
    evaluator.define(argument, before.back());
  }
  evaluator.path = iterations.path;
  execute(body);
  const auto continues = tile::continuesOf(loop);
  const bool everyTime = continues.size() == 1 && continues.front() == &body.back();
  for (auto [number, value] : llvm::enumerate(before)) {
    if (!everyTime)
      continue;
    const auto change = difference(evaluator.valueOf(body.back().getOperand(number)), value);
    bool isKnown = change.has_value();
    if (change)
      change->forEachSymbol([&](SymbolId id) { isKnown &= id < iterations.number; });
    if (isKnown)
      all[number] = change;
  }
  analysis.obligations.resize(obligations, {nullptr, ObligationKind::Range, {}});
  analysis.subjects.resize(subjects, {nullptr, {}, false, nullptr});
  return all;
}

void Walk::iterate(Operation *loop, Block &body, llvm::ArrayRef<mlir::BlockArgument> carried,
                   const Iterations &iterations, std::optional<Polynomial> total) {
  const auto steps = growth(loop, body, carried, iterations);
  const Polynomial number = Polynomial::symbol(iterations.number);
  // Stands for what the body requires, of which the values of later iterations depend.
  const unsigned bodyHolds = analysis.obligations.size();
  analysis.obligations.push_back({loop, ObligationKind::Range, {}});
  std::vector<AbstractValue> starts;
  for (Value init : tile::initValuesOf(loop))
    starts.push_back(evaluator.valueOf(init));
  for (auto [argument, start, step] : llvm::zip_equal(carried, starts, steps))
    evaluator.define(argument, step ? grown(start, *step * number, bodyHolds)
                                    : evaluator.anything(argument, loop));
  evaluator.path = iterations.path;
  execute(body);
  Support support = iterations.path.support;
  if (llvm::isa<tile::ContinueOp>(body.back()))
    for (Value next : body.back().getOperands())
      support += supportOf(evaluator.valueOf(next));
  analysis.obligations[bodyHolds].support = support;
  for (auto [at, result] : llvm::enumerate(loop->getResults()))
    evaluator.define(result, total && steps[at] ? grown(starts[at], *steps[at] * *total, bodyHolds)
                                                : evaluator.anything(result, loop));
}

/// The number of iterations.
static Polynomial tripCount(Symbols &symbols, const Polynomial &lower, const Polynomial &upper,
                            const Polynomial &step) {
  return symbols.addComputed([&](const Polynomial &count) -> Cases {
    const Polynomial covered = step * count;
    return {{atLeast(lower, upper), equal(count, 0)},
            {lessThan(lower, upper), atLeast(count, 1), atLeast(covered, upper - lower),
             lessThan(covered, upper - lower + step)}};
  });
}

void Walk::executeFor(tile::ForOp op) {
  const auto bound = [&](Value value) {
    const Number number = evaluator.numberOf(value);
    return op.getUnsignedCmp() ? evaluator.asUnsigned(number, widthOf(value)) : number;
  };
  const Number lower = bound(op.getLowerBound()), upper = bound(op.getUpperBound()),
               step = bound(op.getStep());
  Support support = lower.support;
  (support += upper.support) += step.support;
  if (!step.value.constant() || *step.value.constant() < 1)
    support += evaluator.require(op, ObligationKind::Control, {{lessThan(step.value, 1)}}, support);
  const SymbolId id = analysis.symbols.size();
  const Polynomial number = analysis.symbols.addComputed([&](const Polynomial &n) -> Cases {
    return {{atLeast(n, 0), atLeast(step.value, 1),
             lessThan(lower.value + step.value * n, upper.value)}};
  });
  if (op.getUnsignedCmp())
    support +=
        evaluator.require(op, ObligationKind::Range,
                          negation(rangeOf(upper.value, widthOf(op.getUpperBound()))[1]), support);
  const Path before = evaluator.path;
  const Number induction{lower.value + step.value * number, support};
  evaluator.define(op.inductionVar(), induction);
  Iterations iterations{id, before};
  iterations.path.support += support;
  const llvm::SmallVector<mlir::BlockArgument> carried(op.iterArgs());
  iterate(op, *op.body(), carried, iterations,
          tripCount(analysis.symbols, lower.value, upper.value, step.value));
  evaluator.path = before;
}

void Walk::executeLoop(tile::LoopOp op) {
  const SymbolId number = analysis.symbols.size();
  analysis.symbols.addComputed([](const Polynomial &n) -> Cases { return {{atLeast(n, 0)}}; });
  const Path before = evaluator.path;
  const llvm::SmallVector<mlir::BlockArgument> carried(op.body()->getArguments());
  iterate(op, *op.body(), carried, {number, before}, std::nullopt);
  evaluator.path = before;
}

static unsigned largestRank(tile::EntryOp entry) {
  size_t rank = 0;
  entry.walk([&](Operation *op) {
    for (Value result : op->getResults())
      rank = std::max(rank, shapeOf(result).size());
  });
  return rank;
}

Analysis prove::analyse(tile::EntryOp entry, llvm::ArrayRef<std::string> names) {
  Analysis analysis{Symbols(largestRank(entry)), {}, {}, {}};
  Walk(analysis).run(entry, names);
  return analysis;
}
