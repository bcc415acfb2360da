// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alignment and contents of globals. All devices use these functions, so that they accept the same
// programs.

#ifndef TILEWRIGHT_TILE_GLOBALS_H
#define TILEWRIGHT_TILE_GLOBALS_H

#include "tilewright/support/Result.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// The largest alignment of a global in memory: a large page, which is also the allocation
/// granularity of GPUs. Linkers and loaders support it; each global may cost as many bytes.
inline constexpr uint64_t largestGlobalAlignment = uint64_t(1) << 21;

/// The alignment of a global, 1 if it is unspecified. The verifier accepts any number: numbers up
/// to 0 mean natural alignment, and others must be powers of two (types, 14 item 18).
support::Result<uint64_t> alignmentOf(GlobalOp global);

/// The initial contents: the elements as an array stores them.
std::string storedBytes(GlobalOp global);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_GLOBALS_H
