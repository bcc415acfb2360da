// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergent control flow. All threads that take a branch or another loop iteration take it
// together; the others wait, keep their values, and are active again after it.

#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using llvm::formatv;
using numerics::Element;

/// The active threads for which a condition holds; none after a finding.
static std::optional<Threads> choose(Machine &machine, Operation &op, Value condition) {
  Threads chosen;
  for (int64_t thread : machine.active()) {
    const std::optional<int64_t> value = machine.decide(op, thread, condition, "the condition");
    if (!value)
      return std::nullopt;
    if (*value)
      chosen.push_back(thread);
  }
  return chosen;
}

/// A parallel assignment `targets = sources`: a source may be one of the targets. Inactive threads
/// keep their values.
static void assignAll(Machine &machine, ValueRange targets, ValueRange sources) {
  SmallVector<Register> copies;
  for (Value source : sources)
    copies.push_back(machine.of(source));
  for (auto [target, copy] : llvm::zip_equal(targets, copies))
    machine.assign(target, copy, /*keep=*/true);
}

namespace {
/// RAII: restricts execution to some of the active threads.
class Only {
public:
  Only(Machine &machine, Operation &op, const Threads &threads)
      : machine(machine), before(machine.enter(op, threads)) {}
  ~Only() { machine.leave(std::move(before)); }

private:
  Machine &machine;
  std::optional<Threads> before;
};
} // namespace

//===-- Branches -------------------------------------------------------------------------===//

/// Executes a block for some threads, which then have its results.
static LogicalResult branch(Machine &machine, Operation &op, Block &block, const Threads &threads) {
  if (threads.empty())
    return success();
  Only only(machine, op, threads);
  if (failed(machine.execute(block)))
    return failure();
  assignAll(machine, op.getResults(), block.getTerminator()->getOperands());
  return success();
}

static Threads without(const Threads &all, const Threads &some) {
  Threads rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(rest));
  return rest;
}

static LogicalResult executeIf(Machine &machine, scf::IfOp op) {
  const std::optional<Threads> taken = choose(machine, *op, op.getCondition());
  if (!taken)
    return failure();
  const Threads others = without(machine.active(), *taken);
  for (Value result : op.getResults())
    machine.define(result, taken->empty() || others.empty());
  if (failed(branch(machine, *op, *op.thenBlock(), *taken)))
    return failure();
  return op.elseBlock() ? branch(machine, *op, *op.elseBlock(), others) : success();
}

static LogicalResult executeSwitch(Machine &machine, scf::IndexSwitchOp op) {
  llvm::MapVector<Block *, Threads> branches;
  for (int64_t thread : machine.active()) {
    const std::optional<int64_t> chosen = machine.decide(*op, thread, op.getArg(), "the argument");
    if (!chosen)
      return failure();
    const auto *place = llvm::find(op.getCases(), *chosen);
    const bool isDefault = place == op.getCases().end();
    branches[isDefault ? &op.getDefaultBlock() : &op.getCaseBlock(place - op.getCases().begin())]
        .push_back(thread);
  }
  for (auto &[block, threads] : branches)
    if (failed(branch(machine, *op, *block, threads)))
      return failure();
  return success();
}

static LogicalResult executeRegion(Machine &machine, scf::ExecuteRegionOp op) {
  return branch(machine, *op, op.getRegion().front(), machine.active());
}

//===-- Loops ----------------------------------------------------------------------------===//

namespace {
/// The loop counters of all threads that may start another iteration.
struct Count {
  std::vector<int64_t> next, bound, step;
  bool isUnsigned;

  bool isOver(int64_t thread) const {
    return isUnsigned ? uint64_t(next[thread]) >= uint64_t(bound[thread])
                      : next[thread] >= bound[thread];
  }
};
} // namespace

static std::optional<Count> startCount(Machine &machine, scf::ForOp op) {
  Count count;
  count.isUnsigned = op.getUnsignedCmp();
  for (auto *list : {&count.next, &count.bound, &count.step})
    list->resize(machine.threads());
  for (int64_t thread : machine.active()) {
    const auto read = [&](Value value, int64_t &into) {
      const std::optional<int64_t> number = machine.decide(*op, thread, value, "a bound");
      if (!number)
        return false;
      into = count.isUnsigned ? int64_t(machine.of(value).at(thread).asUnsigned()) : *number;
      return true;
    };
    if (!read(op.getLowerBound(), count.next[thread]) ||
        !read(op.getUpperBound(), count.bound[thread]) || !read(op.getStep(), count.step[thread]))
      return std::nullopt;
    if (count.step[thread] <= 0) {
      (void)machine.stop(
          Check::Loop, *op,
          formatv("the step of thread {0} is {1}; it must be positive", thread, count.step[thread]),
          {thread});
      return std::nullopt;
    }
  }
  return count;
}

/// Sets the induction variable at the start of an iteration.
static void setInduction(Machine &machine, scf::ForOp op, const Count &count, bool uniform) {
  Register &variable = machine.define(op.getInductionVar(), uniform);
  for (int64_t thread : machine.rowsOf(variable))
    variable.set(thread, 0, Element::integer(variable.format, count.next[thread]));
}

/// Runs one more iteration for the threads that have not left the loop.
static LogicalResult iterate(Machine &machine, scf::ForOp op, Count &count, bool uniform,
                             const Threads &threads) {
  Only only(machine, *op, threads);
  setInduction(machine, op, count, uniform);
  if (failed(machine.countStep(*op)) || failed(machine.execute(*op.getBody())))
    return failure();
  assignAll(machine, op.getRegionIterArgs(), op.getYieldedValues());
  // If the induction variable would overflow, no iteration follows.
  for (int64_t thread : threads)
    if (__builtin_add_overflow(count.next[thread], count.step[thread], &count.next[thread]))
      count.next[thread] = count.bound[thread];
  return success();
}

static LogicalResult executeFor(Machine &machine, scf::ForOp op) {
  std::optional<Count> count = startCount(machine, op);
  if (!count)
    return failure();
  const bool uniform = machine.isUniform({op.getLowerBound(), op.getUpperBound(), op.getStep()});
  for (auto [argument, init] : llvm::zip_equal(op.getRegionIterArgs(), op.getInitArgs()))
    machine.assign(argument, Register(machine.of(init)));
  Threads left = machine.active();
  const auto drop = [&] {
    llvm::erase_if(left, [&](int64_t thread) { return count->isOver(thread); });
  };
  for (drop(); !left.empty(); drop())
    if (failed(iterate(machine, op, *count, uniform, left)))
      return failure();
  for (auto [result, argument] : llvm::zip_equal(op.getResults(), op.getRegionIterArgs()))
    machine.assign(result, machine.of(argument));
  return success();
}

static LogicalResult executeWhile(Machine &machine, scf::WhileOp op) {
  for (auto [argument, init] : llvm::zip_equal(op.getBeforeArguments(), op.getInits()))
    machine.assign(argument, Register(machine.of(init)));
  for (Value result : op.getResults())
    machine.define(result, machine.threads() == 1).spread(machine.threads());
  Threads left = machine.active();
  while (!left.empty()) {
    Only only(machine, *op, left);
    if (failed(machine.countStep(*op)) || failed(machine.execute(*op.getBeforeBody())))
      return failure();
    scf::ConditionOp condition = op.getConditionOp();
    std::optional<Threads> more = choose(machine, *condition, condition.getCondition());
    if (!more)
      return failure();
    // Threads that leave the loop keep these results; the others overwrite them later.
    assignAll(machine, op.getResults(), condition.getArgs());
    left = std::move(*more);
    if (left.empty())
      break;
    Only again(machine, *op, left);
    assignAll(machine, op.getAfterArguments(), condition.getArgs());
    if (failed(machine.execute(*op.getAfterBody())))
      return failure();
    assignAll(machine, op.getBeforeArguments(), op.getYieldOp().getOperands());
  }
  return success();
}

//===-- Calls ----------------------------------------------------------------------------===//

/// Calls are not recursive, because `run` has rejected recursion; so each value of a function has
/// one register.
static LogicalResult executeCall(Machine &machine, func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, op.getCalleeAttr());
  Block &body = callee.getBody().front();
  assignAll(machine, body.getArguments(), op.getOperands());
  if (failed(machine.execute(body)))
    return failure();
  assignAll(machine, op.getResults(), body.getTerminator()->getOperands());
  return success();
}

void simt::addControl(Table &table) {
  table.add<scf::IfOp, executeIf>();
  table.add<scf::IndexSwitchOp, executeSwitch>();
  table.add<scf::ExecuteRegionOp, executeRegion>();
  table.add<scf::ForOp, executeFor>();
  table.add<scf::WhileOp, executeWhile>();
  table.add<func::CallOp, executeCall>();
}
