// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of tcgen05.mma as an op has them, and the execution.

#ifndef TILEWRIGHT_PTX_TCGEN05_PRODUCT_H
#define TILEWRIGHT_PTX_TCGEN05_PRODUCT_H

#include "tilewright/ptx/tcgen05/Tcgen05.h"

namespace tilewright::ptx::tensor {

// op.mode has the kind and these flags.
inline constexpr uint32_t kindBits = 7, ofPair = 8, readsTensor = 16, hasScales = 32,
                          isStationary = 64, isSparse = 128;
/// Bit 8 and up: number of scales in a row.
inline constexpr unsigned scalesShift = 8;

/// The slots in op.list; an address has a base and an offset. Unused slots hold zero. op.list2 has
/// the mask of disabled lanes, op.offset is the scale of the input D.
enum Slot : uint32_t {
  D,
  DOffset,
  A,
  AOffset,
  B,
  Descriptor,
  Enable,
  ScaleA,
  ScaleAOffset,
  ScaleB,
  ScaleBOffset,
  ZeroMask,
  Sparsity,
  SparsityOffset,
  SlotCount
};

Step runProduct(Thread &thread, const Op &op);

} // namespace tilewright::ptx::tensor

#endif // TILEWRIGHT_PTX_TCGEN05_PRODUCT_H
