// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds all outcomes of a small kernel. Each tile block is interpreted separately, and the
// exploration chooses the values that its reads return (Exploration.h). The combinations that the
// memory model allows are the executions of the kernel (Executions.h). The outcomes therefore
// include those that no interleaving of the blocks produces (memory model, 11). They do not include
// those that require removing a false dependence (Executions.h).
//
// A block that waits in a loop would have executions of unbounded length. An iteration is idle if
// it changes nothing in memory and passes the same values to the next iteration. Dropping an idle
// iteration does not change how the execution ends. A race has at most one access in an idle
// iteration. It therefore suffices to explore one idle iteration per block. A block that reaches a
// second one waits for ever, unless a newer value exists for that iteration to read.

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
  /// Executions that terminate without a race.
  uint64_t executions = 0;
  std::set<MemoryChange> outcomes;
  /// Errors that occur in some execution, each listed once. If there are any, the kernel is
  /// undefined and the outcomes mean nothing.
  std::vector<Finding> findings;
  /// The limit because of which not all executions were explored, if any.
  std::optional<std::string> limit;

  bool agrees() const {
    return !limit && outcomes.size() == 1 &&
           llvm::all_of(findings, [](const Finding &finding) { return isWarning(finding.kind); });
  }
};

struct ExhaustiveLimits {
  /// Element accesses per block.
  uint64_t accesses = 10'000;
  /// End at the first error.
  bool stopsAtError = false;
  ExplorationLimits exploration = {};
};

/// Explores all executions. Memory is restored at the end, and nothing is printed. The options
/// schedule, seed and observer are ignored; maxSteps applies to each run of a block. A cancelled
/// exploration returns what it has found so far and reports the cancellation as its limit.
ExhaustiveResult exploreAll(const Program &program, const runtime::Grid &grid, Memory &memory,
                            const llvm::DenseMap<mlir::StringAttr, uint64_t> &globals,
                            llvm::ArrayRef<Element> parameters, const LaunchOptions &options,
                            const ExhaustiveLimits &limits = {});

/// Prints `3 executions, 2 outcomes`, and what each outcome changes.
void print(const ExhaustiveResult &result, llvm::raw_ostream &os);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXHAUSTIVE_H
