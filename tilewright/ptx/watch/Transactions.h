// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a memory access of a warp. Global memory is moved in sectors of 32 bytes: the cost is
// the number of sectors that the lanes touch. Shared memory has 32 banks, each of which delivers
// one word of 4 bytes per cycle: the cost is the number of distinct words in the busiest bank (bank
// conflicts). Lanes that read the same word share it. Accesses of 8 bytes take two phases of lanes,
// accesses of 16 bytes four (CUDA C++ Programming Guide, shared memory).

#ifndef TILEWRIGHT_PTX_WATCH_TRANSACTIONS_H
#define TILEWRIGHT_PTX_WATCH_TRANSACTIONS_H

#include <cstdint>
#include <span>

namespace tilewright::ptx {

inline constexpr uint64_t sectorBytes = 32, bankBytes = 4, bankCount = 32;
inline constexpr uint32_t noLane = UINT32_MAX;

/// The access of one lane, or a piece of a bulk copy.
struct LaneAccess {
  uint32_t lane; ///< `noLane` for a piece.
  uint32_t bytes;
  uint64_t address;
};

/// The number of sectors or cycles, and the ideal number for as many bytes.
struct Cost {
  uint64_t actual = 0, ideal = 0;

  bool operator==(const Cost &) const = default;
};

/// Sectors of global memory.
Cost sectorsOf(std::span<const LaneAccess> lanes);
/// Bank-conflict cycles of shared memory. The ideal is one per 128 bytes of each phase.
Cost bankCyclesOf(std::span<const LaneAccess> lanes);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_TRANSACTIONS_H
