// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a launch report? The assertions that failed, each with its block and its source line.

#ifndef TILEWRIGHT_RUNTIME_LAUNCHRESULT_H
#define TILEWRIGHT_RUNTIME_LAUNCHRESULT_H

#include "tilewright/runtime/Grid.h"

#include <string>
#include <vector>

namespace tilewright::runtime {

/// An element of the condition of an assert that is false (operations, 6.1).
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
  /// The first 1000, in the order of their blocks and in each block as they failed.
  std::vector<FailedAssert> failedAsserts;
  int64_t unlistedAsserts = 0;
  /// The launch was cancelled before all blocks had run.
  bool wasCancelled = false;

  bool succeeded() const { return failedAsserts.empty() && !wasCancelled; }
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCHRESULT_H
