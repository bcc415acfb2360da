// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes and sectors of global memory a CTA has touched, by source line: those that its warps
// or the iterations of its loops touch again are repeated.

#ifndef TILEWRIGHT_PTX_WATCH_TOUCHEDSECTORS_H
#define TILEWRIGHT_PTX_WATCH_TOUCHEDSECTORS_H

#include "tilewright/ptx/watch/Transactions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

namespace tilewright::ptx {

class TouchedSectors {
public:
  /// What a line touches for the first time: sectors, and by how many sectors its bytes would fill
  /// more if they were packed.
  struct Added {
    uint64_t sectors = 0, data = 0;
  };

  Added add(uint32_t line, std::span<const LaneAccess> lanes) {
    Line &touched = lines[line];
    Added added;
    const uint64_t before = sectorsFor(touched.bytes);
    for (const LaneAccess &lane : lanes)
      for (uint64_t at = lane.address, end = at + lane.bytes; at < end;) {
        const uint64_t next = std::min(end, (at / sectorBytes + 1) * sectorBytes);
        added.sectors += touched.add(at, next - at);
        at = next;
      }
    added.data = sectorsFor(touched.bytes) - before;
    return added;
  }

private:
  static constexpr uint64_t pageSectors = 16;
  static_assert(sectorBytes == 32, "a word has a bit for each byte of a sector");

  struct Line {
    /// A word for each sector of a page.
    std::unordered_map<uint64_t, std::array<uint32_t, pageSectors>> pages;
    uint64_t bytes = 0;

    /// Adds bytes of one sector; returns whether the sector is new.
    bool add(uint64_t address, uint64_t count) {
      const uint64_t sector = address / sectorBytes;
      uint32_t &known = pages[sector / pageSectors][sector % pageSectors];
      const uint32_t bits = uint32_t(((uint64_t(1) << count) - 1) << address % sectorBytes);
      const bool isNew = !known;
      bytes += uint64_t(std::popcount(bits & ~known));
      known |= bits;
      return isNew;
    }
  };

  static uint64_t sectorsFor(uint64_t bytes) { return (bytes + sectorBytes - 1) / sectorBytes; }

  std::unordered_map<uint32_t, Line> lines;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_TOUCHEDSECTORS_H
