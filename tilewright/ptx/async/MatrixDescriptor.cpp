// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MatrixDescriptor.h.

#include "tilewright/ptx/async/MatrixDescriptor.h"

using namespace tilewright::ptx;

/// A field of 14 bits, in units of 16 bytes.
static uint64_t fieldOf(uint64_t bits, unsigned first) { return (bits >> first & 0x3FFF) << 4; }

MatrixDescriptor::MatrixDescriptor(uint64_t bits)
    : start(fieldOf(bits, 0)), leading(fieldOf(bits, 16)), stride(fieldOf(bits, 32)),
      baseOffset(unsigned(bits >> 49 & 7)) {
  static constexpr Swizzle swizzles[] = {Swizzle::None, Swizzle::Bytes128, Swizzle::Bytes64,
                                         Swizzle::Bytes32};
  swizzle = swizzles[bits >> 62];
}

/// Rows of 8 core matrices follow each other; with a swizzle, a row is as wide as the swizzle span.
static uint64_t kMajor(const MatrixDescriptor &matrix, unsigned row, uint64_t byte) {
  const uint64_t group = row / 8 * matrix.stride;
  if (matrix.swizzle == Swizzle::None)
    return group + row % 8 * 16 + byte / 16 * matrix.leading + byte % 16;
  return group + row % 8 * (uint64_t(16) << unsigned(matrix.swizzle)) + byte;
}

/// The transposed layout: 16 bytes along m or n are adjacent, or a swizzle span; then come 8 along
/// k.
static uint64_t mnMajor(const MatrixDescriptor &matrix, unsigned row, unsigned column,
                        unsigned bits) {
  const unsigned packed = 128 / bits, bytes = bits / 8;
  if (matrix.swizzle == Swizzle::None)
    return row % packed * bytes + row / packed * matrix.stride + column % 8 * 16 +
           column / 8 * matrix.leading;
  const unsigned span = 16u << unsigned(matrix.swizzle), perSpan = span / bytes;
  return row % perSpan * bytes + row / perSpan * matrix.leading + column % 8 * uint64_t(span) +
         column / 8 * matrix.stride;
}

uint64_t MatrixDescriptor::addressOf(unsigned row, unsigned column, unsigned bits,
                                     bool isKMajor) const {
  const uint64_t byte = uint64_t(column) * bits / 8;
  const uint64_t offset = isKMajor ? kMajor(*this, row, byte) : mnMajor(*this, row, column, bits);
  return swizzled(start + offset, swizzle, atomicity);
}
