// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trial.h.

#include "tilewright/api/advise/Trial.h"
#include "tilewright/api/devices/ReferenceRun.h"
#include "tilewright/api/devices/SavedArrays.h"
#include "tilewright/api/devices/WithinMemory.h"
#include "tilewright/reference/memory/Access.h"
#include "tilewright/reference/watch/Observer.h"

using namespace tilewright;
using namespace tilewright::api;
using support::Failure;
using support::Result;

/// An exploration relates all accesses with one another, and tries sources and orders of those that
/// are not weak: with more of them, it reaches its limit after minutes.
static constexpr int64_t mostExploredAccesses = 2000, mostExploredScoped = 24;
/// A changed kernel may wait for ever: it may execute this many operations more than the original,
/// and after an error.
static constexpr int64_t moreSteps = 1'000'000, stepsAfterError = 1000;
/// Schedules in which an error of an exploration is looked for.
static constexpr uint64_t schedulesForWitness = 16;
static constexpr size_t mostElementsInText = 16;

namespace {
class AccessCounter : public reference::Observer {
public:
  void onAccess(reference::TileBlock &, const reference::MemoryOperation &operation,
                const reference::Segment &segment) override {
    all += segment.count;
    scoped += operation.semantics.isWeak() ? 0 : segment.count;
  }
  int64_t all = 0, scoped = 0;
};
} // namespace

/// Whether only an execution has ended early.
static bool isLimit(const report::Finding &finding) {
  return finding.kind == report::FindingKind::StepLimit ||
         finding.kind == report::FindingKind::Unsupported;
}

/// Whether two findings are about the same operations.
static bool isSame(const report::Finding &one, const report::Finding &other) {
  const auto placesOf = [](const report::Finding &finding) {
    std::set<const void *> places = {finding.location.getAsOpaquePointer()};
    if (!finding.related.empty())
      places.insert(finding.related.front().location.getAsOpaquePointer());
    return places;
  };
  return one.rule == other.rule && one.kind == other.kind && placesOf(one) == placesOf(other);
}

/// Adds an error, if it is one and not known.
void Trials::add(Trial &trial, const report::Finding &finding, const std::string &schedule) const {
  const void *place = finding.location.getAsOpaquePointer();
  const bool isUnspecified = finding.kind == report::FindingKind::UnspecifiedValue;
  if (isUnspecified)
    trial.unspecified.insert(place);
  const bool isNew = isUnspecified && isKnown && !knownUnspecified.contains(place);
  const auto isThis = [&](const Deviation &error) { return isSame(*error.error, finding); };
  if ((isNew || !isWarning(finding.kind)) && llvm::none_of(trial.errors, isThis))
    trial.errors.push_back({finding, {headlineOf(finding), schedule}});
}

static std::string scheduleText(reference::Schedule schedule, uint64_t seed) {
  const std::string name = reference::nameOf(schedule).str();
  return schedule == reference::Schedule::Random ? name + " --seed " + std::to_string(seed) : name;
}

//===-- Launches ----------------------------------------------------------------------------===//

Result<reference::LaunchResult> Trials::launch(tile::EntryOp entry, reference::Schedule schedule,
                                               uint64_t seed, reference::Observer *observer) {
  ReferenceRun run{entry, grid, arguments, {}};
  run.options.schedule = schedule;
  run.options.seed = seed;
  run.options.observer = observer;
  run.options.maxStepsAfterError = stepsAfterError;
  run.options.cancelled = options.cancelled;
  if (maxSteps)
    run.options.maxSteps = maxSteps;
  return withinMemory([&] { return api::launch(run, llvm::nulls()); });
}

/// Runs the kernel once, which also says how long it runs.
Result<bool> Trials::isSmall(tile::EntryOp entry) {
  AccessCounter counter;
  const SavedArrays restoring(arguments);
  const auto ran = launch(entry, reference::Schedule::ProgramOrder, 0, &counter);
  if (!ran)
    return ran.failure();
  for (const report::Finding &finding : ran->findings)
    if (finding.kind == report::FindingKind::Unsupported)
      return Failure{headlineOf(finding)};
  if (ran->steps)
    maxSteps = 2 * ran->steps + moreSteps;
  return counter.all <= mostExploredAccesses && counter.scoped <= mostExploredScoped;
}

Result<Trial> Trials::judgeOriginal() {
  Result<InitialArrays> arrays = InitialArrays::of(arguments);
  if (!arrays)
    return arrays.failure();
  initial = *std::move(arrays);
  const Result<bool> small = isSmall(program.entry());
  if (!small)
    return small.failure();
  const auto isMulticast = [](const Argument &argument) {
    return std::holds_alternative<Multicast>(argument);
  };
  explores = *small && llvm::none_of(arguments, isMulticast);
  Result<Trial> trial = run(program.entry(), TrialPurpose::AllErrors);
  if (trial && explores && !trial->isComplete && trial->errors.empty()) {
    explores = false;
    const std::string limit = trial->limit;
    trial = run(program.entry(), TrialPurpose::AllErrors);
    if (trial)
      trial->limit = limit;
  }
  if (trial && !*small && trial->limit.empty())
    trial->limit = "there are too many accesses to explore";
  if (trial) {
    knownOutcomes = trial->outcomes;
    knownUnspecified = trial->unspecified;
  }
  isKnown = true;
  return trial;
}

Result<std::optional<Trial>> Trials::judge(llvm::ArrayRef<Change> changes, TrialPurpose purpose) {
  const auto variant = Variant::of(program, changes);
  if (!variant)
    return std::optional<Trial>();
  Result<Trial> trial = run(variant->entry(), purpose);
  if (!trial)
    return trial.failure();
  return std::optional(*std::move(trial));
}

Result<Trial> Trials::run(tile::EntryOp entry, TrialPurpose purpose) {
  return explores ? explore(entry, purpose) : sample(entry, purpose);
}

//===-- All executions ----------------------------------------------------------------------===//

Result<Trial> Trials::explore(tile::EntryOp entry, TrialPurpose purpose) {
  ReferenceRun run{entry, grid, arguments, {}};
  if (maxSteps)
    run.options.maxSteps = maxSteps;
  run.options.cancelled = options.cancelled;
  reference::ExhaustiveLimits limits;
  limits.exploration.runs = options.explorationRuns;
  limits.stopsAtError = purpose != TrialPurpose::AllErrors;
  const auto explored = withinMemory([&] { return api::explore(run, limits); });
  if (!explored)
    return explored.failure();
  Trial trial{!explored->limit, explored->limit.value_or(""), explored->executions};
  for (const report::Finding &finding : explored->findings)
    add(trial, finding, "exhaustive");
  const reference::MemoryChange *newOutcome = nullptr;
  for (const reference::MemoryChange &outcome : explored->outcomes) {
    const std::string key = initial->keyOf(outcome);
    trial.outcomes.insert(key);
    if (isKnown && !knownOutcomes.contains(key) && !newOutcome)
      newOutcome = &outcome;
  }
  if (newOutcome)
    trial.newOutcome = {
        std::nullopt,
        {"a new outcome: " + toString(*newOutcome, mostElementsInText), "exhaustive"}};
  if (purpose == TrialPurpose::IsRight)
    return trial;
  Result<void> found = trial.errors.empty() && newOutcome ? findSchedule(trial, entry, *newOutcome)
                                                          : findSchedules(trial, entry);
  if (!found)
    return found.failure();
  return trial;
}

/// The default schedule first, then random ones.
static reference::Schedule scheduleForWitness(uint64_t launch) {
  return launch == 0 ? reference::Schedule::ProgramOrder : reference::Schedule::Random;
}

/// Finds a schedule that ends with the new outcome.
Result<void> Trials::findSchedule(Trial &trial, tile::EntryOp entry,
                                  const reference::MemoryChange &outcome) {
  // Nobody sees the globals after a launch.
  if (!tile::EntryOp(program.entry())->getParentRegion()->getOps<tile::GlobalOp>().empty())
    return {};
  const std::string key = initial->keyOf(outcome);
  for (uint64_t number = 0; number <= schedulesForWitness; ++number) {
    const SavedArrays restoring(arguments);
    const auto ran = launch(entry, scheduleForWitness(number), number);
    if (!ran)
      return ran.failure();
    if (!ran->succeeded() || initial->key() != key)
      continue;
    trial.newOutcome->witness.schedule = scheduleText(scheduleForWitness(number), number);
    break;
  }
  return {};
}

/// Finds schedules that repeat the errors of an exploration. No interleaving of operations shows
/// some of them: those remain as they are.
Result<void> Trials::findSchedules(Trial &trial, tile::EntryOp entry) {
  Trial sampled;
  const auto isOpen = [](const Deviation &error) { return error.witness.schedule == "exhaustive"; };
  for (uint64_t number = 0; number <= schedulesForWitness; ++number) {
    if (llvm::none_of(trial.errors, isOpen))
      return {};
    if (Result<void> added = addLaunch(sampled, entry, scheduleForWitness(number), number); !added)
      return added.failure();
    for (Deviation &error : llvm::make_filter_range(trial.errors, isOpen))
      for (const Deviation &shown : sampled.errors)
        if (isSame(*error.error, *shown.error) && isOpen(error))
          error.witness = shown.witness;
  }
  return {};
}

//===-- Samples -----------------------------------------------------------------------------===//

Result<void> Trials::addLaunch(Trial &trial, tile::EntryOp entry, reference::Schedule schedule,
                               uint64_t seed) {
  const SavedArrays restoring(arguments);
  const auto ran = launch(entry, schedule, seed);
  if (!ran)
    return ran.failure();
  trial.executions += 1 + (ran->predicted ? ran->predicted->schedules : 0);
  const std::string text = scheduleText(schedule, seed);
  for (const report::Finding &finding : ran->findings)
    if (isLimit(finding))
      trial.limit = headlineOf(finding);
    else
      add(trial, finding, finding.schedule.empty() ? text : finding.schedule);
  if (!ran->succeeded())
    return {};
  const std::string outcome = initial->key();
  trial.outcomes.insert(outcome);
  if (isKnown && !knownOutcomes.contains(outcome) && !trial.newOutcome)
    trial.newOutcome = {std::nullopt,
                        {"arrays that no judged execution of the kernel had at its end", text}};
  return {};
}

Result<Trial> Trials::sample(tile::EntryOp entry, TrialPurpose purpose) {
  Trial trial;
  if (Result<void> added = addLaunch(trial, entry, reference::Schedule::ProgramOrder, 0); !added)
    return added.failure();
  for (uint64_t seed = 0; seed < options.randomSchedules; ++seed) {
    if (purpose != TrialPurpose::AllErrors && !trial.errors.empty())
      break;
    if (Result<void> added = addLaunch(trial, entry, reference::Schedule::Random, seed); !added)
      return added.failure();
  }
  return trial;
}
