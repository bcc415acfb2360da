// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register layouts: which thread holds which element of a tile. Extents are powers of two, so an
// element's row-major number is a sequence of bits. A layout maps each of these bits to a bit of
// the thread number, or of the register (`slot`) in which the thread holds the element. So every
// operation that permutes or selects bits yields a layout, too: a transposed tile, a row of it, the
// fragments of matrix instructions. Threads that differ only in unmapped bits hold the same
// elements; the first of them is the owner, which writes them to memory.
//
// In the body of a reduction or scan, each thread combines elements by itself; tiles there have the
// layout of a single thread.

#ifndef TILEWRIGHT_NVIDIA_PLAN_TILELAYOUT_H
#define TILEWRIGHT_NVIDIA_PLAN_TILELAYOUT_H

#include "tilewright/nvidia/Tuning.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>

namespace tilewright::nvidia {

/// The bit to which a layout maps a bit of the element number.
struct Digit {
  static constexpr unsigned laneBits = 5;

  bool isThread; ///< Otherwise it is a register bit.
  unsigned bit;
  bool isOfWarp() const { return isThread && bit >= laneBits; }
  bool operator==(const Digit &) const = default;
};

class TileLayout {
public:
  /// `digits` are in the order of the element number's bits, from the lowest on. All register bits
  /// are mapped.
  TileLayout(llvm::SmallVector<Digit, 16> digits, int64_t threads, int64_t mostInRegisters)
      : digits(std::move(digits)), threads(threads), mostInRegisters(mostInRegisters) {}
  /// The default for tiles that are not accessed in memory: elements in row-major order.
  TileLayout(int64_t elements, int64_t threads, const Tuning &tuning);

  /// Gives `width` consecutive elements to a thread, then the next ones to the next lane of the
  /// warp; warps take the slowest elements, and the rest wraps around. `bits` are those of the
  /// element number, the fastest first.
  static TileLayout blocked(llvm::ArrayRef<unsigned> bits, int64_t threads, int64_t width,
                            const Tuning &tuning);

  int64_t elements() const { return int64_t(1) << digits.size(); }
  /// Elements (registers) per thread.
  int64_t slots() const;
  /// Elements in successive registers, from register 0 on, that are `step()` apart.
  int64_t width() const;
  int64_t step() const;
  /// Elements, `step()` apart, that the lanes of a warp access at a time without gaps, if each
  /// accesses `together` of them.
  int64_t span(int64_t together) const;
  /// Whether each thread has a tile of its own.
  bool isPrivate() const { return threads == 1; }
  /// Bits of the thread number that are unmapped.
  int64_t unusedThreadBits() const;
  /// Whether several threads hold the same element.
  bool isReplicated() const { return unusedThreadBits() != 0; }
  /// Whether the code for elements is unrolled, so that LLVM keeps them in registers; otherwise
  /// loops access an array in local memory.
  bool isInRegisters() const { return slots() <= mostInRegisters; }
  int64_t indexOf(int64_t thread, int64_t slot) const;

  /// The layout without these bits (ascending) of the element number: that of a reduction's result,
  /// or of repeated elements. Register bits are compacted; threads that differ only in a removed
  /// bit hold the same elements.
  TileLayout without(llvm::ArrayRef<unsigned> bits) const;

  /// `lanes 2..6, slot 0..1` and so on, from the fastest bit to the slowest.
  std::string text() const;

  bool operator==(const TileLayout &other) const {
    return digits == other.digits && threads == other.threads;
  }

  llvm::SmallVector<Digit, 16> digits;
  int64_t threads;
  /// The most elements for which code is unrolled: Tuning::mostUnrolledElements, or another limit
  /// for accumulators and operands of a product.
  int64_t mostInRegisters;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_TILELAYOUT_H
