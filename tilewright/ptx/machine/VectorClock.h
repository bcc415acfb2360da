// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector clocks, which define happens-before. The clock of a thread counts its own releases. Its
// vector clock has, for each other thread, the clock up to which the accesses of that thread happen
// before its own. It has a row per CTA: that of the own CTA, and those of other CTAs with which the
// thread has synchronised. It is immutable, so that all threads of a barrier share one.
//
// A row has the clocks of the CTA's threads; then, per thread, the clock up to which a proxy fence
// made its writes visible to the async proxy, in shared and then in global memory; then the clocks
// of the agents, and after that of an mbarrier, the clock up to which a proxy fence made the copies
// of cp.async visible that it tracks. An agent completes asynchronous operations: those tracked by
// an mbarrier, the bulk groups of a thread, the wgmma groups of a warpgroup, or one st.async or
// red.async instruction of a thread to global memory. Trailing zeros of a row may be missing.

#ifndef TILEWRIGHT_PTX_MACHINE_VECTORCLOCK_H
#define TILEWRIGHT_PTX_MACHINE_VECTORCLOCK_H

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace tilewright::ptx {

/// The clocks of one CTA, in the order described above.
using ClockRow = std::vector<uint32_t>;

class VectorClock {
public:
  /// The rows, by number of the CTA.
  using Rows = std::map<uint32_t, std::shared_ptr<const ClockRow>>;

  VectorClock() = default;
  explicit VectorClock(Rows rows) : rows(std::move(rows)) {}

  /// Is the clock of this thread at least `clock`?
  bool has(uint32_t cta, uint32_t thread, uint32_t clock) const {
    const auto row = rows.find(cta);
    return row != rows.end() && thread < row->second->size() && (*row->second)[thread] >= clock;
  }

  Rows rows;
};

/// The index of the fence clock of an mbarrier's agent.
constexpr uint32_t fenceIndexOf(uint32_t agent) { return agent + 1; }

using SharedVectorClock = std::shared_ptr<const VectorClock>;

/// What a thread releases: its vector clock and its own clock.
struct ThreadClock {
  SharedVectorClock vectorClock;
  uint32_t cta, thread, clock;
};

/// Joins all these clocks. `threads` is the minimum size of a row.
SharedVectorClock join(const std::vector<ThreadClock> &clocks, uint32_t threads);
SharedVectorClock join(const SharedVectorClock &lhs, const SharedVectorClock &rhs);
/// `vectorClock` with this clock raised to at least `clock`.
SharedVectorClock withClock(const SharedVectorClock &vectorClock, uint32_t cta, uint32_t index,
                            uint32_t clock);
/// The same, with the clock at the index `from`.
SharedVectorClock withClockOf(const SharedVectorClock &vectorClock, uint32_t cta, uint32_t index,
                              uint32_t from);
/// `vectorClock` after a proxy fence: copies the first `threads` clocks of each row to the index
/// `shift`, unless a later clock is there.
SharedVectorClock withFence(const SharedVectorClock &vectorClock, uint32_t threads, uint32_t shift);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_VECTORCLOCK_H
