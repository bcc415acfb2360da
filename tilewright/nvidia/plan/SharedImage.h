// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an operand of a matrix instruction lies in shared memory. Its rows are divided into panels of
// `span` bytes, which follow each other. In a panel, rows follow each other. Rows consist of pieces
// of 16 bytes, which are swizzled from row to row, so that the pieces that are accessed together
// are in different banks. With panels of 32, 64 or 128 bytes, these are the swizzles of `wgmma` and
// of tensor maps (PTX ISA, 9.7.16.5.1 and 5.5.7): each is a permutation of pieces that repeats
// after eight panel rows of 128 bytes, or as many bytes.

#ifndef TILEWRIGHT_NVIDIA_PLAN_SHAREDIMAGE_H
#define TILEWRIGHT_NVIDIA_PLAN_SHAREDIMAGE_H

#include <algorithm>
#include <cstdint>

namespace tilewright::nvidia {

struct SharedImage {
  static constexpr int64_t pieceBytes = 16;
  /// The narrowest and the widest swizzle of the hardware, and the rows after which one repeats.
  static constexpr int64_t narrowestSpan = 32, widestSpan = 128, rowsOfSwizzle = 8;

  int64_t rows, rowBytes;
  /// Bytes of a row in a panel; a power of two.
  int64_t span;

  /// An image that `wgmma` and tensor maps can access.
  static SharedImage inPanels(int64_t rows, int64_t rowBytes) {
    return {rows, rowBytes, std::min(rowBytes, widestSpan)};
  }

  int64_t panels() const { return rowBytes / span; }
  int64_t panelBytes() const { return rows * span; }
  /// The pieces among which the swizzle permutes, and the successive rows with the same
  /// permutation.
  int64_t swizzledPieces() const { return std::min(span / pieceBytes, rowsOfSwizzle); }
  int64_t rowsOfPermutation() const { return rowsOfSwizzle / swizzledPieces(); }

  /// The offset of a byte. Its bits are exclusive-ors of bits of `row` and `byte`.
  int64_t placeOf(int64_t row, int64_t byte) const {
    const int64_t moved = row / rowsOfPermutation() % swizzledPieces() * pieceBytes;
    return offsetOf(row, byte) ^ moved;
  }
  /// The offset at which the bytes from `byte` on of some rows begin for a descriptor: before the
  /// swizzle, which the hardware applies to addresses. `row` is a multiple of eight.
  int64_t offsetOf(int64_t row, int64_t byte) const {
    return byte / span * panelBytes() + row * span + byte % span;
  }
  /// A matrix descriptor (PTX ISA, 9.7.16.5.1) without its start address, which is in bits 0 to 13
  /// in units of 16 bytes. The *stride byte offset* leads to the next eight rows. The *leading byte
  /// offset* leads to the next panel if the image is not along k; otherwise it is not used.
  uint64_t descriptor(bool isAlongK) const {
    const uint64_t swizzle = span == 128 ? 1 : span == 64 ? 2 : 3;
    const uint64_t ofGroup = rowsOfSwizzle * span / 16, ofPanel = isAlongK ? 1 : panelBytes() / 16;
    return swizzle << 62 | ofGroup << 32 | ofPanel << 16;
  }
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_SHAREDIMAGE_H
