// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the blocks of one launch share? The program, the memory, what the checks remember of
// earlier blocks, and the result.

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
  /// Where `print_tko` prints.
  llvm::raw_ostream &output;
  LaunchResult result = {};
  /// How often a finding about the origin of what an operation uses has been made there.
  using UseCounts = llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, unsigned>;
  UseCounts reportedUses = UseCounts();
  /// What has been reported once and does not stop a block.
  llvm::DenseSet<std::pair<mlir::Operation *, unsigned>> reported = {};

  bool isReported(mlir::Operation *op, Check check) const {
    return reported.contains({op, unsigned(check)});
  }
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Operation *>> reportedRaces = {};
  TokenOrder tokenOrder = {};
  /// Null if nobody wants to know of races.
  std::unique_ptr<RaceDetector> races = nullptr;
  /// Among launches that depend on one another; and what comes after the one before, which is null
  /// if there is none.
  uint32_t number = 0;
  VectorClock predecessor = {};
  /// How often something in memory became different: as long as this number stays, a loop that
  /// starts with the values of its last iteration does the same again.
  int64_t changes = 0;
  /// Something worse than a warning was found, and so many operations were executed since.
  bool hasError = false;
  int64_t stepsAfterError = 0;
  /// One more operation is to be executed: has the launch gone on for long enough after an error?
  bool isGivenUp() { return hasError && stepsAfterError++ >= options.maxStepsAfterError; }
  /// What Schedule::Random decides by.
  std::mt19937_64 random{options.seed};
  /// The bits that some machine would have where nothing specifies them: zeros, as those that pad
  /// by copying have, or under Schedule::Random any, by the seed.
  Element unspecifiedBits(Format format);
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_LAUNCH_H
