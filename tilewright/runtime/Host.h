// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the functions that generated code calls find behind twLaunch::host? A Host: where
// the launch collects what its blocks have to say.

#ifndef TILEWRIGHT_RUNTIME_HOST_H
#define TILEWRIGHT_RUNTIME_HOST_H

#include "tilewright/runtime/Launch.h"
#include "tilewright/runtime/Output.h"

#include <mutex>

namespace tilewright::runtime {

/// The assertions that failed, from any thread.
class AssertList {
public:
  void add(FailedAssert failed);
  /// After the launch.
  LaunchResult take() { return std::move(result); }

private:
  std::mutex mutex;
  LaunchResult result;
};

struct Host {
  Output output;
  /// Blocks that run one after the other: what has its turn to print.
  int64_t rangeBlocks;
  int64_t firstBlock;
  AssertList asserts;

  int64_t rangeOf(int64_t block) const { return (block - firstBlock) / rangeBlocks; }
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_HOST_H
