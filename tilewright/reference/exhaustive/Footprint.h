// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses may write a location? A search that leaves a read for a later write has to know
// whether there can be one. This class keeps what the runs of all blocks have shown. If nothing has
// been seen to write a location, the search assumes that nothing does; a run that shows the
// contrary breaks the assumption, and the search has to start again, knowing more. Likewise for the
// parts that a location is split into by accesses of other sizes.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_FOOTPRINT_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_FOOTPRINT_H

#include "tilewright/reference/exhaustive/Events.h"

#include <set>

namespace tilewright::reference {

class Footprint {
public:
  /// An access whose location is certain. False if it breaks an assumption.
  bool learn(AccessId access, const Event &event);
  /// The search starts again.
  void forgetAssumptions() { splitAsKnown.clear(), writtenAsKnown.clear(); }

  /// Assumes that no further access writes there.
  void assumeWritersKnown(Location location) { writtenAsKnown.insert(location); }
  bool isWritten(Location location) const;
  /// Those that have been seen to write a part of a location.
  std::vector<AccessId> writersOf(Location location) const;

  /// The parts of a location, which it is assumed to have.
  llvm::SmallVector<Location, 1> partsOf(Location location);
  const std::set<uint64_t> &allSplits() const { return splits; }

private:
  std::map<Location, std::set<AccessId>> writers;
  std::set<uint64_t> splits;
  std::set<Location> splitAsKnown, writtenAsKnown;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_FOOTPRINT_H
