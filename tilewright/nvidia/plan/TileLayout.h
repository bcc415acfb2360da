// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which thread holds which element of a tile? That depends on the number of elements alone: they
// are dealt out in row-major order, up to four side by side to a thread, then to the next one, and
// round again. So tiles of equally many elements agree, whatever their shapes are: elementwise
// operations and reshapes move nothing between threads. If there are fewer elements than threads,
// several threads hold the same one; the first of them is its owner, who writes it to memory.
//
// In the body of a reduction or scan, where each thread combines elements of its own, a tile is all
// its own, too: the layout of one thread.

#ifndef TILEWRIGHT_NVIDIA_PLAN_TILELAYOUT_H
#define TILEWRIGHT_NVIDIA_PLAN_TILELAYOUT_H

#include <algorithm>
#include <cstdint>

namespace tilewright::nvidia {

struct TileLayout {
  /// Both are powers of two.
  int64_t elements, threads;

  /// Elements that a thread holds, each in a slot.
  int64_t slots() const { return std::max<int64_t>(1, elements / threads); }
  /// Elements in successive slots that are side by side.
  int64_t width() const { return std::min<int64_t>(4, slots()); }
  /// Each thread has a tile of its own.
  bool isPrivate() const { return threads == 1; }
  /// Several threads hold the same element.
  bool isReplicated() const { return elements < threads; }
  /// There is code for each slot, and LLVM keeps the elements in registers; else there are loops
  /// over an array in local memory.
  bool isInRegisters() const { return slots() <= mostInRegisters; }

  static constexpr int64_t mostInRegisters = 16;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_TILELAYOUT_H
