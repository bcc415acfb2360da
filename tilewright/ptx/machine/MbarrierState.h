// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is remembered of an mbarrier? What it counts, who waits, and what those know who arrived.
// Mbarrier.h says what operations do with it.

#ifndef TILEWRIGHT_PTX_MACHINE_MBARRIERSTATE_H
#define TILEWRIGHT_PTX_MACHINE_MBARRIERSTATE_H

#include "tilewright/ptx/machine/Thread.h"

#include <set>

namespace tilewright::ptx {

inline constexpr uint32_t mostArrivals = (1 << 20) - 1;
inline constexpr int64_t mostBytes = (1 << 20) - 1;

struct Mbarrier {
  bool isLive = false;
  /// Arrivals of a phase, of the next phase, and those that are missing.
  uint32_t count = 0, pending = 0;
  /// Bytes that are expected and did not arrive; negative if they came first.
  int64_t bytes = 0;
  uint64_t phase = 0;
  Site init;    ///< The instruction that initialised it,
  Epoch inited; ///< and when.

  /// Operations that complete here have the clocks 1, 2, ... of this agent.
  uint32_t agent = 0, begun = 0;
  std::set<uint32_t> onTheWay;

  /// Of the arrivals in this phase: by the own CTA, by others.
  std::vector<ThreadClock> ownClocks, otherClocks;
  SharedKnowledge ownGathered, otherGathered;
  /// Of all phases that are complete: without what others released in the scope of a CTA.
  SharedKnowledge known;
  /// The same, for those who acquire in the scope of their CTA.
  SharedKnowledge ownKnown;
  std::vector<Thread *> waiting;
};

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_MBARRIERSTATE_H
