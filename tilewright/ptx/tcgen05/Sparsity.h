// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparsity metadata of tcgen05.mma.sp in tensor memory: which elements of a row of A are stored
// (PTX ISA, 9.7.16.10.8; layouts as in CUTLASS, tmem_e_frg and tmem_e_frg_ws).

#ifndef TILEWRIGHT_PTX_TCGEN05_SPARSITY_H
#define TILEWRIGHT_PTX_TCGEN05_SPARSITY_H

#include "tilewright/ptx/tcgen05/Operands.h"

namespace tilewright::ptx {

/// For each row, where its stored elements are among the k elements.
struct StoredPositions {
  StoredPositions(unsigned rows, unsigned stored)
      : stored(stored), positions(rows * stored), defined(rows, 1) {}

  unsigned stored; ///< Number of elements in a row.
  std::vector<uint16_t> positions;
  std::vector<uint8_t> defined;
};

/// The metadata for a part of the columns of D, in the tensor memory of a CTA.
struct Metadata {
  TensorAddress address;
  DataPath path;
  unsigned part;
  Type type;     ///< Of A.
  bool isPacked; ///< Pairs of 4-bit elements are stored.
  unsigned selector;
};

/// Reads the metadata of rows, from row `first` of `positions` on. False after a finding that ends
/// the run.
bool readMetadata(Thread &thread, const Op &op, Cta &owner, const Metadata &metadata,
                  StoredPositions &positions, unsigned first);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TCGEN05_SPARSITY_H
