// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sp (PTX ISA, 9.7.14.6): half of the elements of each run of A along k are zero, and only the
// others are in registers. Metadata says where they belong: 2 bits for each element among the 4 of
// its run; of elements of 4 bits, for each pair of neighbours among 4 pairs; of tf32, 4 bits, and
// a run has 2 elements.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SPARSE_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SPARSE_H

#include "tilewright/ptx/instructions/matrix/Form.h"

namespace tilewright::ptx {

/// How many lanes of each group of 4 supply metadata: the sparsity selector says which.
unsigned metadataLanes(const Form &form);

/// The column of A of an element that is stored in this cell; clears `isDefined` if the metadata is
/// not. Metadata is in op.in[0], the selector in op.offset.
unsigned columnOf(const Warp &warp, const Form &form, Cell stored, bool &isDefined);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SPARSE_H
