// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Advise.h says about a launch.

#ifndef TILEWRIGHT_API_ADVISE_ADVICE_H
#define TILEWRIGHT_API_ADVISE_ADVICE_H

#include "tilewright/api/Diagnostic.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::api {

/// What executions show that the specification does not allow, or that the kernel does not do as it
/// is written.
struct AdviceWitness {
  /// `block (1, 0, 0): load_ptr_tko: race on ... [race]`, or a new outcome.
  std::string what;
  /// What `--schedule` takes: `program`, `replay:1:3,0`, `exhaustive`; `random --seed 3`.
  std::string schedule;
};

enum class FormVerdict {
  Holds,     ///< In all executions of the launch: no error and no new outcome.
  NoneFound, ///< The same in some executions.
  Fails,     ///< The witness shows an error or a new outcome.
  Unsettled, ///< See TriedForm::reason.
};

/// A weaker form of an operation.
struct TriedForm {
  /// `relaxed device`, `no token`
  std::string form;
  FormVerdict verdict = FormVerdict::Unsettled;
  /// How many executions were judged. After an error, there may be more.
  uint64_t executions = 0;
  std::optional<AdviceWitness> witness = std::nullopt;
  /// Of an unsettled form: why.
  std::string reason = {};
};

enum class AdvisedPart { Ordering, Scope, Token };
enum class AdviceVerdict { Needed, Weakenable, Unsettled };

/// A memory order, scope or token of an operation, with the weaker forms that were tried.
struct OperationAdvice {
  Place place;
  /// `store_ptr_tko`
  std::string operation;
  AdvisedPart part;
  /// As the kernel has it: `release device`, `token=%t`.
  std::string form;
  AdviceVerdict verdict = AdviceVerdict::Needed;
  /// The weakest forms that hold, or of which nothing is found.
  std::vector<std::string> weakest = {};
  std::vector<TriedForm> tried = {};
};

struct AdvisedChange {
  Place place;
  std::string operation;
  /// `relaxed device -> acquire device`, `add token=%t`
  std::string change;
};

/// An error of the kernel as it is written.
struct AdvisedError {
  Place place;
  bool isRace;
  AdviceWitness witness;
};

struct KernelAdvice {
  std::string entry;
  /// Whether all executions of the launch were judged; otherwise, why not.
  bool isExhaustive = false;
  std::string limit = {};
  /// Of the kernel as it is written.
  uint64_t executions = 0, outcomes = 0;
  /// Races first. If there are any errors, weaker forms are not tried.
  std::vector<AdvisedError> errors = {};
  /// If there are races: the smallest sets of stronger forms and tokens without errors.
  std::vector<std::vector<AdvisedChange>> fixes = {};
  /// If none was found: what was tried.
  std::string triedFixes = {};
  std::vector<OperationAdvice> operations = {};
  /// Weaker forms that hold together.
  std::vector<AdvisedChange> together = {};
  /// What is not listed was not judged: if there are no executions, nothing was.
  bool isCancelled = false;
};

struct AdviseOptions {
  /// An exploration of all executions ends after this number of runs of tile blocks.
  uint64_t explorationRuns = 20'000;
  /// If not all executions can be explored: the number of random schedules per form.
  uint64_t randomSchedules = 32;
  /// Ends all executions; what was found before remains. Any thread or signal handler may set it at
  /// any time. May be null.
  const std::atomic<bool> *cancelled = nullptr;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ADVISE_ADVICE_H
