// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of a launch: the assertions that failed, each with its block and its source line.

#ifndef TILEWRIGHT_RUNTIME_LAUNCHRESULT_H
#define TILEWRIGHT_RUNTIME_LAUNCHRESULT_H

#include "tilewright/runtime/Grid.h"

#include <string>
#include <vector>

namespace tilewright::runtime {

/// A false element of an assert's condition (operations, 6.1).
struct FailedAssert {
  Block block;
  std::string message;
  /// `kernel.py:12:3`.
  std::string location;
  /// `[1, 2]`; empty for a scalar.
  std::string element;
};

/// `kernel.py:12:3: error: block (0, 0, 0): assertion failed: message at [1, 2]`.
std::string toString(const FailedAssert &failed);

struct LaunchResult {
  /// The first 1000, ordered by block, and within a block in the order in which they failed.
  std::vector<FailedAssert> failedAsserts;
  int64_t unlistedAsserts = 0;
  /// The launch was cancelled before all blocks had run.
  bool wasCancelled = false;

  bool succeeded() const { return failedAsserts.empty() && !wasCancelled; }
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCHRESULT_H
