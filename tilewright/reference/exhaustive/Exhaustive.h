// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What are all the outcomes of a small kernel? Every tile block is interpreted by itself,
// its reads return what the exploration hands to them (Exploration.h), and what the memory
// model allows of all this is an execution of the kernel (Executions.h). So the outcomes
// include those that no interleaving of the blocks shows (memory model, 11).
// They do not include those that need a false dependence to be removed (Executions.h).
//
// A block that waits would have executions of any length. An iteration of a loop is idle if it
// changes nothing in memory and hands the same values to the next iteration: an execution
// without its reads ends the same way, and of two accesses that race, at most one is in an idle
// iteration. So each block has at most one idle iteration. At the second it waits for ever,
// unless there is a newer value for that iteration to read.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXHAUSTIVE_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXHAUSTIVE_H

#include "tilewright/reference/exhaustive/Exploration.h"
#include "tilewright/reference/machine/LaunchOptions.h"
#include "tilewright/reference/machine/Program.h"
#include "tilewright/reference/memory/Memory.h"

namespace tilewright::reference {

/// An element of an array or global.
struct ArrayElement {
  std::string array;
  int64_t index;
  Element value;

  friend bool operator<(const ArrayElement &a, const ArrayElement &b) {
    return std::tuple(a.array, a.index, a.value.bits) < std::tuple(b.array, b.index, b.value.bits);
  }
};

/// The elements that have changed, sorted.
using MemoryChange = std::vector<ArrayElement>;

struct ExhaustiveResult {
  /// Executions that end, and have no race.
  uint64_t executions = 0;
  std::set<MemoryChange> outcomes;
  /// What is wrong in some execution, each once: then the kernel is undefined, and the
  /// outcomes say nothing.
  std::vector<Finding> findings;
  /// Why not all executions were walked, if so.
  std::optional<std::string> limit;

  bool agrees() const {
    return !limit && outcomes.size() == 1 &&
           llvm::all_of(findings, [](const Finding &finding) { return isWarning(finding.kind); });
  }
};

struct ExhaustiveLimits {
  /// Element accesses of a block.
  uint64_t accesses = 10'000;
  ExplorationLimits exploration = {};
};

/// Walks all executions. Memory is as before in the end, and nothing is printed. Of the options,
/// schedule, seed and observer do not matter; maxSteps holds for each run of a block. One that is
/// cancelled has found what it had until then, and says so as its limit.
ExhaustiveResult exploreAll(const Program &program, const runtime::Grid &grid, Memory &memory,
                            const llvm::DenseMap<mlir::StringAttr, uint64_t> &globals,
                            llvm::ArrayRef<Element> parameters, const LaunchOptions &options,
                            const ExhaustiveLimits &limits = {});

/// `3 executions, 2 outcomes`, and what each of them changes.
void print(const ExhaustiveResult &result, llvm::raw_ostream &os);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXHAUSTIVE_H
