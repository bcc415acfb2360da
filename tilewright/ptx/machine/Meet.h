// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where do threads wait for each other? At warp instructions, until the lanes of the mask are
// there; at barriers of the CTA, until as many threads are there as it expects. The thread that
// comes last executes for all. Threads that have ended are not waited for.

#ifndef TILEWRIGHT_PTX_MACHINE_MEET_H
#define TILEWRIGHT_PTX_MACHINE_MEET_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

/// Lanes that wait at instructions with the same op.together and op.mode, and the same mask,
/// belong together; with `isAligned` only those at the same instruction.
Step meetLanes(Thread &thread, const Op &op, uint32_t mask, bool isAligned);
/// All lanes of the warp have to come.
Step meetWarp(Thread &thread, const Op &op);

/// All threads of the warpgroup, 4 warps, have to come; op.together gets the first of them.
Step meetWarpgroup(Thread &thread, const Op &op);

/// At a barrier; `expected` is 0 for all threads of the CTA. With a vote, op.in[2] is a predicate.
struct Arrival {
  uint32_t barrier, expected;
  bool waits = true, isAligned = true;
  bool hasVote = false, vote = false;
};
Step arrive(Thread &thread, const Op &op, const Arrival &arrival);

/// What the end of a thread means for those that wait.
void leave(Thread &thread, const Op &op);

/// Lets the lanes at activemask go on, if nobody of the warp can join them or they have waited
/// for long enough. Called once after each turn of the warp.
void settle(Warp &warp);

/// Knowledge of these lanes together (bar.warp.sync).
void joinLanes(Warp &warp, uint32_t lanes);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_MEET_H
