// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why accesses cost more than the ideal: how the lanes of a warp are spread over memory. In the
// order of the lanes, neighbours whose bytes follow one another form a run. Most access patterns of
// kernels are runs of one size that are equally far apart; the others are irregular.

#ifndef TILEWRIGHT_PTX_WATCH_PATTERNS_H
#define TILEWRIGHT_PTX_WATCH_PATTERNS_H

#include "tilewright/ptx/watch/Transactions.h"

#include <map>
#include <vector>

namespace tilewright::ptx {

struct AccessPattern {
  /// Bytes that each lane accesses; 0 if they differ, and for bulk copies.
  uint32_t bytes = 0;
  /// Bytes of a run; 0 if the pattern is irregular.
  uint64_t run = 0;
  /// From the start of a run to that of the next one; 0 if there is only one.
  int64_t stride = 0;
  /// A run touches more units (sectors, words) than its size needs.
  bool isUnaligned = false;
  /// If so: where in its unit the first run starts.
  uint32_t start = 0;

  auto operator<=>(const AccessPattern &) const = default;
};

/// `unit` is the size of a sector or of a word.
AccessPattern patternOf(std::span<const LaneAccess> lanes, uint64_t unit);

/// The accesses of one pattern.
struct PatternCount {
  uint64_t accesses = 0;
  Cost cost;

  uint64_t wasted() const { return cost.actual - cost.ideal; }
  PatternCount &operator+=(const PatternCount &other);
};

/// The patterns of the accesses that cost more than the ideal.
class Patterns {
public:
  using Entry = std::pair<const AccessPattern, PatternCount>;

  void add(const AccessPattern &pattern, const PatternCount &count);
  Patterns &operator+=(const Patterns &other);
  /// At most `most` patterns, those that waste most first.
  std::vector<const Entry *> worst(size_t most) const;

private:
  std::map<AccessPattern, PatternCount> counts;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_WATCH_PATTERNS_H
