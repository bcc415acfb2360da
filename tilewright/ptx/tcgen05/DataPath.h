// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lanes of tensor memory have a row of D, or of A: layouts A to G of PTX ISA, 9.7.16.10.5.

#ifndef TILEWRIGHT_PTX_TCGEN05_DATAPATH_H
#define TILEWRIGHT_PTX_TCGEN05_DATAPATH_H

#include "tilewright/ptx/machine/TensorMemory.h"

namespace tilewright::ptx {

/// The lanes of a CTA. Fewer than 128 rows either have 16 lanes in each quarter, from lane 0 or 16
/// on, or the columns of D are in several parts, each of them `rows` lanes below the one before.
/// Each part has its own copy of A.
struct DataPath {
  DataPath(unsigned rows, bool isHalf)
      : rows(rows), parts(isHalf ? 1 : tensorLanes / rows), isHalf(isHalf) {}

  unsigned rows, parts;
  bool isHalf;

  /// From the lane of the address on.
  uint32_t laneOf(unsigned row, unsigned part) const {
    return isHalf ? row / lanesPerGroup * 2 * lanesPerGroup + row % lanesPerGroup
                  : part * rows + row;
  }
  /// Bits for the groups of 16 lanes, for an address in lane 0 or 16.
  uint32_t groupsFrom(uint32_t lane) const { return !isHalf ? 0xFF : lane ? 0xAA : 0x55; }
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_TCGEN05_DATAPATH_H
