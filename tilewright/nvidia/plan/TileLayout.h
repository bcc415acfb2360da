// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which thread holds which element of a tile? Extents are powers of two, so the number of an
// element, in row-major order, is a row of bits. A layout deals them out: each bit is a bit of the
// thread's number, or of the slot in which the thread holds the element. So whatever picks bits has
// a layout too: the transposed tile, a row of it, the fragments of matrix instructions. Threads
// that differ only in bits that no element has hold the same elements; the first of them is the
// owner, who writes them to memory.
//
// In the body of a reduction or scan, where each thread combines elements of its own, a tile is all
// its own, too: the layout of one thread.

#ifndef TILEWRIGHT_NVIDIA_PLAN_TILELAYOUT_H
#define TILEWRIGHT_NVIDIA_PLAN_TILELAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace tilewright::nvidia {

/// Where a bit of an element's number comes from.
struct Digit {
  static constexpr unsigned laneBits = 5;

  bool isThread; ///< Else it is of the slot.
  unsigned bit;
  bool isOfWarp() const { return isThread && bit >= laneBits; }
  bool operator==(const Digit &) const = default;
};

class TileLayout {
public:
  static constexpr int64_t usualInRegisters = 64;

  /// Of each bit of an element's number, from the lowest on. All bits of slots are there.
  TileLayout(llvm::SmallVector<Digit, 16> digits, int64_t threads,
             int64_t mostInRegisters = usualInRegisters)
      : digits(std::move(digits)), threads(threads), mostInRegisters(mostInRegisters) {}
  /// For what does not access memory: elements in row-major order.
  TileLayout(int64_t elements, int64_t threads, int64_t width = 4);

  /// `width` elements side by side to a thread, then to the next one of the warp; warps have the
  /// slowest elements, and what is left goes round again. `bits` are those of the element's number,
  /// the fastest first.
  static TileLayout blocked(llvm::ArrayRef<unsigned> bits, int64_t threads, int64_t width);

  int64_t elements() const { return int64_t(1) << digits.size(); }
  /// Elements that a thread holds.
  int64_t slots() const;
  /// Elements in successive slots, from slot 0 on, that are `step()` apart.
  int64_t width() const;
  int64_t step() const;
  /// Elements, `step()` apart, that the lanes of a warp access at a time without a gap, if each
  /// accesses `together` of them.
  int64_t span(int64_t together) const;
  /// Each thread has a tile of its own.
  bool isPrivate() const { return threads == 1; }
  /// Bits of the thread's number that make no difference.
  int64_t unusedThreadBits() const;
  /// Several threads hold the same element.
  bool isReplicated() const { return unusedThreadBits() != 0; }
  /// There is code for each slot, and LLVM keeps the elements in registers; else there are loops
  /// over an array in local memory.
  bool isInRegisters() const { return slots() <= mostInRegisters; }
  int64_t indexOf(int64_t thread, int64_t slot) const;

  /// Of the tile without these bits, in ascending order, of each element's number: what a reduction
  /// leaves, or what is repeated. Slots move up, threads that differ only in such a bit hold the
  /// same.
  TileLayout without(llvm::ArrayRef<unsigned> bits) const;

  /// `lanes 2..6, slot 0..1` and so on, from the fastest bit to the slowest.
  std::string text() const;

  bool operator==(const TileLayout &other) const {
    return digits == other.digits && threads == other.threads;
  }

  llvm::SmallVector<Digit, 16> digits;
  int64_t threads;
  /// Slots for which there is code; more of the sums of a product than of others.
  int64_t mostInRegisters = usualInRegisters;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_TILELAYOUT_H
