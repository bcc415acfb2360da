// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Patterns.h.

#include "tilewright/ptx/watch/Patterns.h"

#include <algorithm>
#include <utility>

using namespace tilewright::ptx;

//===-- Runs --------------------------------------------------------------------------------===//

namespace {
struct Run {
  uint64_t address, bytes;
};
} // namespace

/// The accesses in the order of their lanes, joined where one follows another. Neighbours at one
/// address count once.
static std::vector<Run> runsOf(std::span<const LaneAccess> lanes) {
  std::vector<LaneAccess> sorted(lanes.begin(), lanes.end());
  std::ranges::sort(
      sorted, {}, [](const LaneAccess &access) { return std::pair(access.lane, access.address); });
  std::vector<Run> runs;
  const LaneAccess *last = nullptr;
  for (const LaneAccess &access : sorted) {
    const bool isSame = last && last->address == access.address && last->bytes == access.bytes;
    last = &access;
    if (isSame)
      continue;
    if (!runs.empty() && runs.back().address + runs.back().bytes == access.address)
      runs.back().bytes += access.bytes;
    else
      runs.push_back({access.address, access.bytes});
  }
  return runs;
}

static bool isUnaligned(const Run &run, uint64_t unit) {
  const uint64_t units = (run.address % unit + run.bytes + unit - 1) / unit;
  return units > (run.bytes + unit - 1) / unit;
}

/// Whether the runs have one size and are equally far apart. Two accesses always are, so only runs
/// of several are a pattern if there are two.
static bool areRegular(std::span<const Run> runs, uint32_t bytes) {
  if (runs.size() == 2 && runs[0].bytes == bytes)
    return false;
  for (size_t at = 1; at < runs.size(); ++at)
    if (runs[at].bytes != runs[0].bytes ||
        runs[at].address - runs[at - 1].address != runs[1].address - runs[0].address)
      return false;
  return true;
}

/// The bytes that each lane accesses; 0 if they differ, and for pieces of a copy.
static uint32_t bytesOfLane(std::span<const LaneAccess> lanes) {
  const LaneAccess &first = lanes.front();
  const bool areEqual = std::ranges::all_of(
      lanes, [&](const LaneAccess &access) { return access.bytes == first.bytes; });
  return areEqual && first.lane != noLane ? first.bytes : 0;
}

AccessPattern tilewright::ptx::patternOf(std::span<const LaneAccess> lanes, uint64_t unit) {
  AccessPattern pattern{bytesOfLane(lanes)};
  const std::vector<Run> runs = runsOf(lanes);
  if (!areRegular(runs, pattern.bytes))
    return pattern;
  pattern.run = runs[0].bytes;
  if (runs.size() > 1)
    pattern.stride = int64_t(runs[1].address - runs[0].address);
  pattern.isUnaligned =
      std::ranges::any_of(runs, [&](const Run &run) { return isUnaligned(run, unit); });
  if (pattern.isUnaligned)
    pattern.start = uint32_t(runs[0].address % unit);
  return pattern;
}

//===-- Counts ------------------------------------------------------------------------------===//

PatternCount &PatternCount::operator+=(const PatternCount &other) {
  accesses += other.accesses;
  cost.actual += other.cost.actual;
  cost.ideal += other.cost.ideal;
  return *this;
}

void Patterns::add(const AccessPattern &pattern, const PatternCount &count) {
  // Strides that depend on data may all differ: beyond this number, they count as irregular.
  constexpr size_t mostPatterns = 4096;
  const bool isListed = counts.size() < mostPatterns || counts.contains(pattern);
  counts[isListed ? pattern : AccessPattern{pattern.bytes}] += count;
}

Patterns &Patterns::operator+=(const Patterns &other) {
  for (const auto &[pattern, count] : other.counts)
    add(pattern, count);
  return *this;
}

std::vector<const Patterns::Entry *> Patterns::worst(size_t most) const {
  std::vector<const Entry *> entries;
  for (const Entry &entry : counts)
    entries.push_back(&entry);
  std::ranges::sort(entries, {}, [](const Entry *entry) {
    return std::pair(-int64_t(entry->second.wasted()), entry->first);
  });
  entries.resize(std::min(entries.size(), most));
  return entries;
}
