// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Strengthen.h. Sets of one change are tried first, then of two and of three. Of equally large
// sets, one that changes accesses which are scoped already costs less than one that gives weak
// accesses a scope: that also removes a race, but orders nothing.

#include "tilewright/api/advise/Strengthen.h"

#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using support::Result;
using tile::MemoryAccessOpInterface;
using tile::MemoryOrderingSemantics;
using tile::MemoryScope;

static constexpr size_t mostChanges = 3;
/// How many sets are tried: an exploration or some launches each.
static constexpr size_t mostExplored = 3000, mostSampled = 200;
static constexpr size_t mostFixes = 8;

namespace {
struct Candidate {
  Change change;
  unsigned cost;
};

class Search {
public:
  Search(const ExploredProgram &program, const Trial &original, Trials &trials)
      : program(program), trials(trials),
        budget(trials.isExhaustive() ? mostExplored : mostSampled) {
    addCandidates(original);
  }
  Result<Fixes> run();

private:
  void addCandidates(const Trial &original);
  void addOrderings(MemoryAccessOpInterface access);
  void addTokens(MemoryAccessOpInterface access, llvm::ArrayRef<Value> tokens,
                 const mlir::DominanceInfo &dominance);
  Result<void> grow(size_t size, size_t first, std::vector<size_t> &chosen);
  Result<void> tryOne(const std::vector<size_t> &chosen);

  const ExploredProgram &program;
  Trials &trials;
  size_t budget;
  std::vector<Candidate> candidates;
  Fixes fixes;
  unsigned leastCost = 0;
};
} // namespace

//===-- Candidates --------------------------------------------------------------------------===//

/// The memory operations that a race is about, and those that are not weak.
static llvm::SetVector<Operation *> operationsFor(tile::EntryOp entry, const Trial &original) {
  llvm::DenseSet<const void *> racing;
  for (const Deviation &error : original.errors) {
    if (error.error->rule != &reference::ruleOf(reference::Check::Race))
      continue;
    racing.insert(error.error->location.getAsOpaquePointer());
    for (const report::Related &related : error.error->related)
      racing.insert(related.location.getAsOpaquePointer());
  }
  llvm::SetVector<Operation *> operations;
  entry.walk([&](MemoryAccessOpInterface access) {
    if (!access.isWeak() || racing.contains(access->getLoc().getAsOpaquePointer()))
      operations.insert(access);
  });
  return operations;
}

/// Values whose order is after this token, directly or through joins.
static void addEarlier(Value token, llvm::DenseSet<Value> &earlier) {
  if (!token || !earlier.insert(token).second)
    return;
  Operation *producer = token.getDefiningOp();
  if (auto join = llvm::dyn_cast_or_null<tile::JoinTokensOp>(producer))
    for (Value joined : join.getTokens())
      addEarlier(joined, earlier);
  if (auto access = llvm::dyn_cast_or_null<MemoryAccessOpInterface>(producer))
    addEarlier(access.getTokenBefore(), earlier);
}

static bool isToken(Value value) { return llvm::isa<tile::TokenType>(value.getType()); }

/// Tokens of these operations, and those that loops and branches carry.
static std::vector<Value> tokensOf(tile::EntryOp entry,
                                   const llvm::SetVector<Operation *> &operations) {
  std::vector<Value> tokens;
  entry->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    if (operations.contains(op) || op->getNumRegions())
      llvm::copy_if(op->getResults(), std::back_inserter(tokens), isToken);
    for (mlir::Region &region : op->getRegions())
      llvm::copy_if(region.getArguments(), std::back_inserter(tokens), isToken);
  });
  return tokens;
}

void Search::addOrderings(MemoryAccessOpInterface access) {
  static constexpr MemoryOrderingSemantics orderings[] = {
      MemoryOrderingSemantics::Relaxed, MemoryOrderingSemantics::Acquire,
      MemoryOrderingSemantics::Release, MemoryOrderingSemantics::AcqRel};
  const auto strengthOf = [](MemoryOrderingSemantics ordering) {
    return ordering == MemoryOrderingSemantics::AcqRel    ? 2u
           : ordering == MemoryOrderingSemantics::Relaxed ? 0u
                                                          : 1u;
  };
  constexpr unsigned costOfScope = 4;
  const Form form = Form::of(access);
  for (MemoryOrderingSemantics ordering : orderings)
    if (access.isWeak())
      for (MemoryScope scope : {MemoryScope::TileBlock, MemoryScope::Device})
        candidates.push_back({{access, SetOrdering{{ordering, scope}}},
                              costOfScope + strengthOf(ordering) + unsigned(scope)});
    else if (strengthOf(ordering) > strengthOf(form.ordering))
      candidates.push_back({{access, SetOrdering{{ordering, form.scope}}}, strengthOf(ordering)});
  if (form.scope == MemoryScope::TileBlock)
    candidates.push_back({{access, SetScope{MemoryScope::Device}}, 1});
}

void Search::addTokens(MemoryAccessOpInterface access, llvm::ArrayRef<Value> tokens,
                       const mlir::DominanceInfo &dominance) {
  if (!takesToken(access))
    return;
  llvm::DenseSet<Value> earlier;
  addEarlier(access.getTokenBefore(), earlier);
  for (Value token : tokens)
    if (!earlier.contains(token) && dominance.properlyDominates(token, access))
      candidates.push_back({{access, AddToken{token}}, 1});
}

void Search::addCandidates(const Trial &original) {
  const auto operations = operationsFor(program.entry(), original);
  const std::vector<Value> tokens = tokensOf(program.entry(), operations);
  const mlir::DominanceInfo dominance(program.entry());
  for (Operation *op : operations) {
    auto access = llvm::cast<MemoryAccessOpInterface>(op);
    addOrderings(access);
    addTokens(access, tokens, dominance);
  }
  llvm::erase_if(candidates, [&](const Candidate &candidate) {
    return !Variant::of(program, candidate.change);
  });
}

//===-- Trying ------------------------------------------------------------------------------===//

Result<void> Search::tryOne(const std::vector<size_t> &chosen) {
  std::vector<Change> changes;
  unsigned cost = 0;
  for (size_t index : chosen) {
    changes.push_back(candidates[index].change);
    cost += candidates[index].cost;
  }
  if (budget == 0 || (!fixes.all.empty() && cost > leastCost))
    return {};
  --budget;
  const auto trial = trials.judge(changes, TrialPurpose::IsRight);
  if (!trial)
    return trial.failure();
  if (trials.isCancelled() || !*trial || !(*trial)->errors.empty() || !(*trial)->limit.empty())
    return {};
  if (fixes.all.empty() || cost < leastCost)
    fixes.all.clear();
  leastCost = cost;
  fixes.all.push_back(std::move(changes));
  return {};
}

/// Extends the set by later candidates to this size. An operation has one ordering and one scope.
Result<void> Search::grow(size_t size, size_t first, std::vector<size_t> &chosen) {
  if (chosen.size() == size)
    return tryOne(chosen);
  for (size_t index = first; index < candidates.size() && budget && !trials.isCancelled();
       ++index) {
    const Change &change = candidates[index].change;
    const bool isTaken = llvm::any_of(chosen, [&](size_t other) {
      return candidates[other].change.op == change.op &&
             candidates[other].change.what.index() == change.what.index() &&
             !std::holds_alternative<AddToken>(change.what);
    });
    if (isTaken)
      continue;
    chosen.push_back(index);
    if (Result<void> grown = grow(size, index + 1, chosen); !grown)
      return grown;
    chosen.pop_back();
  }
  return {};
}

Result<Fixes> Search::run() {
  size_t size = 0;
  while (++size <= mostChanges && fixes.all.empty() && budget && !trials.isCancelled()) {
    std::vector<size_t> chosen;
    if (Result<void> grown = grow(size, 0, chosen); !grown)
      return grown.failure();
  }
  if (fixes.all.size() > mostFixes)
    fixes.all.resize(mostFixes);
  fixes.tried = budget ? "all sets of up to " + std::to_string(mostChanges) + " of "
                       : "the first " +
                             std::to_string(trials.isExhaustive() ? mostExplored : mostSampled) +
                             " sets of ";
  fixes.tried += std::to_string(candidates.size()) + " changes";
  return std::move(fixes);
}

Result<Fixes> api::findFixes(const ExploredProgram &program, const Trial &original,
                             Trials &trials) {
  return Search(program, original, trials).run();
}
