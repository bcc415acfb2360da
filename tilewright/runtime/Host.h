// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the functions that generated code calls find behind twLaunch::host? A Host: where
// the launch collects what its blocks have to say.

#ifndef TILEWRIGHT_RUNTIME_HOST_H
#define TILEWRIGHT_RUNTIME_HOST_H

#include "tilewright/runtime/Kernel.h"
#include "tilewright/runtime/LaunchResult.h"
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
  Host(const TextSink &sink, Output::Order order) : output(sink, order), order(order) {}

  Output output;
  const Output::Order order;
  AssertList asserts;

  /// Whether text is to come in the order of ranges: of so many blocks each, which one thread
  /// runs, and of which it announces the end.
  bool isOrdered() const { return order == Output::Order::OfRanges; }
  int64_t firstBlock = 0, rangeBlocks = 1;
  int64_t rangeOf(int64_t block) const { return (block - firstBlock) / rangeBlocks; }
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_HOST_H
