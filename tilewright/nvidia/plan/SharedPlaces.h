// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Swizzles: assigns elements to shared-memory locations (places) so that exchanges have few bank
// conflicts. Shared memory has 32 banks of 4 bytes; an access is fast if the lanes of a warp use
// different banks. Each bit of a place is a bit of the element number, or the exclusive-or of two.
// The lowest bits are register bits, so that one access writes or reads several elements. The next
// ones select the bank: each combines a lane bit of the writing side with one of the reading side,
// so that both sides access different banks.

#ifndef TILEWRIGHT_NVIDIA_PLAN_SHAREDPLACES_H
#define TILEWRIGHT_NVIDIA_PLAN_SHAREDPLACES_H

#include "tilewright/nvidia/plan/TileLayout.h"

#include <optional>

namespace tilewright::nvidia {

/// The threads that write elements, or those that read them.
struct SharedSide {
  /// For each bit of the element number, the thread or register bit; none if it is the same for all
  /// elements at a time.
  llvm::SmallVector<std::optional<Digit>, 16> digits;
  /// Otherwise loops visit the registers in order.
  bool isInRegisters;

  explicit SharedSide(const TileLayout &layout)
      : digits(layout.digits.begin(), layout.digits.end()), isInRegisters(layout.isInRegisters()) {}
  /// For readers: for each bit of the number in their layout, the bit of the element number, or -1
  /// for none. Element numbers have `count` bits.
  SharedSide(const TileLayout &layout, llvm::ArrayRef<int> sourceBits, unsigned count);
};

class SharedPlaces {
public:
  /// For words of this size, with element numbers of `count` bits.
  SharedPlaces(const SharedSide &given, const SharedSide &taken, int64_t wordBytes, unsigned count);
  /// For readers with unknown patterns: all groups of bits above those of the banks are combined
  /// with these.
  SharedPlaces(int64_t wordBytes, unsigned count);

  /// For each bit of a place, from the lowest on, the bits of the element number of which it is the
  /// exclusive-or.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 16> bits;
  /// The register bits that one access of writers, or readers, covers: those of the lowest bits of
  /// places.
  llvm::SmallVector<unsigned, 4> givenSlots, takenSlots;

  int64_t placeOf(int64_t number) const;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_SHAREDPLACES_H
