// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes and sectors of global memory a CTA has touched, by source line and direction: those
// that its warps or the iterations of its loops touch again are repeated.

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
    for (size_t lane = 0; lane < lanes.size();) {
      // Lanes that follow one another are one run of bytes.
      uint64_t at = lanes[lane].address, end = at;
      while (lane < lanes.size() && lanes[lane].address == end)
        end += lanes[lane++].bytes;
      while (at < end) {
        const uint64_t next = std::min(end, (at / sectorBytes + 1) * sectorBytes);
        added.sectors += touched.add(at, next - at);
        at = next;
      }
    }
    added.data = sectorsFor(touched.bytes) - before;
    return added;
  }

private:
  static constexpr uint64_t pageSectors = 16;
  static_assert(sectorBytes == 32, "a word has a bit for each byte of a sector");

  struct Line {
    /// A word for each sector.
    using Page = std::array<uint32_t, pageSectors>;
    std::unordered_map<uint64_t, Page> pages;
    uint64_t bytes = 0;
    /// The last page, since neighbouring lanes mostly touch the same one.
    uint64_t lastNumber = 0;
    Page *last = nullptr;

    Page &page(uint64_t number) {
      if (!last || number != lastNumber) {
        last = &pages[number];
        lastNumber = number;
      }
      return *last;
    }

    /// Adds bytes of one sector; returns whether the sector is new.
    bool add(uint64_t address, uint64_t count) {
      const uint64_t sector = address / sectorBytes;
      uint32_t &known = page(sector / pageSectors)[sector % pageSectors];
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
