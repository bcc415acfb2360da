// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout conversions by lane shuffles (`LaneSwap`), without shared memory. If two layouts differ
// only in that bits of lanes and bits of registers are swapped, pairs of lanes exchange half of
// their elements for each such pair of bits. No barrier is needed.

#ifndef TILEWRIGHT_NVIDIA_PLAN_LANESWAPS_H
#define TILEWRIGHT_NVIDIA_PLAN_LANESWAPS_H

#include "tilewright/nvidia/plan/TileLayout.h"

#include <optional>

namespace tilewright::nvidia {

/// A bit of the lane number, and a bit of the register number.
struct LaneSwap {
  unsigned lane, slot;
};

struct LaneSwaps {
  llvm::SmallVector<LaneSwap, 4> swaps;
  /// After the shuffles: the bit of the old register number, for each bit of the new one.
  llvm::SmallVector<unsigned, 8> slots;
};

/// The shuffles that convert one layout of a tile to another; none if elements move between warps,
/// or otherwise between lanes, or if one of the layouts is not in registers.
std::optional<LaneSwaps> laneSwapsBetween(const TileLayout &from, const TileLayout &to);

/// The layout after some shuffles that give each thread `width` consecutive elements, in the order
/// of `bits` (the fastest first), and other lanes the next ones up to `span`; none if that needs
/// bits of warps, or more register or lane bits than there are.
std::optional<TileLayout> widenedByLaneSwaps(const TileLayout &held, llvm::ArrayRef<unsigned> bits,
                                             int64_t width, int64_t span);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_LANESWAPS_H
