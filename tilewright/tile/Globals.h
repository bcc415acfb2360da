// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where may a global begin? Both devices ask here, so that they take the same programs.

#ifndef TILEWRIGHT_TILE_GLOBALS_H
#define TILEWRIGHT_TILE_GLOBALS_H

#include "tilewright/support/Result.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// The largest alignment of a global in memory: a large page, which is also the unit in which GPUs
/// hand out memory. Linkers and loaders manage it; each global may cost as many bytes.
inline constexpr uint64_t largestGlobalAlignment = uint64_t(1) << 21;

/// The multiple of what address the global begins at, at least; 1 if it does not say. The verifier
/// accepts any number; up to 0 they mean natural alignment, and others must be powers of two
/// (types, 14 item 18).
support::Result<uint64_t> alignmentOf(GlobalOp global);

/// What is in memory there at first: the elements as an array stores them.
std::string storedBytes(GlobalOp global);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_GLOBALS_H
