// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/exhaustive/Executions.h"
#include "tilewright/reference/exhaustive/Coherence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::reference;

namespace {

/// Enumerates the sources of reads that the rules allow.
class Search {
public:
  Search(const Graph &graph, const std::set<uint64_t> &splits, StepBudget &steps)
      : graph(graph), steps(steps), cells(cellsOf(graph, splits)) {}

  /// Assigns these sources to their reads. Returns false if a source does not exist in this
  /// execution.
  bool take(const Sources &sources);
  /// Collects the possible sources of the other reads: any write of the value that was read.
  /// Returns false if a read has none.
  bool findChoices(llvm::function_ref<Value(Location)> initialValue);

  /// Calls visit(happens-before) for each choice of sources, until it returns false or the steps
  /// run out.
  using Visit = llvm::function_ref<bool(const Relation &)>;
  void forEachChoice(Visit visit) { choose(0, visit); }

  /// Adds the executions with the current sources. Returns false if the steps run out.
  bool addTo(Executions &found, const Relation &before) const;

private:
  bool choose(size_t next, Visit visit);
  bool comesOutOfThinAir() const;
  std::optional<Relation> happensBefore() const;
  void synchronize(Relation &before, const Cell &cell, const Part &reader) const;

  const Graph &graph;
  StepBudget &steps;
  std::vector<Cell> cells;
  std::vector<Value> initial;
  /// Reads with several possible sources.
  std::vector<Part *> open;
};

} // namespace

std::optional<Executions> reference::executionsOf(llvm::ArrayRef<const Trace *> traces,
                                                  llvm::function_ref<Value(Location)> initialValue,
                                                  StepBudget &steps, const Sources &sources) {
  Graph graph(traces);
  Search search(graph, /*splits=*/{}, steps);
  Executions found;
  if (!search.take(sources) || !search.findChoices(initialValue))
    return found;
  search.forEachChoice([&](const Relation &before) { return search.addTo(found, before); });
  // If the steps ran out, executions may be missing.
  if (steps.wereRefused())
    return std::nullopt;
  return found;
}

std::optional<Relation> reference::happensBeforeSoFar(llvm::ArrayRef<const Trace *> traces,
                                                      const Sources &sources,
                                                      const std::set<uint64_t> &splits,
                                                      StepBudget &steps) {
  Graph graph(traces);
  Search search(graph, splits, steps);
  std::optional<Relation> found;
  if (search.take(sources))
    search.forEachChoice([&](const Relation &before) {
      found = before;
      return false;
    });
  return found;
}

//===-- Sources -------------------------------------------------------------------------------===//

static llvm::SmallVector<PartSource, 1> overlapping(llvm::ArrayRef<PartSource> sources,
                                                    Location cell) {
  llvm::SmallVector<PartSource, 1> found;
  for (const PartSource &source : sources)
    if (source.part.overlaps(cell))
      found.push_back(source);
  return found;
}

bool Search::take(const Sources &sources) {
  for (Cell &cell : cells) {
    std::map<AccessId, SourceNumber> writes;
    for (auto [number, part] : llvm::enumerate(cell.parts))
      if (part.written)
        writes[graph.events[part.event].access()] = number;
    for (Part &reader : cell.parts) {
      auto known = sources.find(graph.events[reader.event].access());
      if (known == sources.end())
        continue;
      for (const PartSource &source : overlapping(known->second, cell.location)) {
        SourceNumber number = initialWrite;
        if (source.write) {
          auto write = writes.find(*source.write);
          if (write == writes.end()) // With these values the block ends before the write.
            return false;
          number = write->second;
        }
        // The source was split into parts where no access of this execution splits the cell.
        if (reader.source != notChosen && reader.source != number)
          return false;
        reader.source = number;
      }
    }
  }
  return true;
}

bool Search::findChoices(llvm::function_ref<Value(Location)> initialValue) {
  for (Cell &cell : cells) {
    initial.push_back(initialValue(cell.location));
    for (Part &reader : cell.parts) {
      if (!reader.read || reader.source != notChosen)
        continue;
      if (*reader.read == initial.back())
        reader.choices.push_back(initialWrite);
      for (auto [number, writer] : llvm::enumerate(cell.parts))
        if (&writer != &reader && writer.written == reader.read &&
            !graph.tokenOrder(reader.event, writer.event))
          reader.choices.push_back(number);
      if (reader.choices.empty())
        return false;
      if (reader.choices.size() == 1)
        reader.source = reader.choices.front();
      else
        open.push_back(&reader);
    }
  }
  return true;
}

//===-- Reads-from ----------------------------------------------------------------------------===//

/// Chooses the sources of open reads from number `next` on, as long as no rule excludes the result.
bool Search::choose(size_t next, Visit visit) {
  if (!steps.take())
    return false;
  std::optional<Relation> before = happensBefore();
  if (!before || !llvm::all_of(cells, [&](const Cell &cell) {
        return !cell.hasSources() || Coherence(graph, cell, *before, steps).exists();
      }))
    return true;
  if (next == open.size())
    return visit(*before);
  for (SourceNumber source : open[next]->choices) {
    open[next]->source = source;
    if (!choose(next + 1, visit))
      return false;
  }
  open[next]->source = notChosen;
  return true;
}

/// Topological sort: whether removing the nodes without predecessors, repeatedly, leaves any.
static bool hasCycle(llvm::ArrayRef<std::vector<unsigned>> edges) {
  std::vector<unsigned> incoming(edges.size()), free;
  for (const std::vector<unsigned> &targets : edges)
    for (unsigned target : targets)
      ++incoming[target];
  for (unsigned node = 0; node < edges.size(); ++node)
    if (incoming[node] == 0)
      free.push_back(node);
  size_t left = edges.size();
  for (; !free.empty(); --left) {
    unsigned node = free.back();
    free.pop_back();
    for (unsigned target : edges[node])
      if (--incoming[target] == 0)
        free.push_back(target);
  }
  return left > 0;
}

/// Whether the union of reads-from and dependences has a cycle. An atomic pair has one node for its
/// read and one for its write.
bool Search::comesOutOfThinAir() const {
  auto readOf = [](unsigned event) { return 2 * event; };
  auto writeOf = [](unsigned event) { return 2 * event + 1; };
  std::vector<std::vector<unsigned>> causes(2 * graph.events.size());
  for (auto [number, event] : llvm::enumerate(graph.events))
    for (unsigned read : event->dependsOn)
      causes[readOf(number - event.id.event + read)].push_back(writeOf(number));
  for (const Cell &cell : cells)
    for (const Part &reader : cell.parts)
      if (reader.source >= 0)
        causes[writeOf(cell.parts[reader.source].event)].push_back(readOf(reader.event));
  return hasCycle(causes);
}

/// Happens-before by rules 2 to 4, for the sources chosen so far; none if they are impossible.
std::optional<Relation> Search::happensBefore() const {
  if (comesOutOfThinAir())
    return std::nullopt;
  Relation before = graph.tokenOrder;
  for (const Cell &cell : cells)
    for (const Part &reader : cell.parts)
      if (graph.events[reader.event]->acquires)
        synchronize(before, cell, reader);
  if (!before.isStrictOrder())
    return std::nullopt;
  return before;
}

/// Puts the releases that an acquiring read observes before the read, also through a chain of
/// atomic pairs.
void Search::synchronize(Relation &before, const Cell &cell, const Part &reader) const {
  const Part *link = &reader;
  // Exchanges that read each other's values form a cycle, which coherence excludes.
  for (size_t links = 0; link->source >= 0 && links < cell.parts.size(); ++links) {
    const Part &write = cell.parts[link->source];
    if (!graph.areMorallyStrong(write.event, link->event))
      return;
    if (graph.events[write.event]->releases && graph.areScoped(write.event, reader.event))
      before.put(write.event, reader.event);
    // A plain write has no source and ends the chain.
    link = &write;
  }
}

/// Once the sources are chosen, the coherence orders of different cells are independent.
bool Search::addTo(Executions &found, const Relation &before) const {
  uint64_t count = 1;
  std::set<FinalMemory> memories = {{}};
  for (auto [cell, initialValue] : llvm::zip_equal(cells, initial)) {
    if (!cell.isWritten())
      continue;
    Coherence coherence(graph, cell, before, steps);
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
  for (auto [x, y] : graph.suspects())
    if (!before(x, y) && !before(y, x)) {
      isRaceFree = false;
      found.races.insert({graph.events[x].id, graph.events[y].id});
    }
  if (isRaceFree)
    found.outcomes.merge(memories);
  return true;
}
