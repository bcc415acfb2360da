// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Access.h.

#include "tilewright/ptx/machine/Access.h"
#include "tilewright/ptx/machine/MbarrierState.h"
#include "tilewright/ptx/machine/ParallelCtas.h"

#include <cinttypes>
#include <cstdio>

using namespace tilewright::ptx;

std::string tilewright::ptx::hexOf(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

Epoch Thread::epoch(const Op &op, Scope scope, bool isAtomic) const {
  return {cta->name(),       number,  clock, scope, isAtomic,
          /*isAsync=*/false,
          /*isPast=*/false,
          /*isCopy=*/false,
          /*isStore=*/false, site(op)};
}

ThreadClock Thread::now() const { return {vectorClock, cta->number, number, clock}; }

//===-- The memory model --------------------------------------------------------------------===//

/// Only memory that several threads can access has a shadow.
static bool isSharedByThreads(const Region &region) {
  return region.space == Space::Global || region.space == Space::Shared;
}

/// Release and acquire synchronise if each thread is in the scope of the other.
static bool isInScope(const Release &release, const Thread &thread, Scope scope) {
  return includes(release.scope, release.cta, thread.cta->name()) &&
         includes(scope, thread.cta->name(), release.cta);
}

static void acquire(Thread &thread, const Release &release, Scope scope) {
  if (isInScope(release, thread, scope))
    thread.vectorClock = release.joinedTo(thread.vectorClock);
}

/// Handles releases at the read location: an acquire synchronises at once, other strong reads at
/// the next fence.
static void observeReleases(Thread &thread, Target target, const Strength &strength) {
  const auto found = target.region->releases.find(target.offset);
  if (found == target.region->releases.end() || strength.scope == Scope::Weak)
    return;
  for (const Release &release : found->second)
    if (strength.acquires)
      acquire(thread, release, strength.scope);
    else if (isInScope(release, thread, strength.scope))
      thread.seen.push_back(release);
}

static void addRelease(std::vector<Release> &releases, Release release) {
  for (Release &other : releases)
    if (other.cta == release.cta && other.scope == release.scope) {
      other.vectorClock = release.joinedTo(other.joinedTo(nullptr));
      other.own = {};
      return;
    }
  releases.push_back(std::move(release));
}

/// A write ends the release sequences at its location; a read-modify-write continues them.
static void release(Thread &thread, Target target, const Strength &strength) {
  Region &region = *target.region;
  if (strength.scope == Scope::Weak || !strength.isAtomic)
    region.releases.erase(target.offset);
  if (strength.scope == Scope::Weak)
    return;
  if (strength.releases) {
    addRelease(region.releases[target.offset], {thread.cta->name(),
                                                strength.scope,
                                                thread.vectorClock,
                                                {{{thread.number, thread.clock}}}});
    thread.advance();
  } else if (thread.fenced) {
    addRelease(region.releases[target.offset], *thread.fenced);
  }
}

void tilewright::ptx::releaseAt(Region &region, uint64_t offset, const Release &release,
                                bool continues) {
  if (!continues)
    region.releases.erase(offset);
  addRelease(region.releases[offset], release);
}

void tilewright::ptx::fence(Thread &thread, Scope scope) {
  for (const Release &release : thread.seen)
    acquire(thread, release, scope);
  thread.seen.clear();
  const uint32_t threads = uint32_t(thread.cta->threads.size());
  thread.fenced = Release{thread.cta->name(), scope, join({thread.now()}, threads)};
  thread.advance();
}

//===-- Races -------------------------------------------------------------------------------===//

std::string tilewright::ptx::describe(const Thread &thread, Target target, uint64_t &offset) {
  offset = target.offset;
  const std::string memory = target.region->describe(offset);
  const bool isOther =
      target.region->space == Space::Shared && target.region->cta != thread.cta->name();
  return isOther ? memory + " of " + thread.machine->nameOf(target.region->cta) : memory;
}

/// Name of an access in messages. A wait for an mbarrier writes nothing visible to the program, so
/// it is a `use`.
static std::string nameOfAccess(const Machine &machine, Site site, bool isWrite) {
  const Function &function = machine.program.module->functions[site.function];
  if (site.instruction < function.body.size()) {
    const Instruction &instruction = function.body[site.instruction];
    if (instruction.opcode == "mbarrier" && !instruction.modifiers.empty() &&
        instruction.modifiers.front().ends_with("_wait"))
      return "use";
    if (instruction.opcode == "call" && isWrite) // only `free` writes to memory as a whole
      return "free";
  }
  return isWrite ? "write" : "read";
}

/// `thread 3 of block (1, 0, 0)`
static std::string describeAccessor(const Thread &thread, const Epoch &earlier) {
  const std::string who = earlier.isAsync ? std::string("an asynchronous operation")
                                          : "thread " + std::to_string(earlier.thread);
  return earlier.cta == thread.cta->name() ? who
                                           : who + " of " + thread.machine->nameOf(earlier.cta);
}

void tilewright::ptx::reportRace(Thread &thread, const Op &op, Target target,
                                 const Conflict &conflict, bool isWrite) {
  const Machine &machine = *thread.machine;
  uint64_t offset = 0;
  const std::string memory = describe(thread, {target.region, conflict.offset}, offset);
  const Function &function = machine.program.module->functions[conflict.earlier.site.function];
  std::string opcode;
  if (conflict.earlier.site.instruction < function.body.size())
    opcode = " (" + spell(function.body[conflict.earlier.site.instruction]) + ")";
  const std::string access = nameOfAccess(machine, thread.site(op), isWrite) + " of " + memory +
                             " at byte " + std::to_string(offset);
  const std::string other = describeAccessor(thread, conflict.earlier);
  if (conflict.isUnfenced) {
    thread.machine->report(Check::ProxyFence, thread, op,
                           access +
                               " by the async proxy, which no fence.proxy.async has shown "
                               "the write by " +
                               other,
                           {{conflict.earlier.site, "the write" + opcode}}, memory);
    return;
  }
  thread.machine->report(Check::Race, thread, op,
                         "race: " + access + ", unordered with the " +
                             nameOfAccess(machine, conflict.earlier.site, conflict.isWrite) +
                             " by " + other,
                         {{conflict.earlier.site, "the other access" + opcode}}, memory);
}

static void checkRead(Thread &thread, const Op &op, Target target, unsigned bytes,
                      const Strength &strength) {
  if (!thread.machine->checks.has(Check::Race) || !isSharedByThreads(*target.region))
    return;
  const Epoch epoch = thread.epoch(op, strength.scope, strength.isAtomic);
  if (const auto conflict = thread.machine->shadowOf(*target.region)
                                .read(target.offset, bytes, epoch, {thread.vectorClock.get()}))
    reportRace(thread, op, target, *conflict, /*isWrite=*/false);
}

static void checkWrite(Thread &thread, const Op &op, Target target, unsigned bytes,
                       const Strength &strength, bool isSame = false) {
  if (!thread.machine->checks.has(Check::Race) || !isSharedByThreads(*target.region))
    return;
  const Epoch epoch = thread.epoch(op, strength.scope, strength.isAtomic);
  if (const auto conflict =
          thread.machine->shadowOf(*target.region)
              .write(target.offset, bytes, epoch, {thread.vectorClock.get()}, isSame))
    reportRace(thread, op, target, *conflict, /*isWrite=*/true);
}

void tilewright::ptx::checkUpdate(Thread &thread, const Op &op, Target target, unsigned bytes,
                                  Strength strength) {
  checkRead(thread, op, target, bytes, strength);
  checkWrite(thread, op, target, bytes, strength);
}

void tilewright::ptx::checkRelease(Thread &thread, const Op &op, Region &region) {
  Machine &machine = *thread.machine;
  if (!machine.checks.has(Check::Race))
    return;
  const Epoch epoch = thread.epoch(op, Scope::Weak, /*isAtomic=*/false);
  if (const auto conflict = machine.shadowOf(region).findUnordered(epoch, thread.vectorClock.get()))
    reportRace(thread, op, {&region, conflict->offset}, *conflict, /*isWrite=*/true);
}

bool tilewright::ptx::checkWritable(Thread &thread, const Op &op, Target target) {
  if (!target.region->isReadOnly && target.region->space != Space::Param)
    return true;
  thread.machine->report(Check::ReadOnly, thread, op, "write to " + target.region->name);
  thread.machine->isStopped = true;
  return false;
}

/// Reports an access to bytes with a pending asynchronous copy. `isSame`: it leaves the bytes as
/// they are, so that it may be the same copy by another thread.
static void checkCopies(Thread &thread, const Op &op, Target target, unsigned bytes,
                        bool isSame = false) {
  if (!thread.machine->checks.has(Check::PendingCopy) ||
      !target.region->isPending(target.offset, bytes))
    return;
  const Cta &owner = *thread.cta->cluster->ctas[target.region->cta.rank];
  for (const auto &other : owner.threads)
    for (const PendingCopy &copy : other->copies)
      if (!(isSame && other.get() != &thread && copy.site == thread.site(op)) &&
          target.offset < copy.offset + copy.bytes && copy.offset < target.offset + bytes) {
        uint64_t offset = target.offset;
        const std::string memory = target.region->describe(offset);
        thread.machine->report(
            Check::PendingCopy, thread, op,
            "byte " + std::to_string(offset) + " of " + memory +
                " has an asynchronous copy that was not waited for",
            {{copy.site, "the copy, by thread " + std::to_string(other->number)}});
        return;
      }
}

bool tilewright::ptx::checkMbarriers(Thread &thread, const Op &op, Target target, uint64_t bytes) {
  const auto &all = target.region->mbarriers;
  auto next = all.lower_bound(target.offset < 7 ? 0 : target.offset - 7);
  for (; next != all.end() && next->first < target.offset + bytes; ++next) {
    if (!next->second->isLive || next->first + 8 <= target.offset)
      continue;
    uint64_t offset = 0;
    const std::string memory = describe(thread, {target.region, next->first}, offset);
    thread.machine->report(Check::Mbarrier, thread, op,
                           "the access is to the mbarrier at byte " + std::to_string(offset) +
                               " of " + memory +
                               ", which was not invalidated: only mbarrier operations may touch it",
                           {{next->second->init, "it was initialised here"}}, memory);
    thread.machine->isStopped = true;
    return false;
  }
  return true;
}

//===-- Accesses ----------------------------------------------------------------------------===//

bool tilewright::ptx::claim(Thread &thread, Target target, uint64_t bytes, bool isWrite) {
  Machine &machine = *thread.machine;
  if (!machine.parallel || target.region->space != Space::Global ||
      machine.parallel->claim(*target.region, target.offset, bytes, isWrite))
    return true;
  machine.isStopped = true;
  return false;
}

Loaded tilewright::ptx::load(Thread &thread, const Op &op, Target target, unsigned bytes,
                             Strength strength) {
  if (!claim(thread, target, bytes, /*isWrite=*/false))
    return {0, 0};
  if (strength.scope != Scope::Weak)
    observeReleases(thread, target, strength);
  checkRead(thread, op, target, bytes, strength);
  if (!target.region->pending.empty())
    checkCopies(thread, op, target, bytes);
  if (!target.region->mbarriers.empty())
    checkMbarriers(thread, op, target, bytes);
  return {target.region->load(target.offset, bytes), target.region->definedAt(target.offset)};
}

/// Does memory already hold these bytes, all of them defined?
static bool holds(Target target, unsigned bytes, Loaded value) {
  const uint8_t all = uint8_t((1u << bytes) - 1);
  const uint64_t bits = ~uint64_t(0) >> (64 - 8 * bytes);
  return (value.defined & target.region->definedAt(target.offset) & all) == all &&
         target.region->load(target.offset, bytes) == (value.bits & bits);
}

void tilewright::ptx::checkValue(Thread &thread, const Op &op, Target target, unsigned bytes,
                                 uint8_t defined) {
  const uint8_t all = uint8_t((1u << bytes) - 1);
  if (!(defined & all) && target.region->space == Space::Global &&
      thread.machine->checks.has(Check::Undefined))
    thread.machine->report(Check::Undefined, thread, op,
                           "a value that is not defined is written to " + target.region->name);
}

bool tilewright::ptx::store(Thread &thread, const Op &op, Target target, unsigned bytes,
                            Loaded value, Strength strength) {
  if (!checkWritable(thread, op, target) || !claim(thread, target, bytes, /*isWrite=*/true))
    return false;
  const bool isSame = holds(target, bytes, value);
  checkWrite(thread, op, target, bytes, strength, isSame);
  if (!target.region->pending.empty())
    checkCopies(thread, op, target, bytes, isSame);
  if (!target.region->mbarriers.empty() && !checkMbarriers(thread, op, target, bytes))
    return false;
  ++thread.machine->events;
  checkValue(thread, op, target, bytes, value.defined);
  target.region->store(target.offset, bytes, value.bits);
  target.region->define(target.offset, bytes, value.defined);
  if (strength.scope != Scope::Weak || !target.region->releases.empty())
    release(thread, target, strength);
  return true;
}

void tilewright::ptx::checkSource(Thread &thread, const Op &op, Target source, unsigned bytes,
                                  const VectorClock *vectorClock, Site by) {
  Shadow &shadow = thread.machine->shadowOf(*source.region);
  if (const auto write = shadow.findUnobservedWrite(source.offset, bytes, vectorClock)) {
    uint64_t offset = 0;
    const std::string memory = describe(thread, source, offset);
    thread.machine->report(Check::Race, thread, op,
                           "race: an asynchronous copy reads " + memory + " from byte " +
                               std::to_string(offset) +
                               " on until it is waited for, and it was written before that, by " +
                               describeAccessor(thread, *write),
                           {{by, "the copy"}, {write->site, "the write"}}, memory);
    return;
  }
  // Detects later writes that are ordered only after the beginning of the copy.
  Epoch epoch = thread.epoch(op, Scope::Weak, /*isAtomic=*/false);
  epoch.site = by;
  for (unsigned at = 0; at < bytes; at += 4)
    if (const auto conflict = shadow.read(source.offset + at, std::min(4u, bytes - at), epoch,
                                          {thread.vectorClock.get()}))
      reportRace(thread, op, source, *conflict, /*isWrite=*/false);
}

bool tilewright::ptx::beginUpdate(Thread &thread, const Op &op, Target target, unsigned bytes,
                                  Strength strength) {
  if (!checkWritable(thread, op, target))
    return false;
  observeReleases(thread, target, strength);
  checkUpdate(thread, op, target, bytes, strength);
  if (!target.region->pending.empty())
    checkCopies(thread, op, target, bytes);
  ++thread.machine->events;
  return target.region->mbarriers.empty() || checkMbarriers(thread, op, target, bytes);
}

void tilewright::ptx::endUpdate(Thread &thread, Target target, Strength strength) {
  release(thread, target, strength);
}
