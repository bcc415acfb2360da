// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Footprint.h"
#include "llvm/ADT/STLExtras.h"

using namespace tilewright;
using namespace tilewright::reference;

/// The members of a container sorted by location that overlap `location`.
template <typename Container, typename LocationOf>
static auto overlapping(Container &all, Location location, LocationOf locationOf) {
  // The largest access element, in half bytes.
  constexpr uint64_t longest = 16;
  auto first = all.lower_bound({location.begin - std::min(location.begin, longest), 0});
  auto last = all.lower_bound({location.end, 0});
  return llvm::make_filter_range(llvm::make_range(first, last), [=](const auto &entry) {
    return locationOf(entry).overlaps(location);
  });
}

static auto overlapping(const std::set<Location> &all, Location location) {
  return overlapping(all, location, [](const Location &entry) { return entry; });
}

template <typename Map> static auto overlappingIn(Map &all, Location location) {
  return overlapping(all, location, [](const auto &entry) { return entry.first; });
}

bool Footprint::learn(AccessId access, const Event &event) {
  bool holds = true;
  Location location = event.location;
  for (uint64_t bound : {location.begin, location.end})
    if (splits.insert(bound).second && bound > 0)
      for (Location known : overlapping(assumedSplits, {bound - 1, bound + 1}))
        holds &= bound <= known.begin || known.end <= bound;
  if ((event.written || event.mayFail) && writers[location].insert(access).second)
    holds &= overlapping(assumedWriters, location).empty();
  return holds;
}

bool Footprint::isWritten(Location location) const {
  return !overlappingIn(writers, location).empty();
}

std::vector<AccessId> Footprint::writersOf(Location location) const {
  std::vector<AccessId> found;
  for (const auto &[written, accesses] : overlappingIn(writers, location))
    found.insert(found.end(), accesses.begin(), accesses.end());
  return found;
}

llvm::SmallVector<Location, 1> Footprint::partsOf(Location location) {
  assumedSplits.insert(location);
  llvm::SmallVector<Location, 1> parts;
  uint64_t begin = location.begin;
  for (auto bound = splits.upper_bound(begin); begin < location.end; ++bound) {
    uint64_t end = bound == splits.end() ? location.end : std::min(*bound, location.end);
    parts.push_back({begin, end});
    begin = end;
    if (bound == splits.end())
      break;
  }
  return parts;
}
