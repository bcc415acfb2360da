// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Counters.h.

#include "tilewright/ptx/watch/Counters.h"
#include "tilewright/ptx/watch/TouchedSectors.h"

#include <tuple>

using namespace tilewright::ptx;

/// Maximum number of lanes in the open accesses of a warp; beyond it, they count as complete.
static constexpr size_t mostOpenLanes = size_t(1) << 20;

//===-- Counts ------------------------------------------------------------------------------===//

void MemoryCounts::add(std::span<const LaneAccess> access, const Cost &cost, uint64_t unit) {
  ++accesses;
  lanes += access.front().lane == noLane ? 0 : access.size();
  units += cost.actual;
  idealUnits += cost.ideal;
  if (cost.actual > cost.ideal)
    patterns.add(patternOf(access, unit), {1, cost});
}

MemoryCounts &MemoryCounts::operator+=(const MemoryCounts &other) {
  accesses += other.accesses;
  lanes += other.lanes;
  units += other.units;
  idealUnits += other.idealUnits;
  patterns += other.patterns;
  return *this;
}

Counts &Counts::operator+=(const Counts &other) {
  executions += other.executions;
  global += other.global;
  shared += other.shared;
  distinctSectors += other.distinctSectors;
  dataSectors += other.dataSectors;
  barriers += other.barriers;
  asyncBytes += other.asyncBytes;
  return *this;
}

namespace {
enum class Direction { Load, Store, Update };
} // namespace

/// Of copies, the first state space is that of the destination.
static bool isCopyToGlobal(const Instruction &copy) {
  for (std::string_view modifier : copy.modifiers)
    if (modifier == "global" || modifier.starts_with("shared"))
      return modifier == "global";
  return false;
}

/// What the instruction does to global memory.
static Direction directionOf(const Instruction &instruction) {
  const std::string_view opcode = instruction.opcode,
                         first = instruction.modifiers.empty() ? "" : instruction.modifiers[0];
  if (opcode == "st" || (opcode == "multimem" && first == "st"))
    return Direction::Store;
  if (opcode == "atom" || opcode == "red" || (opcode == "multimem" && first == "red"))
    return Direction::Update;
  if (opcode != "cp" || !isCopyToGlobal(instruction))
    return Direction::Load;
  return first == "reduce" ? Direction::Update : Direction::Store;
}

namespace {
/// Numbers source lines, separately for each direction: a line that loads and stores the same bytes
/// moves them twice. An instruction without a line is a line of its own.
class LineNumbers {
public:
  explicit LineNumbers(const Module &module) : module(module) {}

  uint32_t of(const Instruction &instruction) {
    if (!instruction.source)
      return next++;
    const SourceLine &source = module.lines[instruction.source - 1];
    const auto [line, isNew] = numbers.try_emplace(
        {module.fileName(source.file), source.line, directionOf(instruction)}, next);
    next += isNew;
    return line->second;
  }

private:
  const Module &module;
  std::map<std::tuple<std::string_view, uint32_t, Direction>, uint32_t> numbers;
  uint32_t next = 0;
};
} // namespace

Counters::Counters(const Program &program) : program(program) {
  LineNumbers numbers(*program.module);
  for (const Code &code : program.codes) {
    // One more for the return at the end of the body.
    sites.emplace_back(code.function ? code.function->body.size() + 1 : 0);
    std::vector<uint32_t> &lineOf = lines.emplace_back();
    if (code.function)
      for (const Instruction &instruction : code.function->body)
        lineOf.push_back(numbers.of(instruction));
    branches.push_back(code.function ? findBranches(code) : Branches());
  }
}

Counters &Counters::operator+=(const Counters &other) {
  for (size_t function = 0; function < sites.size(); ++function)
    for (size_t number = 0; number < sites[function].size(); ++number)
      sites[function][number] += other.sites[function][number];
  for (const auto &[operand, multiplyAdds] : other.multiplyAddsOf)
    multiplyAddsOf[operand] += multiplyAdds;
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
    close(*warp.cta, key, lanes);
    open.lanes -= lanes.size();
    lanes.clear();
  }
  lanes.push_back({thread.lane, bytes, target.region->base + target.offset});
  ++open.lanes;
  if (lanes.size() == warp.threads.size()) {
    close(*warp.cta, key, lanes);
    open.lanes -= lanes.size();
    open.all.erase(key);
  } else if (open.lanes > mostOpenLanes) {
    converged(warp);
  }
}

void Counters::close(Cta &cta, const OpenAccesses::Key &key, std::span<const LaneAccess> lanes) {
  if (key.space == Space::Global)
    accessGlobal(cta, key.site, lanes);
  else
    at(key.site).shared.add(lanes, bankCyclesOf(lanes), bankBytes);
}

void Counters::accessGlobal(Cta &cta, Site site, std::span<const LaneAccess> lanes) {
  if (!cta.touched)
    cta.touched = std::make_shared<TouchedSectors>();
  Counts &counts = at(site);
  counts.global.add(lanes, sectorsOf(lanes), sectorBytes);
  const auto [sectors, data] = cta.touched->add(lines[site.function][site.instruction], lanes);
  counts.distinctSectors += sectors;
  counts.dataSectors += data;
}

void Counters::transfer(Cta &cta, Site site, uint64_t bytes, std::span<const LaneAccess> global) {
  at(site).asyncBytes += bytes;
  if (!global.empty())
    accessGlobal(cta, site, global);
}

void Counters::converged(Warp &warp) {
  if (!warp.open)
    return;
  for (const auto &[key, lanes] : warp.open->all)
    close(*warp.cta, key, lanes);
  warp.open = nullptr;
}
