// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributes the blocks of a launch by work stealing. Each thread has a chunk: a range of
// consecutive blocks, the same one in each launch of a grid, so that memory stays with the
// processor that touched it first. The thread takes pieces from the front of its range. When none
// is left, it steals half of what is left in another range, the one that is expected to end last by
// its owner's time per block. Each chunk has its own cache line, and other threads write to it only
// to steal.

#ifndef TILEWRIGHT_RUNTIME_WORKQUEUE_H
#define TILEWRIGHT_RUNTIME_WORKQUEUE_H

#include <atomic>
#include <cstdint>

namespace tilewright::runtime {

/// Blocks [first, end) of a grid.
struct Blocks {
  int64_t first, end;
  int64_t count() const { return end - first; }
};

/// All blocks of a launch, divided between its members. A member is one thread at a time.
class WorkQueue {
public:
  static constexpr int64_t alignment = 64;
  static int64_t bytesFor(int members);

  /// `memory`: bytesFor(members) bytes at a multiple of `alignment`; must outlive this object.
  WorkQueue(Blocks all, int members, void *memory);

  /// The next blocks for this member; none when all are taken. Each block is handed out once. `now`
  /// returns nanoseconds, and is called only where the time matters.
  template <typename Clock> Blocks take(int member, const Clock &now) {
    return takePiece(
        member, {[](const void *clock) { return (*static_cast<const Clock *>(clock))(); }, &now});
  }

private:
  struct Chunk;
  struct Time {
    int64_t (*call)(const void *clock);
    const void *clock;
    int64_t operator()() const { return call(clock); }
  };

  Blocks takePiece(int member, Time now);
  bool steal(Chunk &own, Time now);
  Chunk *findVictim(const Chunk &own, Time now, int64_t &time);

  const Blocks all;
  const int members;
  /// A range is counted in units of 2^shift blocks, so that both of its ends fit into a word.
  const int shift;
  Chunk *const chunks;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_WORKQUEUE_H
