// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host: the object behind twLaunch::host, for the functions that generated code calls. It collects
// the text and the failed assertions of a launch.

#ifndef TILEWRIGHT_RUNTIME_HOST_H
#define TILEWRIGHT_RUNTIME_HOST_H

#include "tilewright/runtime/Kernel.h"
#include "tilewright/runtime/LaunchResult.h"
#include "tilewright/runtime/Output.h"

#include <mutex>

namespace tilewright::runtime {

/// The failed assertions of all threads.
class AssertList {
public:
  void add(FailedAssert failed);
  /// Call after the launch.
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

  /// Whether text appears in the order of the ranges. Each range is `rangeBlocks` blocks; one
  /// thread runs it, and announces its end.
  bool isOrdered() const { return order == Output::Order::OfRanges; }
  int64_t firstBlock = 0, rangeBlocks = 1;
  int64_t rangeOf(int64_t block) const { return (block - firstBlock) / rangeBlocks; }
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_HOST_H
