// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of tcgen05.mma: matrices in shared or tensor memory, and scales in tensor memory.

#ifndef TILEWRIGHT_PTX_TCGEN05_OPERANDS_H
#define TILEWRIGHT_PTX_TCGEN05_OPERANDS_H

#include "tilewright/ptx/tcgen05/Descriptors.h"
#include "tilewright/ptx/tcgen05/Tcgen05.h"

namespace tilewright::ptx {

/// Rows of A, or columns of B: `k` values each. A row is defined if all of its elements are.
struct TensorMatrix {
  TensorMatrix(unsigned rows, unsigned k) : k(k), values(rows * k), defined(rows, 1) {}

  unsigned k;
  std::vector<double> values;
  std::vector<uint8_t> defined;
};

/// A matrix in the shared memory of a CTA.
struct SharedMatrix {
  MatrixDescriptor place;
  Type type;
  unsigned rows, k;
  bool isTransposed, isNegated;
  bool isPacked; ///< 4-bit elements without padding.
};

/// Checks that these blocks of 16 bytes are in shared memory, and that reads of them through the
/// async proxy are ordered after writes. Sorts them. False after a finding that ends the run.
bool checkSharedReads(Thread &thread, const Op &op, Cta &owner, std::vector<uint64_t> &blocks);

/// Reads rows into `matrix`, from row `first` on, and checks the reads of the async proxy. False
/// after a finding that ends the run.
bool readShared(Thread &thread, const Op &op, Cta &owner, const SharedMatrix &shared,
                TensorMatrix &matrix, unsigned first);

/// An element of A in tensor memory, of which `bits` are in the low bits; how many bits a container
/// has, and the value.
unsigned containerBits(Type type, bool isPacked);
double valueOfContainer(uint64_t bits, Type type, bool isPacked);

/// Scales of `rows` rows: a byte of a lane and column for each (PTX ISA, 9.7.16.10.7), repeated in
/// all quarters of the lanes.
struct ScaleMatrix {
  TensorAddress address;
  unsigned rows, count; ///< Number of rows, and of scales in a row.
  unsigned firstByte;
  Type type;
};
bool readScales(Thread &thread, const Op &op, Cta &owner, const ScaleMatrix &scales,
                TensorMatrix &matrix, unsigned first);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TCGEN05_OPERANDS_H
