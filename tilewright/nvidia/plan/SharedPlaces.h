// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in shared memory do elements lie on their way from thread to thread? It has 32 banks of 4
// bytes, and a warp is served fast if its lanes meet in none. Each bit of a place is a bit of the
// element's number, or the sum of two without carry. The lowest ones are bits of slots, so that a
// thread writes or reads several elements by one access. The next ones name the bank: there each
// lane bit of those who write meets one of those who read, so that both find their lanes in
// different banks.

#ifndef TILEWRIGHT_NVIDIA_PLAN_SHAREDPLACES_H
#define TILEWRIGHT_NVIDIA_PLAN_SHAREDPLACES_H

#include "tilewright/nvidia/plan/TileLayout.h"

#include <optional>

namespace tilewright::nvidia {

/// The threads that write elements, or those that read them.
struct SharedSide {
  /// Of each bit of an element's number; none if it is the same for all of them at a time.
  llvm::SmallVector<std::optional<Digit>, 16> digits;
  /// Else it visits slots in loops, in their order.
  bool isInRegisters;

  explicit SharedSide(const TileLayout &layout)
      : digits(layout.digits.begin(), layout.digits.end()), isInRegisters(layout.isInRegisters()) {}
  /// Of threads that read, for each bit of the number in their own layout, this bit of the
  /// element's number, or none (-1); there are `count` bits.
  SharedSide(const TileLayout &layout, llvm::ArrayRef<int> sourceBits, unsigned count);
};

class SharedPlaces {
public:
  /// For words of so many bytes whose numbers have `count` bits.
  SharedPlaces(const SharedSide &given, const SharedSide &taken, int64_t wordBytes, unsigned count);
  /// For readers of any elements: all groups of bits above those of banks are added to these.
  SharedPlaces(int64_t wordBytes, unsigned count);

  /// From the lowest on, what bits of the number a bit of the place is the sum of.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 16> bits;
  /// The slot bits of elements that a thread writes, or reads, by one access: those of the lowest
  /// bits of places.
  llvm::SmallVector<unsigned, 4> givenSlots, takenSlots;

  int64_t placeOf(int64_t number) const;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_SHAREDPLACES_H
