// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the region at an address, or reports which variable the address is close to.

#include "tilewright/ptx/machine/Access.h"
#include "tilewright/ptx/machine/Cluster.h"
#include "tilewright/ptx/watch/Counters.h"
#include "tilewright/ptx/watch/Trace.h"

using namespace tilewright::ptx;

Target tilewright::ptx::stop(Thread &thread, const Op &op, Check check, std::string message) {
  thread.machine->report(check, thread, op, std::move(message));
  thread.machine->isStopped = true;
  return {};
}

/// Addresses up to this many bytes beyond a variable are described relative to it.
static constexpr uint64_t nearby = 65536;

/// `: byte 64 of parameter 0, which has 64 bytes`
static std::string placeIn(std::string_view name, uint64_t byte, uint64_t size,
                           std::string_view has = "has") {
  return ": byte " + std::to_string(int64_t(byte)) + " of " + std::string(name) + ", which " +
         std::string(has) + " " + std::to_string(size) + " bytes";
}

/// Describes the address relative to the last shared variable that begins before it.
static std::string placeInShared(const Region &shared, uint64_t address) {
  const Part *near = nullptr;
  for (const Part &part : shared.parts)
    if (address >= part.begin && (!near || part.begin > near->begin))
      near = &part;
  if (near && address < near->end + nearby)
    return placeIn(near->name, address - near->begin, near->end - near->begin);
  return " of .shared memory, which has " + std::to_string(shared.size()) + " bytes";
}

/// Describes an address relative to the nearest allocation.
static std::string whereIs(const Thread &thread, Space space, uint64_t address) {
  if (space == Space::Cluster || space == Space::Shared) {
    const auto rank = rankOf(*thread.cta, address);
    if (!rank)
      return ": the cluster has " + std::to_string(thread.cta->cluster->ctas.size()) + " CTAs";
    if (*rank != thread.cta->rank && space == Space::Shared)
      return ", in the shared memory of the CTA of rank " + std::to_string(*rank) +
             ": .shared is .shared::cta, that of the own CTA";
    return placeInShared(*thread.cta->shared, offsetInCta(address));
  }
  if (space == Space::Param)
    return placeIn("the parameters", address, thread.machine->parameters.size(), "have");
  if (space == Space::Local)
    return " of .local memory, which has " + std::to_string(thread.local.size()) + " bytes";
  const Region *near = thread.machine->memory.before(address);
  if (near && address - near->base < near->size() + nearby)
    return placeIn(near->name, address - near->base, near->size());
  return address < nearby ? ": a null pointer" : "";
}

/// Finds an address of the shared window.
static Target findShared(Thread &thread, uint64_t address, bool isOwn) {
  const auto rank = rankOf(*thread.cta, address);
  if (!rank || (isOwn && *rank != thread.cta->rank))
    return {};
  return {thread.cta->cluster->ctas[*rank]->shared.get(), offsetInCta(address)};
}

/// The other CTA must exist as long as its shared memory is used (PTX ISA, 9.7.13.4, and CUDA C++
/// Programming Guide, distributed shared memory).
static bool checkAlive(Thread &thread, const Op &op, const Region &region) {
  const Cta &other = *thread.cta->cluster->ctas[region.cta.rank];
  if (&other == thread.cta || !thread.machine->checks.has(Check::Race))
    return true;
  if (hasBegun(thread, other) && other.aliveThreads > 0)
    return true;
  thread.machine->report(
      Check::Race, thread, op,
      "race: access to the shared memory of " + thread.machine->nameOf(region.cta) +
          (other.aliveThreads == 0 ? ", which has ended" : ", which may not have begun"));
  return false;
}

static Target find(Thread &thread, Space space, uint64_t address, bool &isWrongSpace) {
  Machine &machine = *thread.machine;
  if (space == Space::Generic) {
    if (isInWindow(address, sharedWindow))
      return findShared(thread, address - sharedWindow, /*isOwn=*/false);
    if (isInWindow(address, localWindow))
      return {&thread.local, address - localWindow};
    if (isInWindow(address, parameterWindow))
      return {&machine.parameters, address - machine.parameters.base};
  }
  if (space == Space::Param) {
    if (isInWindow(address, localWindow)) // a parameter of a called function (Layout.h)
      return {&thread.local, address - localWindow};
    return {&machine.parameters, parameterWindow + uint32_t(address) - machine.parameters.base};
  }
  if (space == Space::Shared || space == Space::Cluster)
    return findShared(thread, address, space == Space::Shared);
  if (space == Space::Local)
    return {&thread.local, address};
  Region *region = machine.find(address);
  if (!region)
    return {};
  isWrongSpace = (space == Space::Const && region->space != Space::Const);
  return {region, address - region->base};
}

Target tilewright::ptx::locateAddress(Thread &thread, const Op &op, Space space, uint64_t address,
                                      unsigned bytes, unsigned alignment) {
  bool isWrongSpace = false;
  const Target target = find(thread, space, address, isWrongSpace);
  if (address % alignment)
    return stop(thread, op, Check::Misaligned,
                "address " + hexOf(address) + " of an access of " + std::to_string(bytes) +
                    " bytes is no multiple of " + std::to_string(alignment));
  if (!target || isWrongSpace || !target.region->contains(target.offset, bytes)) {
    const bool isBeyond = space == Space::Generic && isInWindow(address, sharedWindow);
    const Space shown = isBeyond                             ? Space::Cluster
                        : space != Space::Generic || !target ? space
                                                             : target.region->space;
    const uint64_t inSpace = isBeyond ? address - sharedWindow
                             : target && shown != Space::Global && shown != Space::Const
                                 ? target.offset
                                 : address;
    return stop(thread, op, Check::OutOfBounds,
                std::to_string(bytes) + " bytes at " + hexOf(inSpace) +
                    (isWrongSpace ? " are not in .const memory" : whereIs(thread, shown, inSpace)));
  }
  if (target.region->space == Space::Shared)
    checkAlive(thread, op, *target.region);
  return target;
}

Target tilewright::ptx::locateUnwatched(Thread &thread, const Op &op, uint32_t slot, unsigned bytes,
                                        unsigned alignment) {
  if (!thread.has<uint64_t>(slot) && !thread.has<uint32_t>(slot))
    return stop(thread, op, Check::Undefined, "the address is not defined");
  const bool isSmall =
      op.space == Space::Shared || op.space == Space::Local || op.space == Space::Cluster;
  uint64_t address = thread.values[slot] + uint64_t(op.offset);
  if (isSmall) // addresses in these spaces have 32 bits
    address = uint32_t(address);
  return locateAddress(thread, op, op.space, address, bytes, alignment);
}

Target tilewright::ptx::locate(Thread &thread, const Op &op, uint32_t slot, unsigned bytes,
                               unsigned alignment) {
  const Target target = locateUnwatched(thread, op, slot, bytes, alignment);
  const Machine &machine = *thread.machine;
  if (machine.counters && target)
    machine.counters->access(thread, op, target, bytes);
  if (machine.trace && target)
    machine.trace->access(thread, target, bytes);
  return target;
}
