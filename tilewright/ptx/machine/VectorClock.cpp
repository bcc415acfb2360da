// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See VectorClock.h.

#include "tilewright/ptx/machine/VectorClock.h"

#include <algorithm>
#include <set>

using namespace tilewright::ptx;

using Row = std::shared_ptr<const ClockRow>;

static Row largest(const Row &lhs, const Row &rhs) {
  if (!lhs || lhs == rhs)
    return rhs;
  if (!rhs)
    return lhs;
  const bool isLonger = lhs->size() >= rhs->size();
  auto row = std::make_shared<ClockRow>(isLonger ? *lhs : *rhs);
  const ClockRow &other = isLonger ? *rhs : *lhs;
  for (size_t thread = 0; thread < other.size(); ++thread)
    (*row)[thread] = std::max((*row)[thread], other[thread]);
  return row;
}

static void joinInto(VectorClock::Rows &rows, const SharedVectorClock &other) {
  if (!other)
    return;
  for (const auto &[cta, row] : other->rows)
    rows[cta] = largest(rows[cta], row);
}

SharedVectorClock tilewright::ptx::join(const SharedVectorClock &lhs,
                                        const SharedVectorClock &rhs) {
  if (!lhs || lhs == rhs)
    return rhs;
  if (!rhs)
    return lhs;
  VectorClock::Rows rows = lhs->rows;
  joinInto(rows, rhs);
  return std::make_shared<const VectorClock>(std::move(rows));
}

SharedVectorClock tilewright::ptx::join(const std::vector<ThreadClock> &clocks, uint32_t threads) {
  VectorClock::Rows rows;
  std::set<const VectorClock *> seen;
  for (const ThreadClock &clock : clocks)
    if (seen.insert(clock.vectorClock.get()).second)
      joinInto(rows, clock.vectorClock);
  std::map<uint32_t, std::shared_ptr<ClockRow>> own;
  for (const ThreadClock &clock : clocks) {
    std::shared_ptr<ClockRow> &row = own[clock.cta];
    if (!row) {
      const Row &before = rows[clock.cta];
      row = before ? std::make_shared<ClockRow>(*before) : std::make_shared<ClockRow>();
      row->resize(std::max<size_t>(row->size(), threads));
    }
    if (row->size() <= clock.thread)
      row->resize(clock.thread + 1);
    (*row)[clock.thread] = std::max((*row)[clock.thread], clock.clock);
  }
  for (auto &[cta, row] : own)
    rows[cta] = row;
  return std::make_shared<const VectorClock>(std::move(rows));
}

SharedVectorClock tilewright::ptx::withClock(const SharedVectorClock &vectorClock, uint32_t cta,
                                             uint32_t index, uint32_t clock) {
  if (!clock || (vectorClock && vectorClock->has(cta, index, clock)))
    return vectorClock;
  VectorClock::Rows rows = vectorClock ? vectorClock->rows : VectorClock::Rows();
  Row &row = rows[cta];
  auto changed = row ? std::make_shared<ClockRow>(*row) : std::make_shared<ClockRow>();
  changed->resize(std::max<size_t>(changed->size(), index + 1));
  (*changed)[index] = clock;
  row = std::move(changed);
  return std::make_shared<const VectorClock>(std::move(rows));
}

SharedVectorClock tilewright::ptx::withClockOf(const SharedVectorClock &vectorClock, uint32_t cta,
                                               uint32_t index, uint32_t from) {
  const auto row = vectorClock->rows.find(cta);
  if (row == vectorClock->rows.end() || from >= row->second->size())
    return vectorClock;
  return withClock(vectorClock, cta, index, (*row->second)[from]);
}

SharedVectorClock tilewright::ptx::withFence(const SharedVectorClock &vectorClock, uint32_t threads,
                                             uint32_t shift) {
  VectorClock::Rows rows;
  for (const auto &[cta, row] : vectorClock->rows) {
    auto changed = std::make_shared<ClockRow>(*row);
    const size_t count = std::min<size_t>(threads, changed->size());
    changed->resize(std::max<size_t>(changed->size(), shift + count));
    for (size_t thread = 0; thread < count; ++thread)
      (*changed)[shift + thread] = std::max((*changed)[shift + thread], (*changed)[thread]);
    rows.emplace(cta, std::move(changed));
  }
  return std::make_shared<const VectorClock>(std::move(rows));
}
