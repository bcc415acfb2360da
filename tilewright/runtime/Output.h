// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order do blocks print that run at the same time? As if they ran one after the
// other: the grid is cut into ranges, one of which has its turn, the first that has not
// ended. Its text goes out at once; that of later ranges is kept until it is their turn, and
// a range that has kept too much waits for it. That is not possible when blocks wait for one
// another; then text comes in the order of the prints, each in one piece.

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
  /// Ranges have numbers from 0 on and start in that order; each is run by one thread.
  enum class Order { OfRanges, AsPrinted };

  Output(const TextSink &sink, Order order, int64_t keptBytes = int64_t(1) << 26)
      : sink(sink), order(order), freeBytes(keptBytes) {}

  /// What one print of a block in this range writes.
  void print(int64_t range, const std::function<void(const TextSink &)> &write);

  /// All blocks of this range have ended.
  void endRange(int64_t range);

private:
  struct Range {
    std::string text;
    bool hasEnded = false;
  };

  void keep(int64_t range, Range &entry, std::string_view text);
  void waitForTurn(int64_t range, Range &entry);
  void release(Range &entry);

  const TextSink &sink;
  const Order order;
  /// How much more may be kept.
  std::atomic<int64_t> freeBytes;

  std::mutex mutex;
  std::condition_variable turnChanged;
  /// The first range that has not ended.
  int64_t turn = 0;
  /// Ranges that have ended before their turn, or have text that waits for it.
  std::map<int64_t, Range> ranges;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_OUTPUT_H
