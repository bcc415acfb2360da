// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on mbarriers: objects in shared memory that count arrivals and bytes (PTX ISA,
// 9.7.13.15). When all expected arrivals and bytes are there, a phase completes and the next one
// begins. A thread that observes the completion acquires the vector clocks of the threads that
// arrived, and the writes of the asynchronous operations of the phase.

#ifndef TILEWRIGHT_PTX_MACHINE_MBARRIER_H
#define TILEWRIGHT_PTX_MACHINE_MBARRIER_H

#include "tilewright/ptx/machine/Asynchrony.h"
#include "tilewright/ptx/machine/MbarrierState.h"

namespace tilewright::ptx {

/// An mbarrier and its location.
struct MbarrierPlace {
  Target target;
  Mbarrier *barrier = nullptr;

  explicit operator bool() const { return barrier != nullptr; }
};

/// Memory ordering of an operation on an mbarrier.
struct MbarrierOrder {
  Scope scope = Scope::Cluster;
  bool isRelaxed = false;
};

/// The initialised mbarrier at the address in a slot. None after a finding.
MbarrierPlace findMbarrier(Thread &thread, const Op &op, uint32_t slot, Space space);
/// The same for a location in shared memory.
MbarrierPlace mbarrierAt(Thread &thread, const Op &op, Target target);

bool initialise(Thread &thread, const Op &op, Target target, uint32_t count);
bool invalidate(Thread &thread, const Op &op, MbarrierPlace place);

/// The bytes are added to the expected ones before the arrival counts. `isDrop`: later phases
/// expect `count` arrivals fewer.
struct MbarrierArrival {
  uint32_t count = 1;
  int64_t bytes = 0;
  bool isDrop = false, mayComplete = true;
  MbarrierOrder order;
};
bool arriveAt(Thread &thread, const Op &op, MbarrierPlace place, const MbarrierArrival &arrival);
/// Expects bytes; if negative, completes them.
bool expectBytes(Thread &thread, const Op &op, MbarrierPlace place, int64_t bytes);

/// Waits until this phase is complete, or until the wait times out because nothing else can run. If
/// the step is Next, `isComplete` says whether the phase is complete.
Step waitForPhase(Thread &thread, const Op &op, MbarrierPlace place, uint64_t phase,
                  MbarrierOrder order, bool &isComplete);

/// The agent and clock of a new operation that will complete on this mbarrier.
Completion beginOperation(const Region &region, Mbarrier &barrier);
/// Ends an operation whose bytes have arrived.
void endOperation(const Origin &origin, Region &region, uint64_t offset, uint32_t clock,
                  int64_t bytes);
/// The same for an operation that completes with an arrival instead of bytes.
void endWithArrival(const Origin &origin, Region &region, uint64_t offset, uint32_t clock);

/// `phase 1 of the mbarrier at byte 0 of shared variable 'full', where 1 of 2 arrivals are missing`
std::string describeWait(const Thread &thread);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_MBARRIER_H
