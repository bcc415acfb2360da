// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is a kernel to be run, and what was found? The schedule, the checks and the limits of a
// launch, and the findings that it returns.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_LAUNCHOPTIONS_H
#define TILEWRIGHT_REFERENCE_MACHINE_LAUNCHOPTIONS_H

#include "tilewright/reference/machine/Checks.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>

namespace tilewright::reference {

class Observer;

enum class Schedule : uint8_t {
  /// Blocks in the order of their numbers, each in program order, as long as none waits
  /// for another.
  ProgramOrder,
  /// Any legal order of blocks and of what tokens do not order, decided by the seed.
  Random,
  /// All of them: Machine::explore instead of launch.
  Exhaustive,
};

/// How matrix products are accumulated where the specification is silent (arithmetic, 4.30).
enum class MmaMode : uint8_t {
  Chain, ///< One fused multiply-add after the other, k ascending.
  Exact, ///< The exact sum, rounded once.
};

/// `program`, `random`, `exhaustive`
llvm::StringRef nameOf(Schedule schedule);
/// `chain`, `exact`
llvm::StringRef nameOf(MmaMode mode);

struct LaunchOptions {
  /// Operations that all blocks together may execute before the launch is given up.
  int64_t maxSteps = 1'000'000'000;
  /// And after the first error: a loop may wait for what the error has kept from happening.
  int64_t maxStepsAfterError = 10'000'000;
  Checks checks = Checks::all();
  Schedule schedule = Schedule::ProgramOrder;
  uint64_t seed = 0;
  MmaMode mma = MmaMode::Chain;
  /// It depends on the launch that the machine ran last, and may have begun before that one ended:
  /// what it does comes after that one only by a gdc_wait_tko (13.4, section 4).
  bool isDependent = false;
  /// May be null.
  Observer *observer = nullptr;
  /// Any thread or signal handler may set it, at any time: the launch then ends in front of the
  /// next operation of each block, and Machine::explore with what it has found. May be null.
  const std::atomic<bool> *cancelled = nullptr;
  /// Counts the blocks that have ended, for whoever looks at it meanwhile. May be null.
  std::atomic<int64_t> *blocksDone = nullptr;

  void countBlock() const {
    if (blocksDone)
      blocksDone->fetch_add(1, std::memory_order_relaxed);
  }
};

/// Does the schedule delay memory operations?
inline bool delaysMemory(const LaunchOptions &options) {
  return options.schedule != Schedule::ProgramOrder;
}

struct LaunchResult {
  /// In the order in which they happened.
  std::vector<Finding> findings = {};
  /// Findings beyond the first thousand are counted only.
  int64_t unlistedFindings = 0;
  /// Their kinds, a bit each.
  uint32_t unlistedKinds = 0;
  /// Tile blocks communicated, and races were looked for: another schedule may have others.
  bool blocksSynchronise = false;
  /// The observer had seen enough, or the launch was cancelled.
  bool wasEnded = false;

  /// Lists the finding, or counts it.
  void add(Finding finding);
  /// Nothing but warnings was found.
  bool succeeded() const;
  bool has(FindingKind kind) const;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_LAUNCHOPTIONS_H
