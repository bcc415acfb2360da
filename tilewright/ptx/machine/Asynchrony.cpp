// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Asynchrony.h.

#include "tilewright/ptx/machine/Asynchrony.h"

#include <algorithm>

using namespace tilewright::ptx;

//===-- Accesses ----------------------------------------------------------------------------===//

Epoch Operation::epochOf(const Completion &completion, Scope scope) const {
  const bool isAtomic = scope != Scope::Weak;
  return {completion.cta,   completion.agent,  completion.clock,   scope, isAtomic,
          /*isAsync=*/true,
          /*isPast=*/false, completion.isCopy, completion.isStore, site};
}

Ordering Operation::orderingOf(const Region &region) const {
  if (proxy == Proxy::Generic)
    return {vectorClock.get()};
  const uint32_t threads = thread.cta->threadCount();
  return {vectorClock.get(), region.space == Space::Shared ? threads : 2 * threads};
}

void Operation::reads(Target target, uint64_t bytes, const Completion &completion, Scope scope) {
  const Epoch epoch = epochOf(completion, scope);
  const Ordering ordering = orderingOf(*target.region);
  if (target.region->space != Space::Global && target.region->space != Space::Shared)
    return;
  if (!claim(thread, target, bytes, /*isWrite=*/false))
    return;
  visitParts(target.offset, bytes, [&](uint64_t at, unsigned size) {
    if (const auto conflict =
            thread.machine->shadowOf(*target.region).read(at, size, epoch, ordering))
      if (thread.machine->checks.has(conflict->isUnfenced ? Check::ProxyFence : Check::Race))
        reportRace(thread, op, target, *conflict, /*isWrite=*/false);
  });
}

/// Will memory hold these bytes anyway? cp.async has moved its bytes already.
static bool leavesSame(Machine &machine, Target target, unsigned size, const Completion &completion,
                       const uint8_t *values) {
  return completion.isCopy ? std::equal(values, values + size, &target.region->bytes[target.offset])
                           : machine.inFlightStores.begin(target, size, values);
}

bool Operation::writes(Target target, uint64_t bytes, const Completion &completion, Scope scope,
                       const uint8_t *values) {
  if (!checkWritable(thread, op, target) || !claim(thread, target, bytes, /*isWrite=*/true))
    return false;
  const Epoch epoch = epochOf(completion, scope);
  const Ordering ordering = orderingOf(*target.region);
  visitParts(target.offset, bytes, [&](uint64_t at, unsigned size) {
    const bool isSame = values && leavesSame(*thread.machine, {target.region, at}, size, completion,
                                             values + (at - target.offset));
    if (const auto conflict =
            thread.machine->shadowOf(*target.region).write(at, size, epoch, ordering, isSame))
      if (thread.machine->checks.has(conflict->isUnfenced ? Check::ProxyFence : Check::Race))
        reportRace(thread, op, target, *conflict, /*isWrite=*/true);
  });
  return target.region->mbarriers.empty() || checkMbarriers(thread, op, target, bytes);
}

//===-- Bytes -------------------------------------------------------------------------------===//

Bytes tilewright::ptx::readBytes(const Region &region, uint64_t offset, uint64_t count) {
  Bytes bytes(count);
  std::copy_n(region.bytes.data() + offset, count, bytes.values.data());
  for (uint64_t byte = 0; byte < count; ++byte)
    bytes.defined[byte] = region.definedAt(offset + byte) & 1;
  return bytes;
}

Bytes tilewright::ptx::gatherBytes(const Thread &thread, std::span<const uint32_t> slots,
                                   unsigned bytesOfEach) {
  Bytes bytes(slots.size() * bytesOfEach);
  for (size_t part = 0; part < slots.size(); ++part) {
    const size_t at = part * bytesOfEach;
    std::memcpy(bytes.values.data() + at, &thread.values[slots[part]], bytesOfEach);
    for (unsigned byte = 0; byte < bytesOfEach; ++byte)
      bytes.defined[at + byte] = thread.defined[slots[part]] >> byte & 1;
  }
  return bytes;
}

void tilewright::ptx::writeBytes(Region &region, uint64_t offset, const Bytes &bytes,
                                 uint64_t first, uint64_t count) {
  std::copy_n(bytes.values.data() + first, count, region.bytes.data() + offset);
  for (uint64_t byte = 0; byte < count; ++byte)
    region.define(offset + byte, 1, bytes.defined[first + byte]);
}

void Origin::fail(Check check, std::string message, std::vector<RelatedSite> related) const {
  Finding finding{check, site, std::move(message), cta, thread};
  finding.related = std::move(related);
  machine->report(std::move(finding));
  machine->isStopped = true;
}

//===-- Bulk groups -------------------------------------------------------------------------===//

GroupPlace tilewright::ptx::joinOpenGroup(Thread &thread) {
  BulkGroups &bulk = thread.bulk;
  if (!bulk.readAgent) {
    bulk.readAgent = thread.cta->addAgent();
    bulk.writeAgent = thread.cta->addAgent();
  }
  bulk.hasOpen = true;
  BulkGroup &group = bulk.inFlight[bulk.committed];
  ++group.reads;
  ++group.writes;
  const CtaName cta = thread.cta->name();
  return {bulk.committed,
          {cta, bulk.readAgent, bulk.committed + 1, /*isCopy=*/false, /*isStore=*/true},
          {cta, bulk.writeAgent, bulk.committed + 1}};
}

static void wake(Thread &thread) {
  ++thread.machine->events;
  if (thread.state == State::AtBulkGroup)
    thread.state = State::Ready; // the thread executes the wait again
}

void tilewright::ptx::endRead(Thread &thread, uint32_t group) {
  --thread.bulk.inFlight[group].reads;
  wake(thread);
}

void tilewright::ptx::endWrite(Thread &thread, uint32_t group) {
  if (--thread.bulk.inFlight[group].writes == 0)
    thread.bulk.inFlight.erase(group);
  wake(thread);
}

void tilewright::ptx::commitGroup(Thread &thread) {
  ++thread.bulk.committed;
  thread.bulk.hasOpen = false;
}

Step tilewright::ptx::waitForGroups(Thread &thread, const Op &op, uint32_t pending,
                                    bool readsOnly) {
  BulkGroups &bulk = thread.bulk;
  const uint32_t done = bulk.committed > pending ? bulk.committed - pending : 0;
  for (const auto &[number, group] : bulk.inFlight)
    if (number < done && (group.reads || (!readsOnly && group.writes))) {
      thread.state = State::AtBulkGroup;
      thread.waitOp = &op;
      return Step::Wait;
    }
  if (!bulk.readAgent || !done)
    return Step::Next;
  const uint32_t cta = thread.cta->number;
  thread.vectorClock = withClock(thread.vectorClock, cta, bulk.readAgent, done);
  if (!readsOnly)
    thread.vectorClock = withClock(thread.vectorClock, cta, bulk.writeAgent, done);
  return Step::Next;
}

//===-- Fences ------------------------------------------------------------------------------===//

void tilewright::ptx::fenceAsyncProxy(Thread &thread, bool isShared, bool isGlobal) {
  const uint32_t threads = thread.cta->threadCount();
  SharedVectorClock vectorClock = join({thread.now()}, threads);
  if (isShared) {
    vectorClock = withFence(vectorClock, threads, threads);
    for (uint32_t agent : thread.cta->copyAgents)
      vectorClock = withClockOf(vectorClock, thread.cta->number, fenceIndexOf(agent), agent);
  }
  if (isGlobal)
    vectorClock = withFence(vectorClock, threads, 2 * threads);
  thread.vectorClock = vectorClock;
  thread.advance();
}
