// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happened before what? Each thread counts its own releases; what it knows of the others is
// a vector clock. Threads that met at a barrier know the same, so knowledge is shared and never
// changed: a row of clocks for the own CTA, and rows for the other CTAs of which a thread has
// heard through memory. What goes on beside the threads has clocks in the rows, too: behind those
// of the threads there is, for each thread, how far a fence has shown its writes to the async
// proxy, in shared and in global memory; then come the agents, which are whatever completes
// asynchronous operations: an mbarrier, the bulk groups of a thread, the wgmma groups of a
// warpgroup, each st.async or red.async of global memory of a thread. Rows end with the last clock
// that is not zero, or later.

#ifndef TILEWRIGHT_PTX_MACHINE_CLOCK_H
#define TILEWRIGHT_PTX_MACHINE_CLOCK_H

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace tilewright::ptx {

/// A clock for each thread of a CTA, then what is above.
using ClockRow = std::vector<uint32_t>;

class Knowledge {
public:
  /// The rows by number of the CTA.
  using Rows = std::map<uint32_t, std::shared_ptr<const ClockRow>>;

  Knowledge() = default;
  explicit Knowledge(Rows rows) : rows(std::move(rows)) {}

  /// Is the clock of this thread at least so far?
  bool has(uint32_t cta, uint32_t thread, uint32_t clock) const {
    const auto row = rows.find(cta);
    return row != rows.end() && thread < row->second->size() && (*row->second)[thread] >= clock;
  }

  Rows rows;
};

using SharedKnowledge = std::shared_ptr<const Knowledge>;

/// What a thread hands over: all that it knows, and its own clock.
struct ThreadClock {
  SharedKnowledge known;
  uint32_t cta, thread, clock;
};

/// What all of them know together. `threads` is the size of a row.
SharedKnowledge join(const std::vector<ThreadClock> &clocks, uint32_t threads);
SharedKnowledge join(const SharedKnowledge &lhs, const SharedKnowledge &rhs);
/// With this clock in a row, or a later one that is there already.
SharedKnowledge withClock(const SharedKnowledge &known, uint32_t cta, uint32_t index,
                          uint32_t clock);
/// With each clock of the first `threads` of all rows at `shift` behind it, too.
SharedKnowledge withFence(const SharedKnowledge &known, uint32_t threads, uint32_t shift);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_CLOCK_H
