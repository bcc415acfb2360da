// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Transactions.h.

#include "tilewright/ptx/watch/Transactions.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace tilewright::ptx;

/// Numbers of the units of `size` bytes that the lanes touch, sorted and without duplicates.
static std::vector<uint64_t> unitsOf(std::span<const LaneAccess> lanes, uint64_t size) {
  std::vector<uint64_t> units;
  for (const LaneAccess &access : lanes)
    for (uint64_t unit = access.address / size; unit * size < access.address + access.bytes; ++unit)
      units.push_back(unit);
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

/// Number of bytes that the lanes access, without duplicates.
static uint64_t distinctBytes(std::span<const LaneAccess> lanes) {
  std::vector<LaneAccess> sorted(lanes.begin(), lanes.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const LaneAccess &lhs, const LaneAccess &rhs) { return lhs.address < rhs.address; });
  uint64_t count = 0, end = 0;
  for (const LaneAccess &access : sorted) {
    const uint64_t begin = std::max(access.address, end);
    const uint64_t last = access.address + access.bytes;
    if (last > begin) {
      count += last - begin;
      end = last;
    }
  }
  return count;
}

static uint64_t divideUp(uint64_t count, uint64_t by) { return (count + by - 1) / by; }

Cost tilewright::ptx::sectorsOf(std::span<const LaneAccess> lanes) {
  return {unitsOf(lanes, sectorBytes).size(), divideUp(distinctBytes(lanes), sectorBytes)};
}

/// The cost of one phase of lanes.
static Cost cyclesOfPhase(std::span<const LaneAccess> lanes) {
  const std::vector<uint64_t> words = unitsOf(lanes, bankBytes);
  std::array<uint64_t, bankCount> perBank = {};
  for (uint64_t word : words)
    ++perBank[word % bankCount];
  return {*std::max_element(perBank.begin(), perBank.end()), divideUp(words.size(), bankCount)};
}

Cost tilewright::ptx::bankCyclesOf(std::span<const LaneAccess> lanes) {
  uint32_t bytes = 0;
  for (const LaneAccess &access : lanes)
    bytes = std::max(bytes, access.bytes);
  const uint32_t lanesOfPhase = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  Cost cost;
  for (uint32_t first = 0; first < 32; first += lanesOfPhase) {
    std::vector<LaneAccess> phase;
    for (const LaneAccess &access : lanes)
      if (access.lane >= first && access.lane < first + lanesOfPhase)
        phase.push_back(access);
    const Cost part = cyclesOfPhase(phase);
    cost.actual += part.actual;
    cost.ideal += part.ideal;
  }
  return cost;
}
