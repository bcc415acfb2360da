// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the products that are delayed (Delays.h).

#include "tilewright/codegen/Remarks.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/tile/Loops.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::formatv;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

void Delays::add(Delay delay) {
  for (Operation *op :
       {delay.loop, delay.product.getOperation(), delay.cover.getOperation(), delay.firstReader})
    numbers[op] = all.size();
  all.push_back(delay);
}

const Delay *Delays::of(Operation *op) const {
  auto found = numbers.find(op);
  return found == numbers.end() ? nullptr : &all[found->second];
}

//===-- Structure -----------------------------------------------------------------------------===//

/// The loop-carried tile that becomes the result of the product; null if something else reads that.
static Value carriedAs(tile::MatmulOpInterface product, tile::ForOp loop) {
  Value result = product->getResult(0);
  if (!result.hasOneUse() || !llvm::isa<tile::ContinueOp>(*result.user_begin()) ||
      result.user_begin()->getBlock() != loop.body())
    return {};
  return loop.iterArgs()[result.use_begin()->getOperandNumber()];
}

namespace {
/// The search for what a delayed product needs. Each step returns what is missing, or an empty
/// text.
class DelaySearch {
public:
  DelaySearch(tile::ForOp loop, tile::MatmulOpInterface product, Value sums)
      : loop(loop), delay{loop, product, {}, sums, nullptr, {}} {}

  std::string run();

  tile::ForOp loop;
  Delay delay;

private:
  std::string findReaders();
  std::string findCover();
  std::string findSources();
  std::string checkBetween();
  bool comesFirst(Operation *op) const {
    return !delay.firstReader || op->isBeforeInBlock(delay.firstReader);
  }
};
} // namespace

std::string DelaySearch::run() {
  for (auto step : {&DelaySearch::findReaders, &DelaySearch::findCover, &DelaySearch::findSources,
                    &DelaySearch::checkBetween})
    if (std::string problem = (this->*step)(); !problem.empty())
      return problem;
  return {};
}

/// Finds the first of the operations that rescale the accumulators, and of the one that computes
/// lhs.
std::string DelaySearch::findReaders() {
  Operation *lhs = delay.product.getLhs().getDefiningOp();
  if (!lhs || lhs->getBlock() != loop.body() || !isByElements(lhs))
    return "lhs is not computed by an elementwise operation of the iteration";
  delay.firstReader = lhs;
  SmallVector<Value> scaled = {delay.sums};
  while (!scaled.empty())
    for (mlir::OpOperand &use : scaled.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user == delay.product && use.get() == delay.product.getAcc())
        continue;
      if (user->getBlock() != loop.body() || !isByElements(user))
        return codegen::nameAndPlace(user) + " reads its accumulators";
      if (comesFirst(user))
        delay.firstReader = user;
      llvm::append_range(scaled, user->getResults());
    }
  return {};
}

/// The last product before it.
std::string DelaySearch::findCover() {
  for (Operation &op : llvm::make_range(loop.body()->begin(), delay.product->getIterator()))
    if (auto product = llvm::dyn_cast<tile::MatmulOpInterface>(op))
      delay.cover = product;
  if (!delay.cover)
    return "no other product of the iteration precedes it";
  return comesFirst(delay.cover)
             ? ""
             : "its accumulators are rescaled, or its lhs is computed, before " +
                   codegen::nameAndPlace(delay.cover);
}

/// Lhs must not be computed before the previous one has been multiplied.
std::string DelaySearch::findSources() {
  for (Value source : delay.product.getLhs().getDefiningOp()->getOperands()) {
    if (!tileTypeOf(source) || isRecomputed(source))
      continue;
    Operation *maker = source.getDefiningOp();
    if (!maker || maker->getBlock() != loop.body() || !comesFirst(maker))
      return "its accumulators are rescaled before lhs is known";
    if (elementwise::wordBytes(tileTypeOf(source).getElementType()) != 4)
      return "lhs is not computed from elements of 32 bits";
    delay.sources.push_back(source);
  }
  return delay.sources.empty() ? "lhs does not depend on the iteration" : "";
}

/// While the product runs, there may be branches, but no other products, no loops, and no calls, at
/// which `ptxas` completes it.
std::string DelaySearch::checkBetween() {
  Operation *obstacle = nullptr;
  auto search = [&](Operation *op) {
    const bool isOne =
        tile::isLoop(op) || llvm::isa<tile::MatmulOpInterface, tile::PrintOp, tile::AssertOp>(op);
    obstacle = isOne ? op : obstacle;
    return isOne ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  };
  for (Operation *op = delay.cover->getNextNode(); op != delay.firstReader && !obstacle;
       op = op->getNextNode())
    op->walk(search);
  return obstacle ? codegen::nameAndPlace(obstacle) + " is between the products" : "";
}

bool nvidia::mayBeDelayed(tile::MatmulOpInterface product) {
  auto loop = llvm::dyn_cast<tile::ForOp>(product->getParentOp());
  Value sums = loop ? carriedAs(product, loop) : Value();
  return sums && DelaySearch(loop, product, sums).run().empty();
}

//===-- Plans ---------------------------------------------------------------------------------===//

/// Whether accumulators are f16, which are rounded after each product.
static bool isRounded(tile::MatmulOpInterface product) {
  return tileTypeOf(product->getResult(0)).getElementType().isF16();
}

/// Whether it is computed by one statement, from operands that no thread writes.
static bool isAtOnce(const Plan &plan, tile::MatmulOpInterface product) {
  auto found = plan.matrices.find(product);
  return found != plan.matrices.end() && found->second.form.isOfWarpgroup() &&
         !found->second.isPromoted && !isRounded(product) && plan.roles.ringOf(product) &&
         !plan.staged.find(product)->second.exchangedBytes();
}

/// All accumulators that are live at a time, and lhs, whose elements are in pairs.
static int64_t registersOf(const Plan &plan, const Delay &delay) {
  Value lhs = tile::MatmulOpInterface(delay.product).getLhs();
  return mostLiveAccumulators(plan.entry) / plan.threads + plan.layoutOf(lhs).slots() / 2;
}

/// Why the plan does not permit the delay; empty if it does.
static std::string problemOf(const Plan &plan, Delay delay) {
  const int64_t most = plan.target.tuning.mostDelayedRegisters;
  const int64_t registers = registersOf(plan, delay);
  if (!most)
    return "most-delayed-registers is 0";
  if (!plan.roles.ringOf(delay.product))
    return "all threads copy its rhs";
  if (isRounded(delay.product))
    return "its accumulators are rounded in each iteration";
  if (plan.delays.of(delay.loop))
    return "another product of the loop is delayed";
  if (!isAtOnce(plan, delay.cover))
    return codegen::nameAndPlace(delay.cover) +
           ", behind which it would be issued, is not computed by one wgmma statement";
  auto tooMany = [&](llvm::StringRef limit, int64_t number) {
    return formatv("accumulators and lhs take {0} registers per thread, more than {1}{2}",
                   registers, limit, number)
        .str();
  };
  if (registers > most)
    return tooMany("", most);
  const int64_t free = plan.registersOfThread() - plan.target.tuning.leastFreeRegisters;
  return plan.occupancy && registers > free ? tooMany("what the occupancy hint leaves: ", free)
                                            : "";
}

void nvidia::chooseDelays(Plan &plan) {
  for (auto &[op, staging] : plan.staged) {
    auto product = llvm::cast<tile::MatmulOpInterface>(op);
    auto loop = llvm::dyn_cast<tile::ForOp>(op->getParentOp());
    if (!loop || staging.lhs.way != StagedOperand::InRegisters ||
        !plan.matrices.find(op)->second.form.isOfWarpgroup())
      continue;
    Value sums = carriedAs(product, loop);
    if (!sums)
      continue;
    DelaySearch search(loop, product, sums);
    std::string problem = search.run();
    if (problem.empty())
      problem = problemOf(plan, search.delay);
    if (problem.empty())
      plan.delays.add(search.delay);
    else
      plan.delays.reasons.insert({op, problem});
  }
}
