// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which blocks does a thread run next? Those of its share: consecutive blocks, the same ones in
// each launch of a grid, so that memory stays with the processor that has touched it first. It
// takes them from the front, in pieces. Who has none left takes half of what is left to somebody
// else: of the share that would be done last, by the time that its owner takes for a block. A share
// is a cache line of its own; nobody writes to another one's but to take blocks away.

#ifndef TILEWRIGHT_RUNTIME_SHARES_H
#define TILEWRIGHT_RUNTIME_SHARES_H

#include <atomic>
#include <cstdint>

namespace tilewright::runtime {

/// Blocks [first, end) of a grid.
struct Blocks {
  int64_t first, end;
  int64_t count() const { return end - first; }
};

/// All blocks of a launch, divided between its members. A member is one thread at a time.
class Shares {
public:
  static constexpr int64_t alignment = 64;
  static int64_t bytesFor(int members);

  /// `memory`: bytesFor(members) bytes at a multiple of `alignment`, as long as this exists.
  Shares(Blocks all, int members, void *memory);

  /// The next blocks of this member, each of which is handed out once; none when all are taken.
  /// `now` gives nanoseconds of a clock, and is called only where the time matters.
  template <typename Clock> Blocks take(int member, const Clock &now) {
    return takePiece(
        member, {[](const void *clock) { return (*static_cast<const Clock *>(clock))(); }, &now});
  }

private:
  struct Share;
  struct Time {
    int64_t (*call)(const void *clock);
    const void *clock;
    int64_t operator()() const { return call(clock); }
  };

  Blocks takePiece(int member, Time now);
  bool refill(Share &own, Time now);
  Share *lastToEnd(const Share &own, Time now, int64_t &time);

  const Blocks all;
  const int members;
  /// Ranges count units of 2^shift blocks, so that both ends fit into a word.
  const int shift;
  Share *const shares;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_SHARES_H
