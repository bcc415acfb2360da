// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is an mbarrier? An object in shared memory that counts arrivals and bytes (PTX ISA,
// 9.7.13.15). When all expected arrivals and bytes are there, a phase is complete and the next
// begins. Who sees that knows what those who arrived knew, and what the asynchronous operations of
// the phase have written.

#ifndef TILEWRIGHT_PTX_MACHINE_MBARRIER_H
#define TILEWRIGHT_PTX_MACHINE_MBARRIER_H

#include "tilewright/ptx/machine/Asynchrony.h"
#include "tilewright/ptx/machine/MbarrierState.h"

namespace tilewright::ptx {

/// An mbarrier with where it is.
struct MbarrierPlace {
  Target target;
  Mbarrier *barrier = nullptr;

  explicit operator bool() const { return barrier != nullptr; }
};

/// How an operation on an mbarrier takes part in the memory model.
struct MbarrierOrder {
  Scope scope = Scope::Cluster;
  bool isRelaxed = false;
};

/// The object at an address in a slot, which is initialised. None after a finding.
MbarrierPlace findMbarrier(Thread &thread, const Op &op, uint32_t slot, Space space);
/// The same at an address that is known to be in shared memory.
MbarrierPlace mbarrierAt(Thread &thread, const Op &op, Target target);

bool initialise(Thread &thread, const Op &op, Target target, uint32_t count);
bool invalidate(Thread &thread, const Op &op, MbarrierPlace place);

/// The bytes are expected first. `isDrop`: later phases expect as many arrivals less.
struct MbarrierArrival {
  uint32_t count = 1;
  int64_t bytes = 0;
  bool isDrop = false, mayComplete = true;
  MbarrierOrder order;
};
bool arriveAt(Thread &thread, const Op &op, MbarrierPlace place, const MbarrierArrival &arrival);
/// Expects or, if negative, completes bytes.
bool expectBytes(Thread &thread, const Op &op, MbarrierPlace place, int64_t bytes);

/// Waits until this phase is complete; if nothing else goes on, not longer. Whether it is complete
/// is left in `isComplete` if the step is Next.
Step waitForPhase(Thread &thread, const Op &op, MbarrierPlace place, uint64_t phase,
                  MbarrierOrder order, bool &isComplete);

/// The clock of an operation that will complete here.
Completion beginOperation(const Region &region, Mbarrier &barrier);
/// The operation has ended: its bytes are there.
void endOperation(const Origin &origin, Region &region, uint64_t offset, uint32_t clock,
                  int64_t bytes);
/// The same with an arrival instead of bytes.
void endWithArrival(const Origin &origin, Region &region, uint64_t offset, uint32_t clock);

/// `phase 1 of the mbarrier at byte 0 of shared variable 'full', where 1 of 2 arrivals are missing`
std::string describeWait(const Thread &thread);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_MBARRIER_H
