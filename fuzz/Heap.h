// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the heap that code holds at once, and whether it frees all of it. AddressSanitizer's
// allocator calls hooks for every block; the blocks that are live while a listener exists are
// summed up.

#ifndef TILEWRIGHT_FUZZ_HEAP_H
#define TILEWRIGHT_FUZZ_HEAP_H

#include <cstdint>

namespace tilewright::fuzz {

/// Counts blocks during its life. Only one at a time, on one thread.
class HeapListener {
public:
  HeapListener();
  ~HeapListener();

  /// Bytes allocated and not freed while a listener was alive.
  static int64_t live();
  /// The most that `live` has been since the last call of `forgetPeak`.
  static int64_t peak();
  static void forgetPeak();
};

/// Searches for unreachable blocks and prints them; true if there are any.
bool findLeaks();

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_FUZZ_HEAP_H
