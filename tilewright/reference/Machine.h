// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a kernel run without a GPU? A Machine loads a verified module once, which
// gives its globals their one instance, and binds arrays of the host, which gives them
// addresses. A launch then runs the tile blocks of a grid under a schedule (Schedule.h).

#ifndef TILEWRIGHT_REFERENCE_MACHINE_H
#define TILEWRIGHT_REFERENCE_MACHINE_H

#include "tilewright/reference/Checks.h"
#include "tilewright/reference/Memory.h"
#include "tilewright/reference/Observer.h"
#include "tilewright/reference/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>

namespace tilewright::reference {

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
  /// Where `print_tko` prints.
  llvm::raw_ostream *output = &llvm::outs();
  Checks checks = Checks::all();
  Schedule schedule = Schedule::ProgramOrder;
  uint64_t seed = 0;
  MmaMode mma = MmaMode::Chain;
  /// May be null.
  Observer *observer = nullptr;
  /// Any thread or signal handler may set it, at any time: the launch then ends in front of the
  /// next operation of each block. May be null.
  const std::atomic<bool> *cancelled = nullptr;
};

struct LaunchResult {
  /// In the order in which they happened.
  std::vector<Finding> findings = {};
  /// Findings beyond the first thousand are counted only.
  int64_t unlistedFindings = 0;
  /// Their kinds, a bit each.
  uint32_t unlistedKinds = 0;
  /// The observer had seen enough, or the launch was cancelled.
  bool wasEnded = false;

  /// Lists the finding, or counts it.
  void add(Finding finding);
  /// Nothing but warnings was found.
  bool succeeded() const;
  bool has(FindingKind kind) const;
};

struct ExhaustiveResult;

class Machine {
public:
  /// The module has been verified, and outlives the machine.
  /// The seed decides where globals and arrays lie.
  static support::Result<Machine> load(tile::ModuleOp module, uint64_t seed = 0);

  /// Makes an array of the host known. Its bytes outlive the machine. Returns the
  /// address to pass for a pointer parameter; messages call the array by this name. If it is
  /// uninitialised, its elements have no value before the kernel writes them.
  uint64_t bindArray(std::string name, Format format, std::span<uint8_t> bytes,
                     bool isInitialised = true);

  /// Runs an entry of the module; one element per parameter, in its format. Fails, before
  /// anything has run, for what this machine does not support.
  support::Result<LaunchResult> launch(tile::EntryOp entry, const runtime::Grid &grid,
                                       llvm::ArrayRef<Element> parameters,
                                       const LaunchOptions &options = {});

  /// Walks all executions of the entry (Exhaustive.h). Memory is as before in the end.
  support::Result<ExhaustiveResult> explore(tile::EntryOp entry, const runtime::Grid &grid,
                                            llvm::ArrayRef<Element> parameters,
                                            const LaunchOptions &options = {});

private:
  explicit Machine(uint64_t seed) : memory(seed) {}

  Memory memory;
  llvm::DenseMap<mlir::StringAttr, uint64_t> globals;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_H
