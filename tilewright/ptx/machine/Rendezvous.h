// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rendezvous of threads: warp instructions wait for the lanes of the mask, CTA barriers for the
// expected number of threads. The thread that arrives last executes the instruction for all. Exited
// threads are not waited for.

#ifndef TILEWRIGHT_PTX_MACHINE_RENDEZVOUS_H
#define TILEWRIGHT_PTX_MACHINE_RENDEZVOUS_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

/// Lanes that wait at instructions with the same op.collective, op.mode and mask execute together;
/// with `isAligned` they must be at the same instruction.
Step waitForLanes(Thread &thread, const Op &op, uint32_t mask, bool isAligned);
/// Waits for all lanes of the warp.
Step waitForWarp(Thread &thread, const Op &op);

/// Waits for all threads of the warpgroup (4 warps); op.collective gets the first of these warps.
Step waitForWarpgroup(Thread &thread, const Op &op);

/// An arrival at a barrier; `expected` is 0 for all threads of the CTA. If there is a vote,
/// op.in[2] is its predicate.
struct Arrival {
  uint32_t barrier, expected;
  bool waits = true, isAligned = true;
  bool hasVote = false, vote = false;
};
Step arrive(Thread &thread, const Op &op, const Arrival &arrival);

/// Ends a thread, and completes the rendezvous that waited only for it.
void exitThread(Thread &thread, const Op &op);

/// Releases the lanes at activemask, if no other lane of the warp can join them or if they have
/// waited long enough. Called once after each time slice of the warp.
void releaseActivemask(Warp &warp);

/// Joins the vector clocks of these lanes (bar.warp.sync).
void joinLanes(Warp &warp, uint32_t lanes);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_RENDEZVOUS_H
