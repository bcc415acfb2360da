// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory accesses of threads: the address is looked up and checked, the access is compared with
// those of other threads to find races, and strong accesses acquire and release vector clocks (PTX
// ISA, 8).

#ifndef TILEWRIGHT_PTX_MACHINE_ACCESS_H
#define TILEWRIGHT_PTX_MACHINE_ACCESS_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

struct Loaded {
  uint64_t bits;
  uint8_t defined; ///< A bit per byte.
};

/// Memory ordering of an access.
struct Strength {
  Scope scope = Scope::Weak;
  bool acquires = false, releases = false, isAtomic = false;
};

/// The memory at the address in a slot. None, after a finding that ends the run, if the address is
/// undefined, misaligned, or outside of all allocations.
Target locate(Thread &thread, const Op &op, uint32_t slot, unsigned bytes, unsigned alignment);
/// The same for an address that the thread does not access itself: counters and traces ignore it.
Target locateUnwatched(Thread &thread, const Op &op, uint32_t slot, unsigned bytes,
                       unsigned alignment);
/// The same for a given address; ignores op.offset.
Target locateAddress(Thread &thread, const Op &op, Space space, uint64_t address, unsigned bytes,
                     unsigned alignment);

/// Loads at most 8 bytes.
Loaded load(Thread &thread, const Op &op, Target target, unsigned bytes, Strength strength = {});
bool store(Thread &thread, const Op &op, Target target, unsigned bytes, Loaded value,
           Strength strength = {});
/// Replaces a value by function(value) in one access; returns the old value.
template <typename Function>
std::optional<Loaded> update(Thread &thread, const Op &op, Target target, unsigned bytes,
                             Strength strength, Function function);

/// Checks that no write to the source of a copy is unordered: the instruction `by` began the copy
/// when the thread's vector clock was `vectorClock`, and it reads until now.
void checkSource(Thread &thread, const Op &op, Target source, unsigned bytes,
                 const VectorClock *vectorClock, Site by);

/// Checks a read-modify-write access for races, without executing it.
void checkUpdate(Thread &thread, const Op &op, Target target, unsigned bytes, Strength strength);
/// Checks that all accesses to a region of global memory happen before it is freed.
void checkRelease(Thread &thread, const Op &op, Region &region);
/// Reports two unordered accesses.
void reportRace(Thread &thread, const Op &op, Target target, const Conflict &conflict,
                bool isWrite);
/// Ends the run with a finding.
Target stop(Thread &thread, const Op &op, Check check, std::string message);
std::string hexOf(uint64_t value);
/// `shared variable 'tile'`, with the CTA if it is another one; sets the offset in the variable.
std::string describe(const Thread &thread, Target target, uint64_t &offset);
/// Checks that an ordinary access does not touch an mbarrier. False after a finding that ends the
/// run.
bool checkMbarriers(Thread &thread, const Op &op, Target target, uint64_t bytes);
/// For CTAs that run in parallel (ParallelCtas.h): returns false if another cluster conflicts with
/// this access.
bool claim(Thread &thread, Target target, uint64_t bytes, bool isWrite);
bool checkWritable(Thread &thread, const Op &op, Target target);

/// Reports a store to global memory of a value without any defined byte.
void checkValue(Thread &thread, const Op &op, Target target, unsigned bytes, uint8_t defined);

void fence(Thread &thread, Scope scope);
/// Publishes `release` at a location, for a write that was begun some time ago. If the operation
/// `continues`, it also read the location, so that earlier releases there stay.
void releaseAt(Region &region, uint64_t offset, const Release &release, bool continues);

// The two halves of update().
bool beginUpdate(Thread &thread, const Op &op, Target target, unsigned bytes, Strength strength);
void endUpdate(Thread &thread, Target target, Strength strength);

template <typename Function>
std::optional<Loaded> update(Thread &thread, const Op &op, Target target, unsigned bytes,
                             Strength strength, Function function) {
  if (!beginUpdate(thread, op, target, bytes, strength))
    return std::nullopt;
  Region &region = *target.region;
  const Loaded before{region.load(target.offset, bytes), region.definedAt(target.offset)};
  const Loaded after = function(before);
  region.store(target.offset, bytes, after.bits);
  region.define(target.offset, bytes, after.defined);
  endUpdate(thread, target, strength);
  return before;
}

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_ACCESS_H
