// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which sectors of global memory a CTA has touched, by source line: the sectors that its warps or
// the iterations of its loops touch again are repeated.

#ifndef TILEWRIGHT_PTX_WATCH_TOUCHEDSECTORS_H
#define TILEWRIGHT_PTX_WATCH_TOUCHEDSECTORS_H

#include <cstdint>
#include <span>
#include <unordered_map>

namespace tilewright::ptx {

class TouchedSectors {
public:
  /// Remembers the sectors; returns how many of them the line touches for the first time.
  uint64_t add(uint32_t line, std::span<const uint64_t> sectors) {
    uint64_t count = 0;
    auto &pages = touched[line];
    for (const uint64_t sector : sectors) {
      uint64_t &bits = pages[sector / 64];
      const uint64_t bit = uint64_t(1) << sector % 64;
      count += !(bits & bit);
      bits |= bit;
    }
    return count;
  }

private:
  /// For each line, a bit for each of 64 sectors.
  std::unordered_map<uint32_t, std::unordered_map<uint64_t, uint64_t>> touched;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_TOUCHEDSECTORS_H
