// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does an operation do that goes on beside the thread that began it? Its accesses are held
// against those of threads when it begins, as accesses of an agent: nobody is ordered after them
// who has not seen the agent complete it (Clock.h). Its bytes move later, when the agenda says so.
// So what a kernel does too early is found in every schedule, and shows in the numbers in some.

#ifndef TILEWRIGHT_PTX_MACHINE_ASYNCHRONY_H
#define TILEWRIGHT_PTX_MACHINE_ASYNCHRONY_H

#include "tilewright/ptx/machine/Access.h"

namespace tilewright::ptx {

/// Whose agent completes an operation, and with which clock.
struct Completion {
  CtaName cta;
  uint32_t agent = 0, clock = 0;
};

enum class Proxy : uint8_t { Generic, Async };

/// An operation while a thread begins it.
class Operation {
public:
  Operation(Thread &thread, const Op &op, Proxy proxy)
      : thread(thread), op(op), proxy(proxy),
        known(join({thread.now()}, thread.cta->threadCount())), site(thread.site(op)) {
    thread.advance(); // it is not ordered after what the thread does next
  }

  /// By several threads together, with what they know.
  Operation(Thread &thread, const Op &op, Proxy proxy, SharedKnowledge known)
      : thread(thread), op(op), proxy(proxy), known(std::move(known)), site(thread.site(op)) {}

  /// What follows is done by another instruction that this one is about.
  void by(Site other) { site = other; }

  void reads(Target target, uint64_t bytes, const Completion &completion,
             Scope scope = Scope::Weak);
  /// False after a finding that ends the run. The values, if they are known, will be written as
  /// they are; whoever gives them calls Underway::end() when they are there.
  bool writes(Target target, uint64_t bytes, const Completion &completion,
              Scope scope = Scope::Weak, const uint8_t *values = nullptr);

private:
  Epoch epochOf(const Completion &completion, Scope scope) const;
  Sight sightOf(const Region &region) const;

  Thread &thread;
  const Op &op;
  Proxy proxy;
  SharedKnowledge known;
  Site site;
};

/// Bytes with what is known of them.
struct Bytes {
  std::vector<uint8_t> values, defined; ///< 1 for a byte that is defined.

  explicit Bytes(uint64_t count = 0) : values(count), defined(count) {}
  uint64_t size() const { return values.size(); }
};

Bytes readBytes(const Region &region, uint64_t offset, uint64_t count);
/// So many bytes of each of these slots, one after the other.
Bytes gatherBytes(const Thread &thread, std::span<const uint32_t> slots, unsigned bytesOfEach);
/// The part of `bytes` from `first` on.
void writeBytes(Region &region, uint64_t offset, const Bytes &bytes, uint64_t first,
                uint64_t count);

/// Findings of tasks, which have no thread that executes.
struct Origin {
  Machine *machine;
  Site site;
  std::array<uint32_t, 3> cta;
  uint32_t thread;

  Origin(const Thread &thread, const Op &op)
      : machine(thread.machine), site(thread.site(op)), cta(thread.cta->index),
        thread(thread.number) {}
  /// Ends the run.
  void fail(Check check, std::string message, std::vector<RelatedSite> related = {}) const;
};

// Bulk groups (PTX ISA, 9.7.9.25.2).

/// A place in the open group of the thread: what its reads and its writes complete with.
struct GroupPlace {
  uint32_t group;
  Completion read, write;
};
GroupPlace joinOpenGroup(Thread &thread);
void endRead(Thread &thread, uint32_t group);
void endWrite(Thread &thread, uint32_t group);
void commitGroup(Thread &thread);
/// Waits until at most `pending` groups are left; with `readsOnly`, that have to read.
Step waitForGroups(Thread &thread, const Op &op, uint32_t pending, bool readsOnly);

/// fence.proxy.async, for these spaces.
void fenceAsyncProxy(Thread &thread, bool isShared, bool isGlobal);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_ASYNCHRONY_H
