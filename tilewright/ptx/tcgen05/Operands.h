// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of tcgen05.mma: matrices in shared or tensor memory, and scales in tensor memory.

#ifndef TILEWRIGHT_PTX_TCGEN05_OPERANDS_H
#define TILEWRIGHT_PTX_TCGEN05_OPERANDS_H

#include "tilewright/ptx/tcgen05/DataPath.h"
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

/// How elements are stored. Packed: elements of 4 bits without padding.
struct ElementForm {
  Type type;
  bool isNegated, isPacked;
};

/// A matrix in the shared memory of a CTA, from a row on.
struct SharedMatrix {
  MatrixDescriptor place;
  ElementForm element;
  unsigned firstRow, rows, k;
  bool isTransposed;
};

/// Checks that these blocks of 16 bytes are in shared memory, and that reads of them through the
/// async proxy are ordered after writes. Sorts them. False after a finding that ends the run.
bool checkSharedReads(Thread &thread, const Op &op, Cta &owner, std::vector<uint64_t> &blocks);

/// Reads rows into `matrix`, from row `first` on, and checks the reads of the async proxy. False
/// after a finding that ends the run.
bool readShared(Thread &thread, const Op &op, Cta &owner, const SharedMatrix &shared,
                TensorMatrix &matrix, unsigned first);

/// A part of A in the tensor memory of a CTA.
struct TensorRows {
  TensorAddress address;
  DataPath path;
  unsigned part, k;
  ElementForm element;
};

/// Reads rows into `matrix`, from row `first` on. False after a finding that ends the run.
bool readTensor(Thread &thread, const Op &op, Cta &owner, const TensorRows &rows,
                TensorMatrix &matrix, unsigned first);

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
