// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Exploration.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::SmallVector;

namespace {

/// The read or the write of an access of a block.
struct HalfAccess {
  unsigned block, access;
  bool isWrite;

  static HalfAccess read(unsigned block, const Event &event) {
    return {block, event.access, false};
  }
  static HalfAccess write(unsigned block, const Event &event) {
    return {block, event.access, true};
  }
  bool isOfSameAccess(HalfAccess other) const {
    return block == other.block && access == other.access;
  }
  auto operator<=>(const HalfAccess &) const = default;
};

/// What a value was derived from.
using Ancestors = std::set<HalfAccess>;

/// Alternatives, none of which contains another: if one will do, so will a smaller one.
using Derivations = std::vector<Ancestors>;

/// What blocks have been seen to write.
class KnownWrites {
public:
  /// Says whether this was news.
  bool learn(unsigned block, const Trace &trace, llvm::function_ref<Value(Location)> initialValue);

  /// The values that a read may return.
  std::set<Value> valuesFor(HalfAccess reader, Location location, Value initial) const;

  /// Whether a wanted write, wherever it is, leaves this value in the location.
  bool isWritten(Location location, Value value,
                 llvm::function_ref<bool(HalfAccess)> isWanted) const;

private:
  Derivations derivationsFor(HalfAccess reader, Location location, Value value,
                             Value initial) const;
  SmallVector<Location> piecesOf(Location location) const;
  void forEachOverlapping(
      Location location,
      llvm::function_ref<void(Location, Value, HalfAccess, const Derivations &)> visit) const;

  std::map<Location, std::map<Value, std::map<HalfAccess, Derivations>>> writes;
};

class Explorer {
public:
  Explorer(const Explored &program, const ExplorationLimits &limits)
      : program(program), limits(limits), chosen(program.blockCount),
        locationsRead(program.blockCount), runsLeft(limits.runs),
        steps(limits.steps, limits.cancelled) {}

  std::optional<std::string> explore();

private:
  void learn(unsigned block, const Trace &trace) {
    hasLearned |= isLearning && known.learn(block, trace, program.initialValue);
  }
  void forEachBehaviour(unsigned block, llvm::function_ref<void(const Behaviour &)> visit);
  void orderBlocks();
  void walk(size_t depth);
  SmallVector<Value> optionsFor(unsigned block, const Trace &before, const Event &read);
  bool isPossible(unsigned block, const Trace &before, Event read, Value value);
  void visitCandidate();

  const Explored &program;
  const ExplorationLimits &limits;
  KnownWrites known;
  /// Blocks in the order in which their behaviours are chosen, and those chosen.
  SmallVector<unsigned> order;
  std::vector<const Behaviour *> chosen;
  std::vector<std::set<Location>> locationsRead;
  bool isLearning = true, hasLearned = false;
  uint64_t runsLeft;
  StepBudget steps;
  std::optional<std::string> limit;
};

} // namespace

std::optional<std::string> reference::explore(const Explored &program,
                                              const ExplorationLimits &limits) {
  return Explorer(program, limits).explore();
}

//===-- All behaviours ------------------------------------------------------------------------===//

std::optional<std::string> Explorer::explore() {
  // What can be written, each block by itself: beside a behaviour of another, it might not
  // show a write that makes a different behaviour of the other possible.
  do {
    hasLearned = false;
    for (unsigned block = 0; block < program.blockCount; ++block)
      forEachBehaviour(block, [](const Behaviour &) {});
  } while (hasLearned && !limit);

  // What is known now is all that any behaviour can write.
  isLearning = false;
  orderBlocks();
  walk(0);
  return limit;
}

/// Runs a block in every way that goes with the behaviours chosen for others.
void Explorer::forEachBehaviour(unsigned block, llvm::function_ref<void(const Behaviour &)> visit) {
  struct Choice {
    SmallVector<Value> options;
    size_t taken = 0;
  };
  std::vector<Choice> path;
  do {
    if (steps.isCancelled())
      limit = explorationWasCancelled;
    else if (runsLeft-- == 0)
      limit = "more than " + std::to_string(limits.runs) + " ways to run a tile block";
    if (limit)
      return;
    size_t next = 0;
    Behaviour behaviour = program.run(block, [&](const Trace &before, const Event &read) {
      if (next == path.size())
        path.push_back({optionsFor(block, before, read)});
      const Choice &choice = path[next++];
      return choice.options.empty() ? std::nullopt : std::optional(choice.options[choice.taken]);
    });
    learn(block, behaviour.trace);
    if (behaviour.limit)
      limit = behaviour.limit;
    else if (!behaviour.isGivenUp)
      visit(behaviour);
    while (!path.empty() && ++path.back().taken >= path.back().options.size())
      path.pop_back();
  } while (!path.empty());
}

/// Blocks with few behaviours go first: they exclude many of the others'.
void Explorer::orderBlocks() {
  constexpr HalfAccess anyReader{~0u, 0, false};
  auto openness = [&](unsigned block) {
    return llvm::count_if(locationsRead[block], [&](Location location) {
      return known.valuesFor(anyReader, location, program.initialValue(location)).size() > 1;
    });
  };
  order = llvm::to_vector(llvm::seq(program.blockCount));
  llvm::sort(order, [&](unsigned x, unsigned y) {
    return std::pair(openness(x), x) < std::pair(openness(y), y);
  });
}

/// Chooses behaviours for the blocks from this place of the order on.
void Explorer::walk(size_t depth) {
  if (depth == order.size())
    return visitCandidate();
  forEachBehaviour(order[depth], [&](const Behaviour &behaviour) {
    chosen[order[depth]] = &behaviour;
    walk(depth + 1);
    chosen[order[depth]] = nullptr;
  });
}

void Explorer::visitCandidate() {
  SmallVector<const Trace *> traces;
  for (const Behaviour *behaviour : chosen)
    traces.push_back(&behaviour->trace);
  std::optional<Executions> found = executionsOf(traces, program.initialValue, steps);
  if (!found && steps.isCancelled())
    limit = explorationWasCancelled;
  else if (!found)
    limit = "more than " + std::to_string(limits.steps) +
            " choices of sources of reads and orders of writes";
  else if (found->count)
    program.visit(chosen, *found);
}

//===-- Choices of a read ---------------------------------------------------------------------===//

SmallVector<Value> Explorer::optionsFor(unsigned block, const Trace &before, const Event &read) {
  auto overlaps = [&](const Event &event) {
    return event.written && event.location.begin < read.location.end &&
           read.location.begin < event.location.end;
  };
  if (llvm::any_of(before.events, overlaps))
    learn(block, before);
  locationsRead[block].insert(read.location);

  std::set<Value> values = known.valuesFor(HalfAccess::read(block, read), read.location,
                                           program.initialValue(read.location));
  SmallVector<Value> options(values.begin(), values.end());
  if (options.size() > 1)
    llvm::erase_if(options, [&](Value value) { return !isPossible(block, before, read, value); });
  return options;
}

/// Whether the rules permit it beside the behaviours chosen so far. What else the block does, from
/// the write of an atomic pair on, and all that other blocks do is open.
bool Explorer::isPossible(unsigned block, const Trace &before, Event read, Value value) {
  Trace trace = before;
  read.read = value;
  trace.events.push_back(read);
  SmallVector<const Trace *> traces = {&trace};
  for (const Behaviour *behaviour : chosen)
    if (behaviour)
      traces.push_back(&behaviour->trace);
  std::set<unsigned> settled;
  for (const Event &event : before.events)
    settled.insert(event.access);
  auto isOpen = [&](HalfAccess write) {
    return write.block == block ? !settled.contains(write.access) : !chosen[write.block];
  };
  return mayBeExecuted(
      traces, program.initialValue,
      [&](Location location, Value part) { return known.isWritten(location, part, isOpen); },
      steps);
}

//===-- Known writes --------------------------------------------------------------------------===//

static void addAlternative(Derivations &all, Ancestors ancestors) {
  auto contains = [](const Ancestors &whole, const Ancestors &part) {
    return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
  };
  if (llvm::any_of(all, [&](const Ancestors &other) { return contains(ancestors, other); }))
    return;
  llvm::erase_if(all, [&](const Ancestors &other) { return contains(other, ancestors); });
  all.push_back(std::move(ancestors));
}

/// What is derived from one of these and one of those.
static Derivations combine(const Derivations &these, const Derivations &those) {
  Derivations result;
  for (const Ancestors &one : these)
    for (const Ancestors &other : those) {
      Ancestors both = one;
      both.insert(other.begin(), other.end());
      addAlternative(result, std::move(both));
    }
  return result;
}

bool KnownWrites::learn(unsigned block, const Trace &trace,
                        llvm::function_ref<Value(Location)> initialValue) {
  bool isNews = false;
  for (const Event &event : trace.events) {
    if (!event.written)
      continue;
    HalfAccess writer = HalfAccess::write(block, event);
    Derivations derivations = {{}};
    for (unsigned read : event.dependsOn) {
      const Event &source = trace.events[read];
      derivations =
          combine(derivations, derivationsFor(HalfAccess::read(block, source), source.location,
                                              *source.read, initialValue(source.location)));
    }
    llvm::erase_if(derivations,
                   [&](const Ancestors &ancestors) { return ancestors.contains(writer); });
    for (Ancestors ancestors : derivations) {
      ancestors.insert(writer);
      Derivations &all = writes[event.location][*event.written][writer];
      Derivations old = all;
      addAlternative(all, std::move(ancestors));
      isNews |= all != old;
    }
  }
  return isNews;
}

/// Those of a value that a read returns, the read among them.
Derivations KnownWrites::derivationsFor(HalfAccess reader, Location location, Value value,
                                        Value initial) const {
  Derivations result = {{reader}};
  for (Location piece : piecesOf(location)) {
    Derivations alternatives;
    if (slice(value, location, piece) == slice(initial, location, piece))
      addAlternative(alternatives, {});
    forEachOverlapping(
        piece, [&](Location written, Value whole, HalfAccess writer, const Derivations &all) {
          if (!reader.isOfSameAccess(writer) &&
              slice(whole, written, piece) == slice(value, location, piece))
            for (const Ancestors &ancestors : all)
              if (!ancestors.contains(reader))
                addAlternative(alternatives, ancestors);
        });
    result = combine(result, alternatives);
  }
  return result;
}

std::set<Value> KnownWrites::valuesFor(HalfAccess reader, Location location, Value initial) const {
  std::set<Value> values = {Value{}};
  for (Location piece : piecesOf(location)) {
    std::set<Value> parts = {slice(initial, location, piece)};
    auto isCircular = [&](const Ancestors &ancestors) { return ancestors.contains(reader); };
    forEachOverlapping(
        piece, [&](Location written, Value whole, HalfAccess writer, const Derivations &all) {
          if (!reader.isOfSameAccess(writer) && !llvm::all_of(all, isCircular))
            parts.insert(slice(whole, written, piece));
        });
    std::set<Value> longer;
    for (Value value : values)
      for (Value part : parts)
        longer.insert({value.bits | part.bits << 4 * (piece.begin - location.begin),
                       std::max(value.mark, part.mark)});
    values = std::move(longer);
  }
  return values;
}

bool KnownWrites::isWritten(Location location, Value value,
                            llvm::function_ref<bool(HalfAccess)> isWanted) const {
  bool result = false;
  forEachOverlapping(location,
                     [&](Location written, Value whole, HalfAccess writer, const Derivations &) {
                       result |= written.begin <= location.begin && location.end <= written.end &&
                                 slice(whole, written, location) == value && isWanted(writer);
                     });
  return result;
}

/// The parts of a location that no known write splits.
SmallVector<Location> KnownWrites::piecesOf(Location location) const {
  std::set<uint64_t> bounds = {location.begin, location.end};
  forEachOverlapping(location, [&](Location written, Value, HalfAccess, const Derivations &) {
    for (uint64_t bound : {written.begin, written.end})
      if (location.begin < bound && bound < location.end)
        bounds.insert(bound);
  });
  SmallVector<Location> pieces;
  for (auto bound = bounds.begin(); std::next(bound) != bounds.end(); ++bound)
    pieces.push_back({*bound, *std::next(bound)});
  return pieces;
}

void KnownWrites::forEachOverlapping(
    Location location,
    llvm::function_ref<void(Location, Value, HalfAccess, const Derivations &)> visit) const {
  constexpr uint64_t longest = 16;
  uint64_t first = location.begin - std::min(location.begin, longest);
  for (auto write = writes.lower_bound({first, 0});
       write != writes.end() && write->first.begin < location.end; ++write)
    if (write->first.end > location.begin)
      for (const auto &[value, writers] : write->second)
        for (const auto &[writer, derivations] : writers)
          visit(write->first, value, writer, derivations);
}
