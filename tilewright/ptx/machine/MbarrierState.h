// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of an mbarrier: its counts, the threads that wait, and the vector clocks of the threads
// that arrived. Mbarrier.h has the operations on it.

#ifndef TILEWRIGHT_PTX_MACHINE_MBARRIERSTATE_H
#define TILEWRIGHT_PTX_MACHINE_MBARRIERSTATE_H

#include "tilewright/ptx/machine/Thread.h"

#include <set>

namespace tilewright::ptx {

inline constexpr uint32_t mostArrivals = (1 << 20) - 1;
inline constexpr int64_t mostBytes = (1 << 20) - 1;

struct Mbarrier {
  bool isLive = false;
  /// Expected arrivals of the next phase, and missing ones of this phase.
  uint32_t count = 0, pending = 0;
  /// Expected bytes that have not arrived; negative if bytes arrived before they were expected.
  int64_t bytes = 0;
  uint64_t phase = 0;
  Site init; ///< The instruction that initialised it.
  /// Its accesses: one, or those of several lanes of a warp, which initialise it alike.
  std::vector<Epoch> inits;
  /// Has anything happened to it since?
  bool isUsed = false;

  /// Operations that complete here have the clocks 1, 2, ... of this agent.
  uint32_t agent = 0, begun = 0;
  std::set<uint32_t> inFlight;

  /// Arrivals in this phase: from the mbarrier's own CTA, and from other CTAs.
  std::vector<ThreadClock> ownClocks, otherClocks;
  SharedVectorClock ownGathered, otherGathered;
  /// Joined clocks of all complete phases, without those that threads of other CTAs released at
  /// CTA scope.
  SharedVectorClock vectorClock;
  /// The same for threads that acquire at CTA scope: without arrivals of other CTAs.
  SharedVectorClock ctaVectorClock;
  std::vector<Thread *> waiting;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_MBARRIERSTATE_H
