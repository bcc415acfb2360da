// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix descriptors of wgmma and tcgen05.mma: 64 bits that locate the elements of a matrix in
// shared memory (PTX ISA, 9.7.15.5.1). They describe core matrices of 8 rows of 16 bytes and two
// strides between them. The layouts are the canonical ones of the manual, as in CUTLASS
// (mma_sm90_desc.hpp).

#ifndef TILEWRIGHT_PTX_ASYNC_MATRIXDESCRIPTOR_H
#define TILEWRIGHT_PTX_ASYNC_MATRIXDESCRIPTOR_H

#include "tilewright/ptx/async/TensorMap.h"

namespace tilewright::ptx {

struct MatrixDescriptor {
  explicit MatrixDescriptor(uint64_t bits);

  uint64_t start, leading, stride; ///< In bytes.
  unsigned baseOffset;
  Swizzle swizzle;
  Atomicity atomicity = Atomicity::Bytes16;

  /// Whether the pattern of the swizzle begins elsewhere; without a swizzle, the field means
  /// nothing (PTX ISA, 9.7.15.5.1).
  bool hasBaseOffset() const { return baseOffset && swizzle != Swizzle::None; }

  /// The shared address of an element. `row` is along m or n, `column` along k; elements have
  /// `bits` bits. K-major: neighbours along k are adjacent in memory.
  uint64_t addressOf(unsigned row, unsigned column, unsigned bits, bool isKMajor) const;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_MATRIXDESCRIPTOR_H
