// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much heap does a piece of code hold at once, and does it give all of it back? The
// allocator of AddressSanitizer calls us for every block; we add up the blocks that are
// alive while we listen.

#ifndef TILEWRIGHT_FUZZ_HEAP_H
#define TILEWRIGHT_FUZZ_HEAP_H

#include <cstdint>

namespace tilewright::fuzz {

/// While alive, blocks are counted. One at a time, on one thread.
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

/// Prints what nobody points to any more; true if there is such a block.
bool findLeaks();

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_FUZZ_HEAP_H
