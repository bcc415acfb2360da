// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Exhaustive.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/reference/exhaustive/Interpretation.h"
#include "tilewright/reference/memory/Access.h"
#include "llvm/ADT/Sequence.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;

namespace {

using Details = BehaviourDetails;

/// Collects the results of all executions.
class Collector {
public:
  Collector(const Interpretation &interpretation, Memory &memory, const Program &program)
      : interpretation(interpretation), memory(memory), program(program) {}

  void add(ArrayRef<const Behaviour *> behaviours, const Executions &executions);
  ExhaustiveResult result;

private:
  void addFinding(Finding finding);
  void addRace(ArrayRef<const Behaviour *> behaviours, Race race);
  void addWait(const Details &details, const Trace &trace);
  MemoryChange changeOf(const FinalMemory &finalMemory) const;
  /// The array or global that contains a byte; null if the byte is in an alloca.
  const Allocation *allocationAt(Location location) const;

  const Interpretation &interpretation;
  Memory &memory;
  const Program &program;
  std::set<std::string> findingTexts;
  std::set<std::pair<mlir::Operation *, mlir::Operation *>> racingPairs;
};

} // namespace

static bool hasErrors(const ExhaustiveResult &result) {
  return !llvm::all_of(result.findings,
                       [](const Finding &finding) { return isWarning(finding.kind); });
}

ExhaustiveResult reference::exploreAll(const Program &program, const runtime::Grid &grid,
                                       Memory &memory,
                                       const llvm::DenseMap<mlir::StringAttr, uint64_t> &globals,
                                       ArrayRef<Element> parameters, const LaunchOptions &options,
                                       const ExhaustiveLimits &limits) {
  // A single block has no races; races between blocks are found in the executions.
  LaunchOptions withoutRaces = options;
  withoutRaces.checks.set(Check::Race, false);
  Interpretation interpretation(program, grid, memory, globals, parameters, withoutRaces,
                                limits.accesses);
  std::optional<Collector> collector;
  auto restart = [&] { collector.emplace(interpretation, memory, program); };
  restart();

  auto run = [&](unsigned block, ChooseValue choose) { return interpretation.run(block, choose); };
  auto initialValue = [&](Location location) { return interpretation.initialValue(location); };
  auto visit = [&](ArrayRef<const Behaviour *> behaviours, const Executions &executions) {
    collector->add(behaviours, executions);
    return !limits.stopsAtError || !hasErrors(collector->result);
  };
  ExplorationLimits exploration = limits.exploration;
  if (options.cancelled)
    exploration.cancelled = options.cancelled;
  std::optional<std::string> limit =
      explore({unsigned(grid.blockCount()), run, initialValue, visit, restart}, exploration);
  collector->result.limit = std::move(limit);
  return std::move(collector->result);
}

//===-- Outcomes ----------------------------------------------------------------------------===//

static bool isOnlyWarning(const Finding &finding) { return isWarning(finding.kind); }

static const Details &detailsOf(const Behaviour *behaviour) {
  return *static_cast<const Details *>(behaviour->details.get());
}

void Collector::add(ArrayRef<const Behaviour *> behaviours, const Executions &executions) {
  bool hasEnded = true;
  for (const Behaviour *behaviour : behaviours) {
    const Details &details = detailsOf(behaviour);
    for (const Finding &finding : details.findings)
      addFinding(finding);
    if (details.waitingLoop)
      addWait(details, behaviour->trace);
    hasEnded &= !details.waitingLoop && llvm::all_of(details.findings, isOnlyWarning);
  }
  for (Race race : executions.races)
    addRace(behaviours, race);
  if (!hasEnded)
    return;
  result.executions += executions.count;
  for (const FinalMemory &finalMemory : executions.outcomes)
    result.outcomes.insert(changeOf(finalMemory));
}

const Allocation *Collector::allocationAt(Location location) const {
  if (location.begin >= Interpretation::firstPrivate)
    return nullptr;
  return memory.allowed({location.begin / 2, Format::I8}, 1, AccessKind::Read, /*block=*/0);
}

/// Locations need not be elements of the array: a value stored as i32 may lie in an array bound as
/// f32.
MemoryChange Collector::changeOf(const FinalMemory &finalMemory) const {
  std::map<uint64_t, uint8_t> halves;
  std::set<std::pair<const Allocation *, int64_t>> touched;
  for (auto [location, value] : finalMemory) {
    const Allocation *allocation = allocationAt(location);
    if (!allocation)
      continue;
    for (uint64_t half = location.begin; half < location.end; ++half) {
      halves[half] = slice(value, location, {half, half + 1}).bits;
      touched.insert({allocation, allocation->elementAt({half / 2, Format::I8, half % 2 == 1})});
    }
  }
  MemoryChange change;
  for (auto [allocation, index] : touched) {
    unsigned size = numerics::info(allocation->format).storageBits / 4;
    uint64_t begin = 2 * allocation->address + index * size;
    Location whole{begin, begin + size};
    Value value = interpretation.initialValue(whole);
    // Parts of an uninitialised element may still be missing.
    auto isTouched = [&](uint64_t half) { return halves.count(half) != 0; };
    if (llvm::all_of(llvm::seq(whole.begin, whole.end), isTouched))
      value.mark = Mark::None;
    for (auto half = halves.lower_bound(whole.begin);
         half != halves.end() && half->first < whole.end; ++half) {
      unsigned shift = 4 * (half->first - whole.begin);
      value.bits = (value.bits & ~(uint64_t(15) << shift)) | uint64_t(half->second) << shift;
    }
    auto [element, mark] = elementOf(value, allocation->format);
    element.poison = mark != Mark::None;
    change.push_back({allocation->name, index, element});
  }
  llvm::sort(change);
  return change;
}

//===-- Findings ----------------------------------------------------------------------------===//

void Collector::addFinding(Finding finding) {
  // Iteration numbers differ between executions, so they are ignored when findings are compared.
  Finding known = finding;
  known.iterations.clear();
  if (findingTexts.insert(toString(known)).second)
    result.findings.push_back(std::move(finding));
}

static std::string blockText(const runtime::Block &block) {
  return "block (" + std::to_string(block.x) + ", " + std::to_string(block.y) + ", " +
         std::to_string(block.z) + ")";
}

static Finding findingFor(const Program &program, const Details &details, FindingKind kind,
                          mlir::Operation *op, const std::string &what) {
  Finding finding{kind, op->getLoc(),
                  blockText(details.block) + ": " + nameOf(op).str() + ": " + what};
  finding.kernel = program.entry().getSymName().str();
  finding.block = details.block;
  finding.operation = nameOf(op).str();
  return finding;
}

void Collector::addWait(const Details &details, const Trace &trace) {
  Finding finding =
      findingFor(program, details, FindingKind::StepLimit, details.waitingLoop,
                 "may wait for ever: in some execution nobody writes what would end it");
  for (const Event &event : trace.events) {
    const Allocation *allocation = event.isLast ? allocationAt(event.location) : nullptr;
    if (!allocation)
      continue;
    mlir::Operation *op = details.operations[event.operation];
    Place place{event.location.begin / 2, Format::I8, event.location.begin % 2 == 1};
    finding.related.push_back({op->getLoc(), "waits here: " + nameOf(op).str() + " reads " +
                                                 allocation->name +
                                                 allocation->elementText(place)});
  }
  addFinding(std::move(finding));
}

static std::string reasonFor(const Event &one, const Event &other) {
  bool oneIsWeak = one.scope == Scope::None, otherIsWeak = other.scope == Scope::None;
  if (oneIsWeak && otherIsWeak)
    return "both are weak";
  if (oneIsWeak || otherIsWeak)
    return oneIsWeak ? "the first one is weak" : "the second one is weak";
  return one.location == other.location ? "the scope of one does not include the other's block"
                                        : "they overlap in part only";
}

void Collector::addRace(ArrayRef<const Behaviour *> behaviours, Race race) {
  const Details &first = detailsOf(behaviours[race.first.block]),
                &second = detailsOf(behaviours[race.second.block]);
  const Event &one = behaviours[race.first.block]->trace.events[race.first.event],
              &other = behaviours[race.second.block]->trace.events[race.second.event];
  mlir::Operation *firstOp = first.operations[one.operation],
                  *secondOp = second.operations[other.operation];
  if (!racingPairs.insert({firstOp, secondOp}).second)
    return;

  const Allocation *allocation = allocationAt(one.location);
  Place place{one.location.begin / 2, Format::I8, one.location.begin % 2 == 1};
  std::string array =
      allocation ? allocation->name + allocation->elementText(place) : "an element of an alloca";
  std::string firstText = nameOf(firstOp).str() + " by " + blockText(first.block);
  Finding finding = findingFor(program, second, FindingKind::Misbehaviour, secondOp,
                               "race on " + array + " with " + firstText +
                                   ": nothing orders the two, and " + reasonFor(one, other));
  finding.rule = &ruleOf(Check::Race);
  if (allocation) {
    finding.array = allocation->name;
    finding.arrayElement = allocation->elementAt(place);
  }
  finding.related.push_back({firstOp->getLoc(), "the first access: " + firstText});
  addFinding(std::move(finding));
}

//===-- Printing ----------------------------------------------------------------------------===//

static std::string countOf(uint64_t count, llvm::StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

void reference::print(const ExhaustiveResult &result, llvm::raw_ostream &os) {
  if (result.limit)
    os << "not all executions were explored: " << *result.limit << "\n";
  if (size_t errors = result.findings.size() - llvm::count_if(result.findings, isOnlyWarning)) {
    os << "the kernel is undefined, or does not end: " << countOf(errors, "finding") << "\n";
    return;
  }
  os << countOf(result.executions, "execution") << ", "
     << countOf(result.outcomes.size(), "outcome") << "\n";
  size_t number = 0;
  for (const MemoryChange &outcome : result.outcomes) {
    os << "outcome " << ++number << ":";
    for (const ArrayElement &element : outcome)
      os << " " << element.array << "[" << element.index
         << "] = " << numerics::toString(element.value) << ";";
    os << (outcome.empty() ? " nothing has changed" : "") << "\n";
  }
}
