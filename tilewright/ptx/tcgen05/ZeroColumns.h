// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The zero-column mask descriptor of tcgen05.mma.ws: columns of B that count as zeros, and a shift
// of the columns (PTX ISA, 9.7.16.4.3). The table of the manual exchanges the meanings of the two
// spans; its examples and CUTLASS (MaskAndShiftB) agree.

#ifndef TILEWRIGHT_PTX_TCGEN05_ZEROCOLUMNS_H
#define TILEWRIGHT_PTX_TCGEN05_ZEROCOLUMNS_H

#include "tilewright/ptx/tcgen05/Descriptors.h"

namespace tilewright::ptx {

struct ZeroColumns {
  std::vector<bool> isZero; ///< For each column of the product.
  unsigned shift = 0;       ///< Column n of the product is column n + shift of B.
};

/// Decodes the descriptor for a product whose columns have so many parts. Returns the error as a
/// string.
std::variant<ZeroColumns, std::string>
decodeZeroColumns(uint64_t bits, const InstructionDescriptor &descriptor, unsigned parts);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TCGEN05_ZEROCOLUMNS_H
