// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Counters.h.

#include "tilewright/ptx/watch/Counters.h"

using namespace tilewright::ptx;

/// Maximum number of lanes in the open accesses of a warp; beyond it, they count as complete.
static constexpr size_t mostOpenLanes = size_t(1) << 20;

//===-- Counts ------------------------------------------------------------------------------===//

MemoryCounts &MemoryCounts::operator+=(const MemoryCounts &other) {
  accesses += other.accesses;
  units += other.units;
  idealUnits += other.idealUnits;
  return *this;
}

Counts &Counts::operator+=(const Counts &other) {
  executions += other.executions;
  global += other.global;
  shared += other.shared;
  barriers += other.barriers;
  asyncBytes += other.asyncBytes;
  return *this;
}

Counters::Counters(const Program &program) : program(program) {
  for (const Code &code : program.codes) {
    // One more for the return at the end of the body.
    sites.emplace_back(code.function ? code.function->body.size() + 1 : 0);
    branches.push_back(code.function ? findBranches(code) : Branches());
  }
}

Counters &Counters::operator+=(const Counters &other) {
  for (size_t function = 0; function < sites.size(); ++function)
    for (size_t number = 0; number < sites[function].size(); ++number)
      sites[function][number] += other.sites[function][number];
  return *this;
}

Counts Counters::total() const {
  Counts all;
  for (const auto &function : sites)
    for (const Counts &counts : function)
      all += counts;
  return all;
}

std::array<uint64_t, kindCount> Counters::byKind() const {
  std::array<uint64_t, kindCount> kinds = {};
  for (size_t function = 0; function < sites.size(); ++function)
    for (size_t number = 0; number < sites[function].size(); ++number) {
      const auto &body = program.module->functions[function].body;
      const Kind kind = number < body.size() ? kindOf(body[number]) : Kind::Control;
      kinds[size_t(kind)] += sites[function][number].executions;
    }
  return kinds;
}

//===-- Control-flow paths ------------------------------------------------------------------===//

/// The finaliser of SplitMix64.
uint64_t ControlFlowPath::mixed(uint64_t hash, uint64_t at, uint64_t to) {
  uint64_t bits = hash ^ (at << 32 | to);
  bits += 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

void ControlFlowPath::branch(size_t depth, uint32_t at, uint32_t to, uint32_t reconvergesAt) {
  const Level &last = levels.back();
  const uint64_t hash = mixed(last.hash, at, to);
  // All iterations of a loop share one level.
  if (levels.size() > 1 && last.depth == depth && last.reconvergesAt == reconvergesAt)
    levels.back().hash = hash;
  else
    levels.push_back({depth, reconvergesAt, hash});
}

void Counters::begin(Thread &thread) {
  if (!thread.path)
    thread.path = std::make_shared<ControlFlowPath>();
  thread.path->arrive(thread.frames.size(), thread.pc);
}

void Counters::end(Thread &thread, const Op &op, Position position, Step step, bool isExecuted) {
  const auto [function, at] = position;
  // Some waits are executed again when they are over.
  const bool isAgain = thread.waitedOp == &op;
  thread.waitedOp = step == Step::Wait ? &op : nullptr;
  if (isExecuted && !isAgain)
    ++sites[function][op.instruction].executions;
  const Branches &points = branches[function];
  if (points.isBranch[at])
    thread.path->branch(thread.frames.size(), at, thread.pc, points.reconvergesAt[at]);
  else if (!isExecuted && points.mayEnd[at])
    thread.path->pass(at);
  else if (points.isCall[at] && step == Step::Jump)
    thread.path->call(thread.frames.size(), at);
}

//===-- Accesses ----------------------------------------------------------------------------===//

void Counters::access(Thread &thread, const Op &op, Target target, unsigned bytes) {
  const Space space = target.region->space;
  if (space != Space::Global && space != Space::Shared)
    return;
  Warp &warp = *thread.warp;
  if (!warp.open)
    warp.open = std::make_shared<OpenAccesses>();
  OpenAccesses &open = *warp.open;
  // The lanes of a warp instruction are converged, whatever their paths were.
  const uint64_t path = op.collective ? 0 : thread.path->hash();
  const uint8_t rank = space == Space::Shared ? target.region->cta.rank : uint8_t(0);
  const OpenAccesses::Key key{thread.site(op), path, space, rank};
  std::vector<LaneAccess> &lanes = open.all[key];
  // The same lane again: its earlier access was by lanes that have diverged since.
  const bool isAgain = std::any_of(lanes.begin(), lanes.end(), [&](const LaneAccess &other) {
    return other.lane == thread.lane;
  });
  if (isAgain) {
    close(key, lanes);
    open.lanes -= lanes.size();
    lanes.clear();
  }
  lanes.push_back({thread.lane, bytes, target.region->base + target.offset});
  ++open.lanes;
  if (lanes.size() == warp.threads.size()) {
    close(key, lanes);
    open.lanes -= lanes.size();
    open.all.erase(key);
  } else if (open.lanes > mostOpenLanes) {
    converged(warp);
  }
}

void Counters::close(const OpenAccesses::Key &key, std::span<const LaneAccess> lanes) {
  Counts &counts = at(key.site);
  if (key.space == Space::Global)
    counts.global.add(sectorsOf(lanes));
  else
    counts.shared.add(bankCyclesOf(lanes));
}

void Counters::transfer(Site site, uint64_t bytes, std::span<const LaneAccess> global) {
  at(site).asyncBytes += bytes;
  if (!global.empty())
    at(site).global.add(sectorsOf(global));
}

void Counters::converged(Warp &warp) {
  if (!warp.open)
    return;
  for (const auto &[key, lanes] : warp.open->all)
    close(key, lanes);
  warp.open = nullptr;
}
