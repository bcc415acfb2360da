// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Clock.h.

#include "tilewright/ptx/machine/Clock.h"

#include <algorithm>
#include <set>

using namespace tilewright::ptx;

using Row = std::shared_ptr<const ClockRow>;

static Row largest(const Row &lhs, const Row &rhs) {
  if (!lhs || lhs == rhs)
    return rhs;
  if (!rhs)
    return lhs;
  auto row = std::make_shared<ClockRow>(*lhs);
  for (size_t thread = 0; thread < row->size(); ++thread)
    (*row)[thread] = std::max((*row)[thread], (*rhs)[thread]);
  return row;
}

static void joinInto(Knowledge::Rows &rows, const SharedKnowledge &other) {
  if (!other)
    return;
  for (const auto &[cta, row] : other->rows)
    rows[cta] = largest(rows[cta], row);
}

SharedKnowledge tilewright::ptx::join(const SharedKnowledge &lhs, const SharedKnowledge &rhs) {
  if (!lhs || lhs == rhs)
    return rhs;
  if (!rhs)
    return lhs;
  Knowledge::Rows rows = lhs->rows;
  joinInto(rows, rhs);
  return std::make_shared<const Knowledge>(std::move(rows));
}

SharedKnowledge tilewright::ptx::join(const std::vector<ThreadClock> &clocks, uint32_t threads) {
  Knowledge::Rows rows;
  std::set<const Knowledge *> seen;
  for (const ThreadClock &clock : clocks)
    if (seen.insert(clock.known.get()).second)
      joinInto(rows, clock.known);
  std::map<uint32_t, std::shared_ptr<ClockRow>> own;
  for (const ThreadClock &clock : clocks) {
    std::shared_ptr<ClockRow> &row = own[clock.cta];
    if (!row) {
      const Row &before = rows[clock.cta];
      row = before ? std::make_shared<ClockRow>(*before) : std::make_shared<ClockRow>(threads);
    }
    (*row)[clock.thread] = std::max((*row)[clock.thread], clock.clock);
  }
  for (auto &[cta, row] : own)
    rows[cta] = row;
  return std::make_shared<const Knowledge>(std::move(rows));
}
