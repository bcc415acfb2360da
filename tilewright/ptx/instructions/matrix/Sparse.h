// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma.sp and wgmma.mma_async.sp (PTX ISA, 9.7.14.6 and 9.7.15.6): half of the elements of each run
// of A along k are zero, and only the others are stored. Metadata says where they belong: 2 bits
// for each element among the 4 of its run; of elements of 4 bits, for each pair of neighbours among
// 4 pairs; of tf32, 4 bits, and a run has 2 elements. A warp has the metadata of 16 rows, for wgmma
// as for mma (CuTe, mma_traits_sm90_gmma_sparse.hpp, has them as ELayout_64x64 and its neighbours).

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SPARSE_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SPARSE_H

#include "tilewright/ptx/instructions/matrix/Form.h"

namespace tilewright::ptx {

/// The metadata of 16 rows of a sparse A.
struct Metadata {
  unsigned bits;     ///< Of an element.
  unsigned columns;  ///< Stored elements of a row.
  unsigned operand;  ///< Of the op, where the register is.
  unsigned selector; ///< Which lanes of each group of 4 supply it.
};

/// How many lanes of each group of 4 supply metadata, of elements of `bits` in rows of `columns`.
unsigned metadataLanes(unsigned bits, unsigned columns);

/// The column of A of an element that is stored in this cell; clears `isDefined` if the metadata is
/// not defined.
unsigned columnOf(const Warp &warp, const Metadata &metadata, Cell stored, bool &isDefined);

/// Takes the number that says which lanes supply the metadata.
bool takeSelector(Decoder &decoder, const Operand &operand, unsigned bits, unsigned columns);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SPARSE_H
