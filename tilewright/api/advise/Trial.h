// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a variant of a program for one launch, and collects errors and outcomes: all executions
// if there are few enough, or else the default schedule, those that predict races, and random ones.

#ifndef TILEWRIGHT_API_ADVISE_TRIAL_H
#define TILEWRIGHT_API_ADVISE_TRIAL_H

#include "tilewright/api/advise/Advice.h"
#include "tilewright/api/advise/Change.h"
#include "tilewright/api/advise/Outcome.h"
#include "tilewright/reference/exhaustive/Exhaustive.h"

#include <set>

namespace tilewright::api {

/// An execution with an error or with an outcome that is not known.
struct Deviation {
  /// None for an outcome.
  std::optional<report::Finding> error;
  AdviceWitness witness;
};

struct Trial {
  /// Whether all executions were judged; if not, why.
  bool isComplete = false;
  std::string limit = {};
  uint64_t executions = 0;
  /// Their keys.
  std::set<std::string> outcomes = {};
  /// Each error once, and the first new outcome. A use of an unspecified value, which is only a
  /// warning, counts if the program as it is has none there.
  std::vector<Deviation> errors = {};
  /// The places of such uses.
  std::set<const void *> unspecified = {};
  std::optional<Deviation> newOutcome = std::nullopt;
};

enum class TrialPurpose {
  AllErrors,  ///< Of the program as it is.
  FirstError, ///< With a schedule that repeats it, if there is one.
  IsRight,    ///< Whether there is an error.
};

class Trials {
public:
  Trials(const ExploredProgram &program, const runtime::Grid &grid,
         const std::vector<Argument> &arguments, const AdviseOptions &options)
      : program(program), grid(grid), arguments(arguments), options(options) {}

  /// Judges the program as it is, which decides how later trials proceed, and which outcomes are
  /// known.
  support::Result<Trial> judgeOriginal();
  bool isExhaustive() const { return explores; }
  /// Whether later trials mean nothing, and the last one may mean nothing.
  bool isCancelled() const { return options.cancelled && *options.cancelled; }
  /// Judges the program with some changes. None if the verifier rejects them.
  support::Result<std::optional<Trial>> judge(llvm::ArrayRef<Change> changes, TrialPurpose purpose);

private:
  support::Result<Trial> run(tile::EntryOp entry, TrialPurpose purpose);
  support::Result<Trial> explore(tile::EntryOp entry, TrialPurpose purpose);
  support::Result<Trial> sample(tile::EntryOp entry, TrialPurpose purpose);
  support::Result<bool> isSmall(tile::EntryOp entry);
  support::Result<reference::LaunchResult> launch(tile::EntryOp entry, reference::Schedule schedule,
                                                  uint64_t seed,
                                                  reference::Observer *observer = nullptr);
  support::Result<void> addLaunch(Trial &trial, tile::EntryOp entry, reference::Schedule schedule,
                                  uint64_t seed);
  support::Result<void> findSchedules(Trial &trial, tile::EntryOp entry);
  support::Result<void> findSchedule(Trial &trial, tile::EntryOp entry,
                                     const reference::MemoryChange &outcome);
  void add(Trial &trial, const report::Finding &finding, const std::string &schedule) const;

  const ExploredProgram &program;
  const runtime::Grid &grid;
  const std::vector<Argument> &arguments;
  const AdviseOptions &options;
  std::optional<InitialArrays> initial;
  bool explores = true, isKnown = false;
  std::set<std::string> knownOutcomes;
  std::set<const void *> knownUnspecified;
  /// The operations that a launch may execute.
  int64_t maxSteps = 0;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ADVISE_TRIAL_H
