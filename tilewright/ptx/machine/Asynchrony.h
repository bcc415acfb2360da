// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous operations, which run concurrently with the thread that issued them. Their accesses
// are checked for races when they are issued, as accesses of an agent: a thread is ordered after
// them only if it has observed that the agent completed them (VectorClock.h). Their bytes move
// later, when the event queue runs the operation. Missing waits are therefore reported under every
// schedule, and lead to wrong results under some.

#ifndef TILEWRIGHT_PTX_MACHINE_ASYNCHRONY_H
#define TILEWRIGHT_PTX_MACHINE_ASYNCHRONY_H

#include "tilewright/ptx/machine/Access.h"

namespace tilewright::ptx {

/// The agent that completes an operation, and its clock at that time.
struct Completion {
  CtaName cta;
  uint32_t agent = 0, clock = 0;
  bool isCopy = false, isStore = false; ///< See Epoch.
};

enum class Proxy : uint8_t { Generic, Async };

/// An operation at the time when a thread issues it.
class Operation {
public:
  Operation(Thread &thread, const Op &op, Proxy proxy)
      : thread(thread), op(op), proxy(proxy),
        vectorClock(join({thread.now()}, thread.cta->threadCount())), site(thread.site(op)) {
    thread.advance(); // later accesses of the thread do not happen before it
  }

  /// For an operation that several threads issue together; `vectorClock` is their joined vector
  /// clock.
  Operation(Thread &thread, const Op &op, Proxy proxy, SharedVectorClock vectorClock)
      : thread(thread), op(op), proxy(proxy), vectorClock(std::move(vectorClock)),
        site(thread.site(op)) {}

  /// Reports the following accesses at another instruction.
  void by(Site other) { site = other; }

  void reads(Target target, uint64_t bytes, const Completion &completion,
             Scope scope = Scope::Weak);
  /// False after a finding that ends the run. `values` are the bytes that will be written, if they
  /// are known; except for copies of cp.async, the caller then calls InFlightStores::end() when
  /// they were written.
  bool writes(Target target, uint64_t bytes, const Completion &completion,
              Scope scope = Scope::Weak, const uint8_t *values = nullptr);

private:
  Epoch epochOf(const Completion &completion, Scope scope) const;
  Ordering orderingOf(const Region &region) const;

  Thread &thread;
  const Op &op;
  Proxy proxy;
  SharedVectorClock vectorClock;
  Site site;
};

/// Byte values, and which of them are defined.
struct Bytes {
  std::vector<uint8_t> values, defined; ///< 1 for a defined byte.

  explicit Bytes(uint64_t count = 0) : values(count), defined(count) {}
  uint64_t size() const { return values.size(); }
};

Bytes readBytes(const Region &region, uint64_t offset, uint64_t count);
/// Concatenates the lowest `bytesOfEach` bytes of these slots.
Bytes gatherBytes(const Thread &thread, std::span<const uint32_t> slots, unsigned bytesOfEach);
/// Writes `count` of the bytes, from index `first` on.
void writeBytes(Region &region, uint64_t offset, const Bytes &bytes, uint64_t first,
                uint64_t count);

/// Where a task was issued: its findings have no executing thread.
struct Origin {
  Machine *machine;
  Site site;
  std::array<uint32_t, 3> cta;
  uint32_t thread;

  Origin(const Thread &thread, const Op &op)
      : machine(thread.machine), site(thread.site(op)), cta(thread.cta->index),
        thread(thread.number) {}
  /// Reports a finding and ends the run.
  void fail(Check check, std::string message, std::vector<RelatedSite> related = {}) const;
};

// Bulk groups (PTX ISA, 9.7.9.25.2).

/// A place in the thread's open bulk group, and the clocks with which its reads and writes
/// complete.
struct GroupPlace {
  uint32_t group;
  Completion read, write;
};
GroupPlace joinOpenGroup(Thread &thread);
void endRead(Thread &thread, uint32_t group);
void endWrite(Thread &thread, uint32_t group);
void commitGroup(Thread &thread);
/// Waits until at most `pending` groups are left; with `readsOnly`, until at most so many still
/// have to read.
Step waitForGroups(Thread &thread, const Op &op, uint32_t pending, bool readsOnly);

/// fence.proxy.async for these spaces.
void fenceAsyncProxy(Thread &thread, bool isShared, bool isGlobal);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_ASYNCHRONY_H
