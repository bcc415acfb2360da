// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that the blocks of one launch share: the program, the memory, the history that checks
// need, and the result.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_LAUNCH_H
#define TILEWRIGHT_REFERENCE_MACHINE_LAUNCH_H

#include "tilewright/reference/machine/LaunchOptions.h"
#include "tilewright/reference/machine/Program.h"
#include "tilewright/reference/memory/Races.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <random>

namespace tilewright::reference {

struct Launch {
  const Program &program;
  const runtime::Grid &grid;
  Memory &memory;
  const llvm::DenseMap<mlir::StringAttr, uint64_t> &globals;
  const LaunchOptions &options;
  /// Receives the text that `print_tko` prints.
  llvm::raw_ostream &output;
  LaunchResult result = {};
  /// Why the schedule cannot be followed.
  std::optional<support::Failure> failure = std::nullopt;
  /// How many findings were made about marked values that an operation uses, per operation and
  /// check.
  using UseCounts = llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, unsigned>;
  UseCounts reportedUses = UseCounts();
  /// Operations and checks whose non-fatal finding has been reported; each is reported once.
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> reported = {};

  bool isReported(mlir::Operation *op, Check check) const {
    return reported.contains({op, unsigned(check)});
  }
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Operation *>> reportedRaces = {};
  TokenOrder tokenOrder = {};
  /// Null if races are not checked.
  std::unique_ptr<RaceDetector> races = nullptr;
  /// Numbers the launches that depend on one another; `predecessor` is what comes after the
  /// preceding launch, and empty if there is none.
  uint32_t number = 0;
  VectorClock predecessor = {};
  /// How often memory has changed: as long as this number stays the same, a loop iteration that
  /// starts with the values of the previous one repeats it.
  int64_t changes = 0;
  /// Whether a finding worse than a warning was made, and how many operations were executed since.
  bool hasError = false;
  int64_t stepsAfterError = 0;
  /// Called once per operation: whether the launch has executed its last operation after an error.
  bool shouldStopAfterError() {
    return hasError && stepsAfterError++ >= options.maxStepsAfterError;
  }
  /// The random numbers of Schedule::Random.
  std::mt19937_64 random{options.seed};
  /// Bits for a value that nothing specifies: zeros, as hardware that pads copies produces, or
  /// random bits under Schedule::Random.
  Element unspecifiedBits(Format format);
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_LAUNCH_H
