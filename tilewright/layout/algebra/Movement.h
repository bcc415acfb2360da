// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of converting a tile between layouts, and of accessing it in memory. Costs follow the
// rules of the hardware, so that layouts can be compared before any code is generated.

#ifndef TILEWRIGHT_LAYOUT_ALGEBRA_MOVEMENT_H
#define TILEWRIGHT_LAYOUT_ALGEBRA_MOVEMENT_H

#include "tilewright/layout/algebra/Layout.h"

namespace tilewright::layout {

/// How far data move in a layout conversion, from cheap to expensive (layouts, 4.9).
enum class Distance {
  None,      ///< the layouts are equal
  Registers, ///< each thread holds the same elements, but some in other registers
  Lanes,     ///< each subgroup holds the same elements, but some in other lanes
  Workgroup, ///< some elements move to another subgroup, through shared memory
};

/// Both layouts describe the same tile and satisfy checkFor() for the workgroup.
Distance distanceBetween(const Layout &from, const Layout &to, Workgroup workgroup);

/// Whether each thread holds the same elements in both layouts, in any registers.
bool haveSameOwners(const Layout &a, const Layout &b, Workgroup workgroup);

/// A sufficient test for haveSameOwners() that needs no workgroup: only batches and outers differ,
/// which merely number registers (layouts, 1.9).
bool differInRegistersOnly(const Layout &a, const Layout &b);

/// A tile in memory: its first element is at address 0, and neighbours along dimension `d` are
/// `strides[d]` elements apart.
struct MemoryTile {
  Numbers strides;
  int64_t elementBits;
};

/// The cost of the accesses of all subgroups to a tile.
struct AccessCount {
  int64_t accesses;     ///< instructions, one for all lanes of a subgroup
  int64_t transactions; ///< memory transactions for them
  int64_t least;        ///< the ideal number of transactions for as many bytes
};

/// Accesses of `bytes` per lane to global memory: the number of 32-byte sectors that they touch,
/// and the ideal number. Fails if a thread does not hold enough neighbours for this width.
Result<AccessCount> countSectors(const Layout &layout, Workgroup workgroup,
                                 const MemoryTile &memory, int64_t bytes);

/// The same for shared memory with 32 banks of 4 bytes: bank-conflict cycles, and the ideal number.
/// Accesses of 8 and 16 bytes are served per half and quarter subgroup of 32 lanes; lanes that
/// access the same word share it.
Result<AccessCount> countBankSteps(const Layout &layout, Workgroup workgroup,
                                   const MemoryTile &memory, int64_t bytes);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ALGEBRA_MOVEMENT_H
