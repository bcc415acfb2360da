// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Exploration.h"
#include "tilewright/reference/exhaustive/Footprint.h"
#include "tilewright/reference/exhaustive/PartialRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace tilewright;
using namespace tilewright::reference;

namespace {

/// A write, or none for the initial value.
using Writer = std::optional<AccessId>;

/// A node of the search: the executions with these sources, and with other sources than the
/// excluded ones for the reads that were passed over.
struct State {
  std::vector<std::shared_ptr<const PartialRun>> runs;
  Sources sources = {};
  std::map<AccessId, Value> values = {};
  /// For each such read, writers of which none is the source of all its parts.
  std::map<AccessId, std::set<Writer>> passedOver = {};
};

/// What a read may return, and from where.
struct Option {
  llvm::SmallVector<PartSource, 1> sources;
  Value value;
};

/// An open read whose location is certain.
struct OpenRead {
  AccessId id;
  /// The number of open reads before it in its block.
  unsigned rank;
  std::vector<Option> options = {};
};

/// Happens-before among the certain events of all blocks, numbered consecutively.
struct Order {
  Relation before;
  std::vector<unsigned> firstOf;

  unsigned numberOf(AccessId id, const State &state) const {
    return firstOf[id.block] + *state.runs[id.block]->find(id.access)->certain;
  }
};

/// The decisions that remain.
struct Decisions {
  Order order;
  std::vector<OpenRead> open;
};

class Explorer {
public:
  Explorer(const Explored &program, const ExplorationLimits &limits)
      : program(program), limits(limits), runsLeft(limits.runs),
        steps(limits.steps, limits.cancelled) {}

  std::optional<std::string> explore();

private:
  void search(State state);
  std::optional<Decisions> decideForced(State &state);
  void decide(State &state, AccessId read, Option option);
  std::shared_ptr<const PartialRun> run(const State &state, unsigned block);
  void visit(const State &state);
  void noteDeadEnd(const State &state);
  void noteStepsRanOut();
  bool hasEnded() { return limit || mustRestart; }

  std::optional<Order> orderOf(const State &state, const Sources &sources);
  std::vector<OpenRead> openReads(const State &state, const Order &order);
  std::vector<Option> optionsFor(const State &state, const Order &order, AccessId read);
  std::vector<Writer> writersFor(const State &state, const Order &order, AccessId read,
                                 Location part);
  Option optionFor(const State &state, Location location,
                   llvm::SmallVector<PartSource, 1> sources) const;

  bool mayBeWrittenLater(const State &state, const Order &order, AccessId read);
  bool mayComeLater(const State &state, const Order &order, AccessId read, AccessId writer);
  bool mayReadFrom(const State &state, AccessId read, AccessId writer);

  const Explored &program;
  const ExplorationLimits &limits;
  Footprint footprint;
  bool mustRestart = false;
  uint64_t runsLeft;
  StepBudget steps;
  std::optional<std::string> limit;
};

} // namespace

std::optional<std::string> reference::explore(const Explored &program,
                                              const ExplorationLimits &limits) {
  return Explorer(program, limits).explore();
}

static bool isComplete(const std::shared_ptr<const PartialRun> &run) { return run->isComplete(); }

//===-- The search ----------------------------------------------------------------------------===//

std::optional<std::string> Explorer::explore() {
  do {
    if (mustRestart)
      program.restart();
    mustRestart = false;
    footprint.forgetAssumptions();
    State start;
    start.runs.resize(program.blockCount);
    for (unsigned block = 0; block < program.blockCount && !limit; ++block)
      start.runs[block] = run(start, block);
    if (!hasEnded())
      search(std::move(start));
  } while (mustRestart && !limit);
  return limit;
}

void Explorer::search(State state) {
  std::optional<Decisions> remaining = decideForced(state);
  if (!remaining)
    return;
  if (llvm::all_of(state.runs, isComplete))
    return visit(state);

  // A read without options waits for other decisions. Decide the earliest open read first, so that
  // a read from the future is tried only when nothing else can be decided.
  auto canBeDecided = [](const OpenRead &read) { return !read.options.empty(); };
  auto candidates = llvm::make_filter_range(remaining->open, canBeDecided);
  auto next = llvm::min_element(
      candidates, [](const OpenRead &x, const OpenRead &y) { return x.rank < y.rank; });
  if (next == candidates.end())
    return noteDeadEnd(state);
  for (const Option &option : next->options) {
    State more = state;
    decide(more, next->id, option);
    // Checking the rules first avoids most runs.
    if (!orderOf(more, more.sources))
      continue;
    more.runs[next->id.block] = run(more, next->id.block);
    if (!hasEnded())
      search(std::move(more));
    if (hasEnded())
      return;
  }
  if (!mayBeWrittenLater(state, remaining->order, next->id))
    return;
  for (const Option &option : next->options)
    for (const PartSource &source : option.sources)
      state.passedOver[next->id].insert(source.write);
  search(std::move(state));
}

/// Decides the reads that have only one option. None if there is no execution.
std::optional<Decisions> Explorer::decideForced(State &state) {
  while (true) {
    std::optional<Order> order = orderOf(state, state.sources);
    if (!order)
      return std::nullopt;
    std::vector<OpenRead> open = openReads(state, *order);
    std::set<unsigned> changed;
    for (OpenRead &read : open) {
      if (read.options.size() > 1 || mayBeWrittenLater(state, *order, read.id))
        continue;
      if (read.options.empty())
        return std::nullopt;
      decide(state, read.id, read.options.front());
      changed.insert(read.id.block);
    }
    if (changed.empty())
      return Decisions{std::move(*order), std::move(open)};
    for (unsigned block : changed)
      state.runs[block] = run(state, block);
    if (hasEnded())
      return std::nullopt;
  }
}

void Explorer::decide(State &state, AccessId read, Option option) {
  state.sources[read] = std::move(option.sources);
  state.values[read] = option.value;
  state.passedOver.erase(read);
}

std::shared_ptr<const PartialRun> Explorer::run(const State &state, unsigned block) {
  if (steps.isCancelled())
    limit = explorationWasCancelled;
  else if (runsLeft-- == 0)
    limit = "more than " + std::to_string(limits.runs) + " runs of tile blocks";
  if (limit)
    return nullptr;
  Behaviour behaviour = program.run(block, [&](const Event &read) -> std::optional<Value> {
    auto value = state.values.find({block, read.access});
    return value == state.values.end() ? std::nullopt : std::optional(value->second);
  });
  auto run = std::make_shared<PartialRun>(std::move(behaviour));
  if (steps.isCancelled())
    limit = explorationWasCancelled;
  else if (run->isComplete())
    limit = run->behaviour().limit;
  for (const Event &event : run->certain().events)
    mustRestart |= !footprint.learn({block, event.access}, run->eventOf(event.access));
  return run;
}

/// No read can be decided. If a limit cut a block short, a later write of that block might have
/// been the source of a read.
void Explorer::noteDeadEnd(const State &state) {
  for (const auto &run : state.runs)
    if (!limit)
      limit = run->behaviour().limit;
}

void Explorer::noteStepsRanOut() {
  limit = steps.isCancelled() ? explorationWasCancelled
                              : "more than " + std::to_string(limits.steps) +
                                    " choices of sources of reads and orders of writes";
}

void Explorer::visit(const State &state) {
  llvm::SmallVector<const Behaviour *> behaviours;
  llvm::SmallVector<const Trace *> traces;
  for (const auto &run : state.runs) {
    behaviours.push_back(&run->behaviour());
    traces.push_back(&run->behaviour().trace);
  }
  std::optional<Executions> found =
      executionsOf(traces, program.initialValue, steps, state.sources);
  if (found && found->count && !program.visit(behaviours, *found))
    limit = explorationHasSeenEnough;
  if (!found)
    noteStepsRanOut();
}

//===-- Options of a read ---------------------------------------------------------------------===//

std::optional<Order> Explorer::orderOf(const State &state, const Sources &sources) {
  llvm::SmallVector<const Trace *> traces;
  Order order{Relation(0), {}};
  unsigned first = 0;
  for (const auto &run : state.runs) {
    traces.push_back(&run->certain());
    order.firstOf.push_back(first);
    first += run->certain().events.size();
  }
  std::optional<Relation> before =
      happensBeforeSoFar(traces, sources, footprint.allSplits(), steps);
  if (!before) {
    if (steps.wereRefused())
      noteStepsRanOut();
    return std::nullopt;
  }
  order.before = std::move(*before);
  return order;
}

std::vector<OpenRead> Explorer::openReads(const State &state, const Order &order) {
  std::vector<OpenRead> open;
  for (auto [block, run] : llvm::enumerate(state.runs))
    for (auto [rank, access] : llvm::enumerate(run->openReads()))
      if (run->find(access)->certain) {
        AccessId id{unsigned(block), access};
        open.push_back({id, unsigned(rank), optionsFor(state, order, id)});
      }
  return open;
}

std::vector<Option> Explorer::optionsFor(const State &state, const Order &order, AccessId read) {
  Location location = state.runs[read.block]->eventOf(read.access).location;
  auto passed = state.passedOver.find(read);
  auto isNew = [&](const Writer &writer) {
    return passed == state.passedOver.end() || !passed->second.contains(writer);
  };
  struct Choices {
    llvm::SmallVector<PartSource, 1> sources = {};
    bool isNew = false;
  };
  std::vector<Choices> all = {{}};
  all.front().isNew = passed == state.passedOver.end();
  for (Location part : footprint.partsOf(location)) {
    std::vector<Choices> longer;
    for (const Writer &writer : writersFor(state, order, read, part))
      for (Choices choices : all) {
        choices.sources.push_back({part, writer});
        choices.isNew |= isNew(writer);
        longer.push_back(std::move(choices));
      }
    all = std::move(longer);
  }
  std::vector<Option> options;
  for (Choices &choices : all)
    if (choices.isNew)
      options.push_back(optionFor(state, location, std::move(choices.sources)));
  return options;
}

/// The certain writes that happens-before permits as the source of a part of a read (rule 5).
std::vector<Writer> Explorer::writersFor(const State &state, const Order &order, AccessId read,
                                         Location part) {
  unsigned reader = order.numberOf(read, state);
  std::vector<std::pair<AccessId, unsigned>> writes;
  llvm::BitVector earlier(order.before.size());
  for (AccessId write : footprint.writersOf(part)) {
    const PartialRun::Seen *seen = state.runs[write.block]->find(write.access);
    if (!seen || !seen->certain)
      continue;
    const Event &event = state.runs[write.block]->eventOf(write.access);
    if (write == read || !event.written || !event.location.overlaps(part))
      continue;
    unsigned number = order.numberOf(write, state);
    if (order.before(number, reader))
      earlier.set(number);
    if (seen->isWriteCertain && !order.before(reader, number))
      writes.push_back({write, number});
  }
  std::vector<Writer> writers;
  if (earlier.none())
    writers.push_back(std::nullopt);
  for (auto [write, number] : writes)
    if (!order.before.after(number).anyCommon(earlier))
      writers.push_back(write);
  return writers;
}

Option Explorer::optionFor(const State &state, Location location,
                           llvm::SmallVector<PartSource, 1> sources) const {
  Value value;
  for (const PartSource &source : sources) {
    Value part;
    if (source.write) {
      const Event &event = state.runs[source.write->block]->eventOf(source.write->access);
      part = slice(*event.written, event.location, source.part);
    } else {
      part = program.initialValue(source.part);
    }
    value.bits |= part.bits << 4 * (source.part.begin - location.begin);
    value.mark = std::max(value.mark, part.mark);
  }
  return {std::move(sources), value};
}

//===-- Writes that will exist later ----------------------------------------------------------===//

/// Whether a read may have a source that does not exist yet or is not certain.
bool Explorer::mayBeWrittenLater(const State &state, const Order &order, AccessId read) {
  Location location = state.runs[read.block]->eventOf(read.access).location;
  for (AccessId writer : footprint.writersOf(location))
    if (writer != read && mayComeLater(state, order, read, writer))
      return true;
  if (!llvm::all_of(state.runs, isComplete))
    footprint.assumeNoOtherWriters(location);
  return false;
}

bool Explorer::mayComeLater(const State &state, const Order &order, AccessId read,
                            AccessId writer) {
  const PartialRun &run = *state.runs[writer.block];
  const PartialRun::Seen *seen = run.find(writer.access);
  bool isOwn = read.block == writer.block;
  if (!seen)
    return run.mayHideEvents(isOwn ? std::optional(run.find(read.access)->event) : std::nullopt);
  if (seen->isWriteCertain)
    return false;
  const Event &event = run.eventOf(writer.access);
  if (isOwn) {
    unsigned reader = run.find(read.access)->event;
    if (llvm::is_contained(event.dependsOn, reader) || run.isTokenOrdered(reader, seen->event))
      return false;
  }
  if (!seen->certain)
    return true;
  Location location = state.runs[read.block]->eventOf(read.access).location;
  if (!event.location.overlaps(location) ||
      order.before(order.numberOf(read, state), order.numberOf(writer, state)))
    return false;
  return event.mayFail || mayReadFrom(state, read, writer);
}

/// Whether the rules allow this source, as far as events are certain.
bool Explorer::mayReadFrom(const State &state, AccessId read, AccessId writer) {
  Location location = state.runs[read.block]->eventOf(read.access).location,
           written = state.runs[writer.block]->eventOf(writer.access).location;
  Sources sources = state.sources;
  Location part{std::max(location.begin, written.begin), std::min(location.end, written.end)};
  sources[read] = {{part, writer}};
  return orderOf(state, sources).has_value();
}
