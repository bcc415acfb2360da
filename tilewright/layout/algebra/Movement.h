// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does it take to get a tile from one layout into another, and to or from memory?
// The counts are those of the hardware's own rules, so that two layouts can be compared
// before any code is written.

#ifndef TILEWRIGHT_LAYOUT_ALGEBRA_MOVEMENT_H
#define TILEWRIGHT_LAYOUT_ALGEBRA_MOVEMENT_H

#include "tilewright/layout/algebra/Layout.h"

namespace tilewright::layout {

/// How far data move in a change of layout, the cheapest first (layouts, 4.9).
enum class Distance {
  None,      ///< the layouts are equal
  Registers, ///< every thread holds the same elements, some in other registers
  Lanes,     ///< every subgroup holds the same elements, some in other lanes
  Workgroup, ///< some elements go to another subgroup: through shared memory
};

/// Both layouts are of one tile and satisfy checkFor() of the workgroup.
Distance distanceBetween(const Layout &from, const Layout &to, Workgroup workgroup);

/// Whether the two agree about who holds what, whatever the registers.
bool haveSameOwners(const Layout &a, const Layout &b, Workgroup workgroup);

/// The test that does without a workgroup: batches and outers, which only name registers,
/// may differ (layouts, 1.9). Sufficient for haveSameOwners(), not necessary.
bool differInRegistersOnly(const Layout &a, const Layout &b);

/// A tile in memory: its first element is at address 0, a step along dimension `d` is
/// `strides[d]` elements.
struct MemoryTile {
  Numbers strides;
  int64_t elementBits;
};

/// What the accesses of all subgroups to a tile cost.
struct AccessCount {
  int64_t accesses;     ///< instructions, one for all lanes of a subgroup
  int64_t transactions; ///< what the memory does for them
  int64_t least;        ///< what it would do for as many bytes that lie well
};

/// Accesses of `bytes` per lane to global memory: how many sectors of 32 bytes they touch,
/// and how many the bytes of each access would fill. Refuses a width for which a thread
/// does not hold enough neighbours.
Result<AccessCount> countSectors(const Layout &layout, Workgroup workgroup,
                                 const MemoryTile &memory, int64_t bytes);

/// The same for shared memory, 32 banks of 4 bytes: in how many steps the accesses are
/// served. Accesses of 8 and 16 bytes go by half and quarter subgroups of 32 lanes; lanes
/// that want the same word share it.
Result<AccessCount> countBankSteps(const Layout &layout, Workgroup workgroup,
                                   const MemoryTile &memory, int64_t bytes);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ALGEBRA_MOVEMENT_H
