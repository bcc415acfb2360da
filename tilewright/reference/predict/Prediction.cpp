// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Prediction.h.

#include "tilewright/reference/predict/Prediction.h"
#include "tilewright/reference/predict/Reversals.h"
#include "tilewright/tile/Ops.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::reference;

bool reference::mayPredict(mlir::Operation *entry, int64_t blocks, const LaunchOptions &options) {
  // A dependent launch continues the history of the previous one, which cannot be repeated.
  if (blocks == 1 || !options.checks.has(Check::Race) || options.isDependent ||
      options.schedule != Schedule::ProgramOrder)
    return false;
  const auto communicates = [](mlir::Operation *op) {
    auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
    return access && !access.isWeak() ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  };
  return entry->walk(communicates).wasInterrupted();
}

bool reference::isWorthPredicting(const LaunchResult &result) {
  return result.blocksSynchronise && !result.wasEnded && !result.has(FindingKind::Misbehaviour) &&
         !result.has(FindingKind::StepLimit) && !result.has(FindingKind::Unsupported);
}

namespace {
/// The operations that all executions together may take, beyond as many as the given one took.
constexpr int64_t leastBudget = 20'000;

class Search {
public:
  Search(LaunchResult &result, const LaunchOptions &options, ExecuteOrder execute)
      : result(result), options(options), execute(execute),
        budget(std::min(result.steps + leastBudget, options.maxSteps)) {
    llvm::for_each(result.findings, [this](const Finding &finding) { (void)isNew(finding); });
  }

  /// Adds the pairs of a trace. False if an equal one was added before.
  bool add(ExecutionTrace trace);
  void run();
  Predicted takeSummary() { return std::move(summary); }

private:
  struct Candidate {
    std::shared_ptr<const ExecutionTrace> trace;
    Reversal reversal;
  };
  /// Errors of several executions are the same if rule and source lines are.
  using Key = std::tuple<const report::Rule *, const void *, const void *>;

  std::optional<ReplayOrder> next();
  void tryOrder(const ReplayOrder &order);
  LaunchResult executeWith(const ReplayOrder &order, ExecutionTrace &trace);
  void addErrors(LaunchResult found, const ExecutionTrace &trace);
  bool isNew(const Finding &finding);
  bool isCancelled() const { return options.cancelled && options.cancelled->load(); }

  LaunchResult &result;
  const LaunchOptions &options;
  ExecuteOrder execute;
  int64_t budget;
  Predicted summary = {};
  /// By the number of earlier candidates for the same pair of source operations, then by age.
  std::map<std::pair<unsigned, uint64_t>, Candidate> candidates;
  std::map<std::pair<mlir::Operation *, mlir::Operation *>, unsigned> countOf;
  uint64_t age = 0;
  std::set<std::string> triedOrders;
  std::set<uint64_t> seenTraces;
  std::set<Key> reported;
};
} // namespace

bool Search::add(ExecutionTrace trace) {
  if (trace.isCutShort())
    summary.limit = "too many accesses to record";
  if (!seenTraces.insert(signatureOf(trace)).second)
    return false;
  auto shared = std::make_shared<const ExecutionTrace>(std::move(trace));
  for (Reversal reversal : reversalsIn(*shared)) {
    mlir::Operation *first = shared->scoped()[reversal.first].op,
                    *second = shared->scoped()[reversal.second].op;
    candidates[{countOf[{first, second}]++, age++}] = {shared, reversal};
  }
  return true;
}

std::optional<ReplayOrder> Search::next() {
  while (!candidates.empty()) {
    const Candidate candidate = candidates.extract(candidates.begin()).mapped();
    std::optional<ReplayOrder> order = reversed(*candidate.trace, candidate.reversal);
    if (order && triedOrders.insert(order->text()).second)
      return order;
  }
  return std::nullopt;
}

void Search::run() {
  while (budget > 0 && !isCancelled()) {
    std::optional<ReplayOrder> order = next();
    if (!order)
      return;
    tryOrder(*order);
  }
  if (isCancelled())
    summary.limit = "the launch was cancelled";
  else if (!candidates.empty())
    summary.limit = "the limit of operations was reached";
}

LaunchResult Search::executeWith(const ReplayOrder &order, ExecutionTrace &trace) {
  const int64_t share = std::min(budget, std::max(budget / 4, leastBudget / 8));
  LaunchResult found = execute(order, share, trace);
  budget -= std::max<int64_t>(found.steps, 1);
  return found;
}

void Search::tryOrder(const ReplayOrder &order) {
  ExecutionTrace trace(/*stops=*/true);
  LaunchResult found = executeWith(order, trace);
  if (found.has(FindingKind::StepLimit))
    summary.limit = "the limit of operations was reached";
  const bool isDefined = !found.has(FindingKind::Misbehaviour);
  addErrors(std::move(found), trace);
  if (!isDefined || add(std::move(trace)))
    ++summary.schedules;
}

/// Whether the kernel is wrong, or only this execution of it has ended early.
static bool isError(const Finding &finding) {
  return !isWarning(finding.kind) && finding.kind != FindingKind::StepLimit &&
         finding.kind != FindingKind::Unsupported;
}

bool Search::isNew(const Finding &finding) {
  // The blocks of a deadlock wait at different places in each schedule.
  if (finding.kind == FindingKind::Deadlock)
    return reported.insert({finding.rule, nullptr, nullptr}).second;
  const void *one = finding.location.getAsOpaquePointer();
  const void *other =
      finding.related.empty() ? nullptr : finding.related[0].location.getAsOpaquePointer();
  return reported.insert({finding.rule, std::min(one, other), std::max(one, other)}).second;
}

/// The order of a trace that ends with the finding. If it ends behind the last memory operation,
/// its block goes on first.
static ReplayOrder orderOf(const Finding &finding, const ExecutionTrace &trace) {
  ReplayOrder order = trace.order();
  if (!llvm::isa_and_nonnull<tile::MemoryAccessOpInterface>(finding.op))
    order.run(finding.block.number, std::nullopt);
  return order;
}

/// Executes the schedule of each error once more: what is reported can be repeated.
void Search::addErrors(LaunchResult found, const ExecutionTrace &trace) {
  llvm::erase_if(found.findings,
                 [&](const Finding &finding) { return !isError(finding) || !isNew(finding); });
  for (Finding &finding : found.findings) {
    const ReplayOrder order = orderOf(finding, trace);
    ExecutionTrace again(/*stops=*/true);
    const LaunchResult repeated = execute(order, options.maxSteps, again);
    const bool happened = llvm::any_of(
        repeated.findings, [&](const Finding &other) { return other.message == finding.message; });
    finding.schedule = order.text();
    if (happened)
      result.add(std::move(finding));
  }
}

void reference::predict(LaunchResult &result, ExecutionTrace trace, const LaunchOptions &options,
                        ExecuteOrder execute) {
  Search search(result, options, execute);
  search.add(std::move(trace));
  search.run();
  result.predicted = search.takeSummary();
}
