// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in shared memory are the elements of a matrix that wgmma reads? A descriptor of 64 bits
// says it (PTX ISA, 9.7.15.5.1): core matrices of 8 rows of 16 bytes, and two distances between
// them. These are the canonical layouts of the manual, which CUTLASS has in mma_sm90_desc.hpp.

#ifndef TILEWRIGHT_PTX_ASYNC_MATRIXDESCRIPTOR_H
#define TILEWRIGHT_PTX_ASYNC_MATRIXDESCRIPTOR_H

#include "tilewright/ptx/async/TensorMap.h"

namespace tilewright::ptx {

struct MatrixDescriptor {
  explicit MatrixDescriptor(uint64_t bits);

  uint64_t start, leading, stride; ///< In bytes.
  unsigned baseOffset;
  Swizzle swizzle;

  /// The byte of shared memory where an element begins. `row` is along m or n, `column` along k;
  /// elements are `bits` wide. K-major: neighbours along k are neighbours in memory.
  uint64_t addressOf(unsigned row, unsigned column, unsigned bits, bool isKMajor) const;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_MATRIXDESCRIPTOR_H
