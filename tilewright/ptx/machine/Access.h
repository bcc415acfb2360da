// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens when a thread touches memory? Its address is looked up and checked, the access is
// held against those of other threads, and strong accesses hand over what is known (PTX ISA, 8).

#ifndef TILEWRIGHT_PTX_MACHINE_ACCESS_H
#define TILEWRIGHT_PTX_MACHINE_ACCESS_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

struct Loaded {
  uint64_t bits;
  uint8_t defined; ///< A bit per byte.
};

/// How an access takes part in the memory model.
struct Strength {
  Scope scope = Scope::Weak;
  bool acquires = false, releases = false, isAtomic = false;
};

/// The memory at an address in a slot. None, after a finding that ends the run, if the address is
/// not defined, not a multiple of the alignment, or outside of all memory.
Target locate(Thread &thread, const Op &op, uint32_t slot, unsigned bytes, unsigned alignment);
/// The same for what is no access of the thread itself: nobody counts it.
Target locateUnwatched(Thread &thread, const Op &op, uint32_t slot, unsigned bytes,
                       unsigned alignment);
/// The same for an address that is known; not with the offset of the op.
Target locateAddress(Thread &thread, const Op &op, Space space, uint64_t address, unsigned bytes,
                     unsigned alignment);

/// At most 8 bytes.
Loaded load(Thread &thread, const Op &op, Target target, unsigned bytes, Strength strength = {});
bool store(Thread &thread, const Op &op, Target target, unsigned bytes, Loaded value,
           Strength strength = {});
/// Replaces what is there by a function of it, as one access; the old value.
template <typename Function>
std::optional<Loaded> update(Thread &thread, const Op &op, Target target, unsigned bytes,
                             Strength strength, Function function);

/// A write to shared memory that an instruction `by` began, and that is done now: other threads
/// have to be ordered after `op`.
void touch(Thread &thread, const Op &op, Target target, unsigned bytes, Site by);

/// A copy that an instruction `by` began reads until now: nobody may have written its source since
/// then, in the sight of what was known.
void checkSource(Thread &thread, const Op &op, Target source, unsigned bytes,
                 const Knowledge *known, Site by);

/// Holds an access that reads and writes in one against others, without doing it.
void checkUpdate(Thread &thread, const Op &op, Target target, unsigned bytes, Strength strength);
/// A region of global memory is given back: nothing that was begun may still use it.
void checkRelease(Thread &thread, const Op &op, Region &region);
/// Says what two accesses have in common that nothing orders.
void reportRace(Thread &thread, const Op &op, Target target, const Conflict &conflict,
                bool isWrite);
/// Ends the run with a finding.
Target stop(Thread &thread, const Op &op, Check check, std::string message);
std::string hexOf(uint64_t value);
/// `shared variable 'tile'`, of which CTA if it is another one, and the offset in it.
std::string describe(const Thread &thread, Target target, uint64_t &offset);
/// Ordinary accesses do not touch an mbarrier. False after a finding that ends the run.
bool checkMbarriers(Thread &thread, const Op &op, Target target, uint64_t bytes);
/// Of CTAs that run apart: false if another one uses what this one writes, or writes what it uses.
bool claim(Thread &thread, Target target, uint64_t bytes, bool isWrite);
bool checkWritable(Thread &thread, const Op &op, Target target);

/// A value of which nothing is defined does not leave the kernel.
void checkValue(Thread &thread, const Op &op, Target target, unsigned bytes, uint8_t defined);

void fence(Thread &thread, Scope scope);
/// A write that was begun some time ago releases what its thread had done before. One that
/// `continues` has read what was there, and hands on what that released.
void releaseAt(Region &region, uint64_t offset, const Release &release, bool continues);

// The parts of an update.
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
