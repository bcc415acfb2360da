// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options and the result of a launch: the schedule, the checks, the limits, and the findings.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_LAUNCHOPTIONS_H
#define TILEWRIGHT_REFERENCE_MACHINE_LAUNCHOPTIONS_H

#include "tilewright/reference/machine/Checks.h"
#include "tilewright/reference/machine/ReplayOrder.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>

namespace tilewright::reference {

class Observer;

enum class Schedule : uint8_t {
  /// Blocks in the order of their numbers, each in program order, as long as no block waits for
  /// another.
  ProgramOrder,
  /// A random legal order of blocks and of unordered memory operations; the seed decides.
  Random,
  /// All orders: use Machine::explore instead of launch.
  Exhaustive,
  /// The order `LaunchOptions::replay`.
  Replay,
};

/// How matrix products are accumulated where the specification is silent (arithmetic, 4.30).
enum class MmaMode : uint8_t {
  Chain, ///< One fused multiply-add after the other, k ascending.
  Exact, ///< The exact sum, rounded once.
};

/// `program`, `random`, `exhaustive`, `replay`
llvm::StringRef nameOf(Schedule schedule);
/// `chain`, `exact`
llvm::StringRef nameOf(MmaMode mode);

struct LaunchOptions {
  /// The number of operations that all blocks together may execute.
  int64_t maxSteps = 1'000'000'000;
  /// The same after the first error: a loop may wait for something that the error has prevented.
  int64_t maxStepsAfterError = 10'000'000;
  Checks checks = Checks::all();
  Schedule schedule = Schedule::ProgramOrder;
  uint64_t seed = 0;
  ReplayOrder replay = {};
  MmaMode mma = MmaMode::Chain;
  /// The launch depends on the machine's previous launch and may begin before that one ends: only a
  /// gdc_wait_tko orders its accesses after it (13.4, section 4).
  bool isDependent = false;
  /// May be null.
  Observer *observer = nullptr;
  /// Cancels the launch before the next operation of each block, and ends Machine::explore with
  /// what it has found. Any thread or signal handler may set it at any time. May be null.
  const std::atomic<bool> *cancelled = nullptr;
  /// Counts the finished blocks, for a progress display. May be null.
  std::atomic<int64_t> *blocksDone = nullptr;

  void countBlock() const {
    if (blocksDone)
      blocksDone->fetch_add(1, std::memory_order_relaxed);
  }
};

/// Does the schedule delay memory operations?
inline bool delaysMemory(const LaunchOptions &options) {
  return options.schedule == Schedule::Random || options.schedule == Schedule::Exhaustive;
}

/// Other schedules that a launch executed to find races (predict/Prediction.h).
struct Predicted {
  /// Their number. Schedules that order conflicting operations alike count once.
  int64_t schedules = 0;
  /// Why not every schedule that was considered was executed to its end; empty if all were.
  std::string limit = {};
};

struct LaunchResult {
  /// In the order in which they happened.
  std::vector<Finding> findings = {};
  /// The number of findings that are not listed, because there were a thousand already.
  int64_t unlistedFindings = 0;
  /// The kinds of the unlisted findings, one bit each.
  uint32_t unlistedKinds = 0;
  /// Blocks communicated while races were checked: other schedules may have other races.
  bool blocksSynchronise = false;
  /// None if blocks do not synchronise, or if only the given schedule was executed.
  std::optional<Predicted> predicted = std::nullopt;
  /// The observer ended the launch, or it was cancelled.
  bool wasEnded = false;
  /// The number of operations that one block after the other executed; 0 if blocks ran in parallel.
  int64_t steps = 0;

  /// Lists the finding, or counts it.
  void add(Finding finding);
  /// Whether there are no findings other than warnings.
  bool succeeded() const;
  bool has(FindingKind kind) const;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_LAUNCHOPTIONS_H
