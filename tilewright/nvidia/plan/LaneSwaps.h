// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do elements change lanes without shared memory? Where two layouts differ in that bits of
// lanes and bits of slots have changed places, pairs of lanes shuffle half of their elements for
// each such pair of bits. There is no barrier.

#ifndef TILEWRIGHT_NVIDIA_PLAN_LANESWAPS_H
#define TILEWRIGHT_NVIDIA_PLAN_LANESWAPS_H

#include "tilewright/nvidia/plan/TileLayout.h"

#include <optional>

namespace tilewright::nvidia {

/// A bit of the number of a lane, and a bit of the slot.
struct LaneSwap {
  unsigned lane, slot;
};

struct LaneSwaps {
  llvm::SmallVector<LaneSwap, 4> swaps;
  /// After them: for each bit of a slot of the new layout, the bit of the slot where its elements
  /// are.
  llvm::SmallVector<unsigned, 8> slots;
};

/// From one layout of a tile to another one; none if elements change warps or lanes otherwise, or
/// if one of the layouts is not in registers.
std::optional<LaneSwaps> laneSwapsBetween(const TileLayout &from, const TileLayout &to);

/// The layout that some swaps make with `width` elements, in the order of `bits` (the fastest
/// first), side by side in a thread, and the next ones up to `span` in other lanes; none if that
/// takes bits of warps, or more slots or lanes than there are.
std::optional<TileLayout> widenedByLaneSwaps(const TileLayout &held, llvm::ArrayRef<unsigned> bits,
                                             int64_t width, int64_t span);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_LANESWAPS_H
