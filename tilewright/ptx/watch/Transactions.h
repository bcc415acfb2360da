// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does an access of a warp cost? Global memory is moved in sectors of 32 bytes: as many as
// the lanes touch. Shared memory has 32 banks of 4 bytes, which give a word each in a step: an
// access takes as many steps as the busiest bank has words to give. Lanes that ask for the same
// word get it in one step. Accesses of 8 bytes take the lanes in two phases, those of 16 bytes in
// four (CUDA C++ Programming Guide, shared memory).

#ifndef TILEWRIGHT_PTX_WATCH_TRANSACTIONS_H
#define TILEWRIGHT_PTX_WATCH_TRANSACTIONS_H

#include <cstdint>
#include <span>

namespace tilewright::ptx {

inline constexpr uint64_t sectorBytes = 32, bankBytes = 4, bankCount = 32;

/// What one lane asks for.
struct LaneAccess {
  uint32_t lane;
  uint32_t bytes;
  uint64_t address;
};

/// How many sectors or steps there are, and how few could hold the bytes that are asked for.
struct Cost {
  uint64_t actual = 0, least = 0;

  bool operator==(const Cost &) const = default;
};

/// Of global memory.
Cost sectorsOf(std::span<const LaneAccess> lanes);
/// Of shared memory. The least is that of each phase: one for each 128 bytes.
Cost bankStepsOf(std::span<const LaneAccess> lanes);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_TRANSACTIONS_H
