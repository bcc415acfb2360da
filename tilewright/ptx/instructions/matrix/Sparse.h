// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured sparsity of mma.sp and wgmma.mma_async.sp (PTX ISA, 9.7.14.6 and 9.7.15.6): half of
// the elements in each run of A along k are zero, and only the others are stored. Metadata has
// their positions: 2 bits for each element in a run of 4; for 4-bit elements, 2 bits for each pair
// in a run of 4 pairs; for tf32, 4 bits in a run of 2. A warp has the metadata of 16 rows, in the
// same layout for wgmma and mma (CuTe, mma_traits_sm90_gmma_sparse.hpp: ELayout_64x64 and others).

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SPARSE_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SPARSE_H

#include "tilewright/ptx/instructions/matrix/Form.h"

namespace tilewright::ptx {

/// The metadata of 16 rows of a sparse A.
struct Metadata {
  unsigned bits;     ///< Bits of an element.
  unsigned columns;  ///< Stored elements of a row.
  unsigned operand;  ///< Index of the metadata register in op.in.
  unsigned selector; ///< Which lanes of each group of 4 supply it.
};

/// Number of lanes in each group of 4 that supply metadata, for rows of `columns` elements of
/// `bits` bits.
unsigned metadataLanes(unsigned bits, unsigned columns);

/// The column of A of the element stored in this cell; clears `isDefined` if the metadata is
/// undefined.
unsigned columnOf(const Warp &warp, const Metadata &metadata, Cell stored, bool &isDefined);

/// Takes the selector of the lanes that supply the metadata.
bool takeSelector(Decoder &decoder, const Operand &operand, unsigned bits, unsigned columns);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SPARSE_H
