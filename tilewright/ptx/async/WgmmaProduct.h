// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of a wgmma.mma_async (PTX ISA, 9.7.15.5): which types there are, what its op has, and
// D = A * B + D by the threads of a warpgroup.

#ifndef TILEWRIGHT_PTX_ASYNC_WGMMAPRODUCT_H
#define TILEWRIGHT_PTX_ASYNC_WGMMAPRODUCT_H

#include "tilewright/ptx/machine/Thread.h"

#include <span>

namespace tilewright::ptx {

/// The types of a product. k has 256 bits of a row of A that are stored, and is twice as long if
/// A is sparse.
struct WgmmaKind {
  Type d, a, b;
  unsigned k;
};

std::span<const WgmmaKind> wgmmaKinds();

namespace wgmma {
// op.in[0] and op.in[1] are descriptors, op.in[2] the predicate that says whether D is added,
// op.in[3] the metadata of a sparse A, and op.offset their selector; op.list has D, op.list2 A if
// it is in registers; op.bytes is n / 8; op.mode the kind, and this.
inline constexpr uint32_t kindBits = 0xFF, negatesA = 1u << 8, negatesB = 1u << 9,
                          transposesA = 1u << 10, transposesB = 1u << 11, saturates = 1u << 12,
                          isSparse = 1u << 13;

inline constexpr unsigned rows = 64, threadsPerGroup = 128;
} // namespace wgmma

/// By a warpgroup whose first warp this is; false after a finding that ends the run. What it reads
/// in shared memory is checked, and D reaches its registers when its group was waited for.
bool multiplyWarpgroup(Warp &warp, const Op &op);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_WGMMAPRODUCT_H
