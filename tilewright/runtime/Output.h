// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders the text that concurrent blocks print, as if the blocks ran one after the other. The grid
// is cut into ranges. The current range is the first one that has not ended: its text is written at
// once. Text of later ranges is buffered until they become current, and a range that has buffered
// too much waits. This is impossible when blocks wait for one another; then text appears in the
// order of the prints, each in one piece.

#ifndef TILEWRIGHT_RUNTIME_OUTPUT_H
#define TILEWRIGHT_RUNTIME_OUTPUT_H

#include "tilewright/runtime/Print.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

namespace tilewright::runtime {

/// Writes to the program's standard output.
const TextSink &standardOutput();

class Output {
public:
  /// Ranges are numbered from 0 and start in that order; one thread runs each.
  enum class Order { OfRanges, AsPrinted };

  Output(const TextSink &sink, Order order, int64_t bufferBytes = int64_t(1) << 26)
      : sink(sink), order(order), freeBytes(bufferBytes) {}

  /// Prints for a block of this range: `write` is called with the sink to write to.
  void print(int64_t range, const std::function<void(const TextSink &)> &write);

  /// Call when all blocks of this range have ended.
  void endRange(int64_t range);

private:
  struct Range {
    std::string text;
    bool hasEnded = false;
  };

  void buffer(int64_t range, Range &entry, std::string_view text);
  void waitUntilCurrent(int64_t range, Range &entry);
  void release(Range &entry);

  const TextSink &sink;
  const Order order;
  /// How many more bytes may be buffered.
  std::atomic<int64_t> freeBytes;

  std::mutex mutex;
  std::condition_variable currentChanged;
  /// The current range: the first one that has not ended.
  int64_t current = 0;
  /// Later ranges that have ended or have buffered text.
  std::map<int64_t, Range> ranges;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_OUTPUT_H
