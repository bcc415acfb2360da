// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records which accesses may write to a location. If the search leaves a read for a later write, it
// has to know whether such a write is possible. This class collects what the runs of all blocks
// have shown. If no write to a location has been seen, the search assumes that there is none. If a
// later run breaks that assumption, the search starts again with the new knowledge. The same
// applies to the parts into which accesses of other sizes split a location.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_FOOTPRINT_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_FOOTPRINT_H

#include "tilewright/reference/exhaustive/Events.h"

#include <set>

namespace tilewright::reference {

class Footprint {
public:
  /// Records an access whose location is certain. Returns false if it breaks an assumption.
  bool learn(AccessId access, const Event &event);
  /// Called when the search starts again.
  void forgetAssumptions() { assumedSplits.clear(), assumedWriters.clear(); }

  /// Assumes that no further access writes to the location.
  void assumeNoOtherWriters(Location location) { assumedWriters.insert(location); }
  bool isWritten(Location location) const;
  /// The accesses that were seen to write to a part of the location.
  std::vector<AccessId> writersOf(Location location) const;

  /// The parts of a location. From here on it is assumed to have no others.
  llvm::SmallVector<Location, 1> partsOf(Location location);
  const std::set<uint64_t> &allSplits() const { return splits; }

private:
  std::map<Location, std::set<AccessId>> writers;
  std::set<uint64_t> splits;
  std::set<Location> assumedSplits, assumedWriters;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_FOOTPRINT_H
