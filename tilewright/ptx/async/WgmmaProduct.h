// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product D = A * B + D of wgmma.mma_async (PTX ISA, 9.7.15.5): its types, the encoding of its
// op, and its execution for the threads of a warpgroup.

#ifndef TILEWRIGHT_PTX_ASYNC_WGMMAPRODUCT_H
#define TILEWRIGHT_PTX_ASYNC_WGMMAPRODUCT_H

#include "tilewright/ptx/machine/Thread.h"

#include <span>

namespace tilewright::ptx {

/// The types of a product. k stored elements of a row of A have 256 bits; a sparse A has twice as
/// many columns.
struct WgmmaKind {
  Type d, a, b;
  unsigned k;
};

std::span<const WgmmaKind> wgmmaKinds();

namespace wgmma {
// op.in[0] and op.in[1] are descriptors, op.in[2] is the predicate for adding D, op.in[3] the
// metadata of a sparse A, and op.offset its selector; op.list has D, op.list2 A if it is in
// registers; op.bytes is n / 8; op.mode has the kind and these flags.
inline constexpr uint32_t kindBits = 0xFF, negatesA = 1u << 8, negatesB = 1u << 9,
                          transposesA = 1u << 10, transposesB = 1u << 11, saturates = 1u << 12,
                          isSparse = 1u << 13;

inline constexpr unsigned rows = 64, threadsPerGroup = 128;
} // namespace wgmma

/// Multiplies for the warpgroup whose first warp is `warp`; false after a finding that ends the
/// run. Checks the reads of shared memory. D becomes visible in registers when its group is waited
/// for.
bool multiplyWarpgroup(Warp &warp, const Op &op);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_WGMMAPRODUCT_H
