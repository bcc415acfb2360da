// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Executions.h"
#include "tilewright/reference/exhaustive/Relation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::reference;

namespace {

using Source = int;
constexpr Source initialWrite = -1, notChosen = -2;

/// What an event reads and writes of one cell.
struct Part {
  unsigned event;
  std::optional<Value> read = std::nullopt, written = std::nullopt;
  /// The parts of the cell that the value read may come from, and the one it does.
  llvm::SmallVector<Source, 2> choices = {};
  Source source = notChosen;
};

/// A location that no access splits.
struct Cell {
  Location location;
  std::vector<Part> parts = {};

  bool isWritten() const {
    return llvm::any_of(parts, [](const Part &part) { return part.written.has_value(); });
  }
};

/// The events of all blocks, numbered through, and what their traces say about them.
struct Given {
  explicit Given(llvm::ArrayRef<const Trace *> traces);

  struct Numbered {
    EventId id;
    const Event *event;
    const Event *operator->() const { return event; }
  };
  std::vector<Numbered> events;
  Relation tokenOrder;
  /// A write depends on reads. An atomic pair has a node for each.
  Relation dependences;
  static unsigned readOf(unsigned event) { return 2 * event; }
  static unsigned writeOf(unsigned event) { return 2 * event + 1; }

  /// Pairs that race unless one happens before the other.
  std::vector<std::pair<unsigned, unsigned>> suspects;

  bool areScoped(unsigned x, unsigned y) const;
  bool areMorallyStrong(unsigned x, unsigned y) const;

private:
  void findSuspects();
};

/// Finds the sources of reads that the rules do not exclude.
class Search {
public:
  /// Without comesFromElsewhere, reads get their values from the given writes only.
  Search(const Given &given, llvm::function_ref<Value(Location)> initialValue,
         llvm::function_ref<bool(Location, Value)> comesFromElsewhere, StepBudget &steps);

  /// Calls visit(happens-before) for each choice of sources, until it returns false. False
  /// if it did, or for want of steps.
  using Visit = llvm::function_ref<bool(const Relation &)>;
  bool forEachChoice(Visit visit) { return !isPossible || choose(0, visit); }

  /// Adds the executions with the sources as they are. False for want of steps.
  bool addTo(Executions &found, const Relation &before) const;

private:
  void makeCells();
  bool findChoices(llvm::function_ref<bool(Location, Value)> comesFromElsewhere);
  bool choose(size_t next, Visit visit);
  std::optional<Relation> happensBefore() const;
  void synchronize(Relation &before, const Cell &cell, const Part &reader) const;

  const Given &given;
  StepBudget &steps;
  std::vector<Cell> cells;
  std::vector<Value> initial;
  /// Reads with several possible sources.
  std::vector<Part *> open;
  bool isPossible;
};

/// Finds the coherence orders of one cell that go with sources and happens-before.
class Coherence {
public:
  Coherence(const Given &given, const Cell &cell, const Relation &before, StepBudget &steps);

  /// Whether the rules hold for what is known so far: sources may be missing, and writes
  /// are ordered only where one happens before the other.
  bool isPossible() const { return holds(ordered); }
  /// Counts the orders, and collects what each leaves in memory; none for want of steps.
  bool enumerate();

  uint64_t count = 0;
  std::set<Value> finals;

private:
  bool extend(const Relation &order, size_t next);
  bool holds(const Relation &order) const;
  bool areMorallyStrong(size_t x, size_t y) const;
  bool isOlder(Source source, size_t write, const Relation &order) const;

  const Given &given;
  llvm::ArrayRef<Part> parts;
  const Relation &before;
  StepBudget &steps;
  /// Happens-before among the writes.
  Relation ordered;
  /// Other pairs of writes that coherence has to order.
  std::vector<std::pair<size_t, size_t>> unordered;
};

} // namespace

bool StepBudget::take() {
  if (left == 0 || isCancelled())
    return false;
  --left;
  return true;
}

std::optional<Executions> reference::executionsOf(llvm::ArrayRef<const Trace *> traces,
                                                  llvm::function_ref<Value(Location)> initialValue,
                                                  StepBudget &steps) {
  Given given(traces);
  Search search(given, initialValue, nullptr, steps);
  Executions found;
  if (!search.forEachChoice([&](const Relation &before) { return search.addTo(found, before); }))
    return std::nullopt;
  return found;
}

bool reference::mayBeExecuted(llvm::ArrayRef<const Trace *> traces,
                              llvm::function_ref<Value(Location)> initialValue,
                              llvm::function_ref<bool(Location, Value)> comesFromElsewhere,
                              StepBudget &steps) {
  Given given(traces);
  Search search(given, initialValue, comesFromElsewhere, steps);
  return !search.forEachChoice([](const Relation &) { return false; });
}

//===-- What is given -------------------------------------------------------------------------===//

static size_t eventCount(llvm::ArrayRef<const Trace *> traces) {
  size_t count = 0;
  for (const Trace *trace : traces)
    count += trace->events.size();
  return count;
}

/// Token order of the operations of a trace, which each come after what they depend on
/// (memory model, 5).
static Relation operationOrder(const Trace &trace) {
  Relation order(trace.tokens.size());
  for (size_t operation = 0; operation < trace.tokens.size(); ++operation)
    for (unsigned predecessor : trace.tokens[operation])
      order.put(predecessor, operation);
  return order;
}

Given::Given(llvm::ArrayRef<const Trace *> traces)
    : tokenOrder(eventCount(traces)), dependences(2 * eventCount(traces)) {
  for (auto [block, trace] : llvm::enumerate(traces)) {
    unsigned first = events.size();
    Relation order = operationOrder(*trace);
    for (auto [number, event] : llvm::enumerate(trace->events)) {
      events.push_back({{unsigned(block), unsigned(number)}, &event});
      for (unsigned read : event.dependsOn)
        dependences.put(readOf(first + read), writeOf(first + number));
      llvm::BitVector after(tokenOrder.size());
      for (auto [other, otherEvent] : llvm::enumerate(trace->events))
        if (order(event.operation, otherEvent.operation))
          after.set(first + other);
      tokenOrder.putBeforeAll(first + number, after);
    }
  }
  findSuspects();
}

/// The second way to be morally strong: both scoped, and each scope includes the other's
/// block. A grid runs on one device.
bool Given::areScoped(unsigned x, unsigned y) const {
  auto includes = [&](unsigned one, unsigned other) {
    Scope scope = events[one]->scope;
    return scope > Scope::TileBlock ||
           (scope == Scope::TileBlock && events[one].id.block == events[other].id.block);
  };
  return events[x]->location == events[y]->location && includes(x, y) && includes(y, x);
}

bool Given::areMorallyStrong(unsigned x, unsigned y) const {
  return tokenOrder(x, y) || tokenOrder(y, x) || areScoped(x, y);
}

/// Neighbours within a byte are the same location for races (memory model, 12), though not
/// to one operation, which could not store a tile of f4E2M1FN otherwise.
void Given::findSuspects() {
  auto isSameOperation = [&](unsigned x, unsigned y) {
    return events[x].id.block == events[y].id.block && events[x]->operation == events[y]->operation;
  };
  auto byteOf = [](uint64_t halfBytes) { return halfBytes / 2; };
  auto byBegin = llvm::to_vector(llvm::seq<unsigned>(events.size()));
  llvm::sort(byBegin, [&](unsigned x, unsigned y) {
    return events[x]->location.begin < events[y]->location.begin;
  });

  for (size_t i = 0; i < byBegin.size(); ++i)
    for (size_t j = i + 1; j < byBegin.size(); ++j) {
      auto [x, y] = std::minmax(byBegin[i], byBegin[j]);
      const Event &lower = *events[byBegin[i]].event, &upper = *events[byBegin[j]].event;
      if (byteOf(upper.location.begin) > byteOf(lower.location.end - 1))
        break;
      if (isSameOperation(x, y) && upper.location.begin >= lower.location.end)
        continue;
      if ((lower.written || upper.written) && !areMorallyStrong(x, y))
        suspects.push_back({x, y});
    }
}

//===-- Cells ---------------------------------------------------------------------------------===//

Search::Search(const Given &given, llvm::function_ref<Value(Location)> initialValue,
               llvm::function_ref<bool(Location, Value)> comesFromElsewhere, StepBudget &steps)
    : given(given), steps(steps) {
  makeCells();
  for (const Cell &cell : cells)
    initial.push_back(initialValue(cell.location));
  isPossible = findChoices(comesFromElsewhere);
}

Value reference::slice(Value value, Location whole, Location part) {
  uint64_t width = 4 * (part.end - part.begin);
  return {(value.bits >> 4 * (part.begin - whole.begin)) & llvm::maskTrailingOnes<uint64_t>(width),
          value.mark};
}

void Search::makeCells() {
  std::set<uint64_t> bounds;
  for (const auto &event : given.events)
    bounds.insert({event->location.begin, event->location.end});

  std::map<uint64_t, size_t> cellAt;
  for (auto [number, event] : llvm::enumerate(given.events)) {
    Location location = event->location;
    for (auto bound = bounds.find(location.begin); *bound != location.end;) {
      uint64_t begin = *bound++;
      Location piece{begin, *bound};
      auto [cell, isNew] = cellAt.insert({begin, cells.size()});
      if (isNew)
        cells.push_back({piece});
      Part part{unsigned(number)};
      if (event->read)
        part.read = slice(*event->read, location, piece);
      if (event->written)
        part.written = slice(*event->written, location, piece);
      cells[cell->second].parts.push_back(part);
    }
  }
}

/// A read may get its value from any write of it. False if one has nowhere to get it from.
bool Search::findChoices(llvm::function_ref<bool(Location, Value)> comesFromElsewhere) {
  for (auto [cell, initialValue] : llvm::zip_equal(cells, initial))
    for (Part &reader : cell.parts) {
      // A source that is not known excludes nothing, so no other need be tried.
      if (!reader.read || (comesFromElsewhere && comesFromElsewhere(cell.location, *reader.read)))
        continue;
      if (*reader.read == initialValue)
        reader.choices.push_back(initialWrite);
      for (auto [number, writer] : llvm::enumerate(cell.parts))
        if (&writer != &reader && writer.written == reader.read &&
            !given.tokenOrder(reader.event, writer.event))
          reader.choices.push_back(number);
      if (reader.choices.empty())
        return false;
      if (reader.choices.size() == 1)
        reader.source = reader.choices.front();
      else
        open.push_back(&reader);
    }
  return true;
}

//===-- Reads-from ----------------------------------------------------------------------------===//

/// Chooses the sources of open reads from this one on, as long as no rule forbids it.
bool Search::choose(size_t next, Visit visit) {
  if (!steps.take())
    return false;
  std::optional<Relation> before = happensBefore();
  if (!before || !llvm::all_of(cells, [&](const Cell &cell) {
        return !cell.isWritten() || Coherence(given, cell, *before, steps).isPossible();
      }))
    return true;
  if (next == open.size())
    return visit(*before);
  for (Source source : open[next]->choices) {
    open[next]->source = source;
    if (!choose(next + 1, visit))
      return false;
  }
  open[next]->source = notChosen;
  return true;
}

/// Rules 2 to 4, for the sources chosen so far; none if they cannot be.
std::optional<Relation> Search::happensBefore() const {
  Relation causes = given.dependences;
  for (const Cell &cell : cells)
    for (const Part &reader : cell.parts)
      if (reader.source >= 0)
        causes.put(Given::writeOf(cell.parts[reader.source].event), Given::readOf(reader.event));
  if (!causes.isStrictOrder())
    return std::nullopt;

  Relation before = given.tokenOrder;
  for (const Cell &cell : cells)
    for (const Part &reader : cell.parts)
      if (given.events[reader.event]->acquires)
        synchronize(before, cell, reader);
  if (!before.isStrictOrder())
    return std::nullopt;
  return before;
}

/// Puts the releases that an acquiring read observes before it, those behind a chain of
/// atomic pairs included.
void Search::synchronize(Relation &before, const Cell &cell, const Part &reader) const {
  const Part *link = &reader;
  // Exchanges that get their values from each other make a ring, which coherence excludes.
  for (size_t links = 0; link->source >= 0 && links < cell.parts.size(); ++links) {
    const Part &write = cell.parts[link->source];
    if (!given.areMorallyStrong(write.event, link->event))
      return;
    if (given.events[write.event]->releases && given.areScoped(write.event, reader.event))
      before.put(write.event, reader.event);
    // What only writes has no source, and breaks the chain.
    link = &write;
  }
}

/// With sources given, the coherence order of each cell is free of the others'.
bool Search::addTo(Executions &found, const Relation &before) const {
  uint64_t count = 1;
  std::set<FinalMemory> memories = {{}};
  for (auto [cell, initialValue] : llvm::zip_equal(cells, initial)) {
    if (!cell.isWritten())
      continue;
    Coherence coherence(given, cell, before, steps);
    if (!coherence.enumerate())
      return false;
    count = llvm::SaturatingMultiply(count, coherence.count);
    std::set<FinalMemory> extended;
    for (const FinalMemory &memory : memories)
      for (Value value : coherence.finals) {
        FinalMemory more = memory;
        if (value != initialValue)
          more[cell.location] = value;
        extended.insert(std::move(more));
      }
    memories = std::move(extended);
    steps.takeUpTo(memories.size());
  }
  if (count == 0)
    return true;

  found.count = llvm::SaturatingAdd(found.count, count);
  bool isRaceFree = true;
  for (auto [x, y] : given.suspects)
    if (!before(x, y) && !before(y, x)) {
      isRaceFree = false;
      found.races.insert({given.events[x].id, given.events[y].id});
    }
  if (isRaceFree)
    found.outcomes.merge(memories);
  return true;
}

//===-- Coherence -----------------------------------------------------------------------------===//

Coherence::Coherence(const Given &given, const Cell &cell, const Relation &before,
                     StepBudget &steps)
    : given(given), parts(cell.parts), before(before), steps(steps), ordered(parts.size()) {
  for (size_t x = 0; x < parts.size(); ++x)
    for (size_t y = 0; y < parts.size(); ++y) {
      if (!parts[x].written || !parts[y].written)
        continue;
      if (before(parts[x].event, parts[y].event))
        ordered.put(x, y);
      else if (x < y && areMorallyStrong(x, y) && !before(parts[y].event, parts[x].event))
        unordered.push_back({x, y});
    }
}

bool Coherence::enumerate() { return extend(ordered, 0); }

/// Orders the pairs from this one on in all ways. Writes that no rule orders stay unrelated:
/// they race, and every further pair could only exclude executions.
bool Coherence::extend(const Relation &order, size_t next) {
  if (!steps.take())
    return false;
  if (!holds(order))
    return true;
  while (next < unordered.size() && (order(unordered[next].first, unordered[next].second) ||
                                     order(unordered[next].second, unordered[next].first)))
    ++next;
  if (next < unordered.size()) {
    auto [x, y] = unordered[next];
    for (auto [first, second] : {std::pair(x, y), std::pair(y, x)}) {
      Relation more = order;
      more.put(first, second);
      if (!extend(more, next + 1))
        return false;
    }
    return true;
  }
  ++count;
  for (size_t x = 0; x < parts.size(); ++x)
    if (parts[x].written && order.after(x).none())
      finals.insert(*parts[x].written);
  return true;
}

/// Rules 5 to 7.
bool Coherence::holds(const Relation &order) const {
  // Rule 6: order contains happens-before.
  if (!order.isStrictOrder())
    return false;

  Relation communication(parts.size());
  auto relate = [&](size_t x, size_t y) {
    if (areMorallyStrong(x, y))
      communication.put(x, y);
  };
  for (size_t x = 0; x < parts.size(); ++x) {
    for (size_t y = 0; y < parts.size(); ++y)
      if (order(x, y) || before(parts[x].event, parts[y].event))
        relate(x, y);

    Source source = parts[x].source;
    if (source == notChosen)
      continue;
    if (source != initialWrite) {
      // Rule 5: what happens later is not read.
      if (before(parts[x].event, parts[source].event))
        return false;
      relate(source, x);
    }
    for (size_t write = 0; write < parts.size(); ++write) {
      if (write == x || !parts[write].written || !isOlder(source, write, order))
        continue;
      // Rule 5: what has been overwritten is not read.
      if (before(parts[write].event, parts[x].event) || given.events[parts[x].event]->isLast)
        return false;
      relate(x, write);
    }
  }
  // Rule 7.
  return communication.isStrictOrder();
}

bool Coherence::areMorallyStrong(size_t x, size_t y) const {
  return given.areMorallyStrong(parts[x].event, parts[y].event);
}

/// The initial value is older than all writes.
bool Coherence::isOlder(Source source, size_t write, const Relation &order) const {
  return source == initialWrite || order(source, write);
}
