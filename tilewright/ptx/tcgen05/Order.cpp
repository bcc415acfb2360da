// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.fence and .commit (PTX ISA, 9.7.16.6, 9.7.16.11, 9.7.16.12): what orders accesses to
// tensor memory by different threads, and how a thread learns that a product is complete.

#include "tilewright/ptx/async/Places.h"
#include "tilewright/ptx/tcgen05/Tcgen05.h"

#include <bit>

using namespace tilewright::ptx;

//===-- Fences ------------------------------------------------------------------------------===//

/// The vector clock with the accesses so far marked as fenced.
static SharedVectorClock fenced(Thread &thread) {
  Warp &warp = *thread.warp;
  return withClock(thread.vectorClock, thread.cta->number, tensorFenceAgentOf(warp),
                   warp.tensor.fenceClock++);
}

static Step runBefore(Thread &thread, const Op &) {
  thread.vectorClock = fenced(thread);
  return Step::Next;
}

static Step runAfter(Thread &thread, const Op &) {
  thread.tensorView = thread.vectorClock;
  return Step::Next;
}

bool tilewright::ptx::decodeTensorFence(Decoder &decoder, bool isBefore) {
  return decoder.expectOperands(0) && decoder.finish(isBefore ? runBefore : runAfter);
}

//===-- commit ------------------------------------------------------------------------------===//

// op.list: the address of the mbarrier, as base and offset, and the mask of CTAs; op.mode is the
// group, with this flag.
static constexpr uint32_t isMulticast = 4;

/// When the operations of the group are complete, arrives at an mbarrier. A commit is a fence
/// before synchronisation, too. A later commit of the warp tracks the same operations, and
/// arrives later in the same CTA.
static bool arriveLater(Thread &thread, const Op &op, MbarrierPlace place,
                        const SharedVectorClock &released) {
  Region &region = *place.target.region;
  const uint64_t offset = place.target.offset;
  const Completion completion = beginOperation(region, *place.barrier);
  const Origin origin(thread, op);
  std::deque<std::function<void()>> &arrivals = thread.warp->tensor.arrivals[&region];
  arrivals.push_back([=, &region] {
    Mbarrier &barrier = *region.mbarriers.at(offset);
    barrier.ownGathered = join(barrier.ownGathered, released);
    endWithArrival(origin, region, offset, completion.clock);
  });
  thread.machine->eventQueue.add(*thread.cta->cluster, [&arrivals] {
    const std::function<void()> arrive = std::move(arrivals.front());
    arrivals.pop_front();
    arrive();
  });
  return true;
}

static Step runCommit(Thread &thread, const Op &op) {
  const MbarrierPlace place = findMbarrierAt(thread, op, 0, op.space);
  if (!place || !checkTensorGroup(thread, op, op.mode & 3))
    return Step::Stop;
  Warp &warp = *thread.warp;
  const uint32_t group = warp.tensor.group++;
  thread.vectorClock = fenced(thread);
  const SharedVectorClock released =
      withClock(thread.vectorClock, thread.cta->number, pipelineAgentOf(warp), group);
  if (!(op.mode & isMulticast))
    return arriveLater(thread, op, place, released) ? Step::Next : Step::Stop;
  const uint32_t slot = slotAt(thread, op, 2);
  if (!thread.has<uint16_t>(slot)) {
    stop(thread, op, Check::Undefined, "the mask of CTAs is not defined");
    return Step::Stop;
  }
  const std::vector<Cta *> &ctas = thread.cta->cluster->ctas;
  for (uint32_t mask = thread.get<uint16_t>(slot); mask; mask &= mask - 1) {
    const auto rank = uint32_t(std::countr_zero(mask));
    if (rank >= ctas.size())
      return failTensor(thread, op,
                        "the mask has CTA " + std::to_string(rank) + ", and the cluster has " +
                            std::to_string(ctas.size()));
    const MbarrierPlace other =
        mbarrierAt(thread, op, {ctas[rank]->shared.get(), place.target.offset});
    if (!other || !arriveLater(thread, op, other, released))
      return Step::Stop;
  }
  return Step::Next;
}

bool tilewright::ptx::decodeTensorCommit(Decoder &decoder) {
  Op &op = decoder.op;
  const uint32_t group = takeGroup(decoder);
  const bool isToMany = decoder.take("multicast::cluster");
  if (!group || !decoder.take("mbarrier::arrive::one") || !decoder.expectOperands(isToMany ? 2 : 1))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const Space space = decoder.take("shared::cluster") ? Space::Cluster : Space::Generic;
  PlaceList places(decoder);
  op.mode = group | (isToMany ? isMulticast : 0);
  if (!decoder.take("b64") || !places.address(decoder.operand(0), space) ||
      (isToMany && !places.source(decoder.operand(1), Type::B16)))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return places.finish(runCommit);
}
