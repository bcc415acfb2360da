// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule as text: `replay:1:3,0:2,1`. Each step names a block, by its number in the grid with x
// fastest, and the last memory operation that it executes before the next step: loads, stores and
// atomics of the block, counted from 1 in the order of execution. A step without such a number runs
// the block until it ends or may wait: at the next iteration of a loop that communicates. After the
// last step, the remaining operations run in program order.

#ifndef TILEWRIGHT_REFERENCE_MACHINE_REPLAYORDER_H
#define TILEWRIGHT_REFERENCE_MACHINE_REPLAYORDER_H

#include "tilewright/support/Result.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::reference {

struct ReplayStep {
  int64_t block;
  /// None: until the block ends or may wait.
  std::optional<int64_t> lastOperation;

  friend bool operator==(const ReplayStep &, const ReplayStep &) = default;
};

struct ReplayOrder {
  std::vector<ReplayStep> steps = {};

  /// Parses the text form, with the prefix `replay:`.
  static support::Result<ReplayOrder> parse(llvm::StringRef text);
  std::string text() const;

  /// Appends a step, or extends the last one if both run the same block up to an operation.
  void run(int64_t block, std::optional<int64_t> lastOperation);
};

/// The prefix of the text form.
inline constexpr llvm::StringLiteral replayPrefix = "replay:";

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MACHINE_REPLAYORDER_H
