// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/memory/Races.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::reference;

uint32_t RaceDetector::add(MemoryEvent event) {
  events.push_back(std::move(event));
  return events.size();
}

static bool areOfOneBlock(const MemoryEvent &a, const MemoryEvent &b) {
  return a.launch == b.launch && a.block.number == b.block.number;
}

/// Whether the scope of each event includes the other's block. If so, and if the locations are the
/// same, the two are morally strong. The other condition, token order, implies happens-before.
bool RaceDetector::areScoped(const MemoryEvent &a, const MemoryEvent &b) const {
  if (a.semantics.isWeak() || b.semantics.isWeak())
    return false;
  return areOfOneBlock(a, b) || (a.semantics.scope != tile::MemoryScope::TileBlock &&
                                 b.semantics.scope != tile::MemoryScope::TileBlock);
}

//===-- Shadows ---------------------------------------------------------------------------===//

/// The offset at which cells start, chosen so that an aligned element fills whole cells: the
/// allocation itself may start in the middle of a cell.
static uint64_t bytesInFrontOf(const Allocation &allocation) { return allocation.address % 16; }

RaceDetector::Shadow &RaceDetector::shadowOf(const Allocation &allocation, unsigned elementBytes) {
  std::unique_ptr<Shadow> &shadow = shadows[&allocation];
  if (!shadow) {
    shadow = std::make_unique<Shadow>();
    shadow->unit = elementBytes;
    shadow->pages.resize(llvm::divideCeil(bytesInFrontOf(allocation) + allocation.bytes.size(),
                                          elementBytes * cellsPerPage));
  }
  if (elementBytes < shadow->unit)
    refine(*shadow, elementBytes);
  return *shadow;
}

/// Splits the cells of memory that is now accessed by smaller elements. Element sizes are powers of
/// two, and accesses are aligned.
void RaceDetector::refine(Shadow &shadow, uint64_t unit) {
  uint64_t parts = shadow.unit / unit;
  Shadow fine;
  fine.unit = unit;
  fine.pages.resize(shadow.pages.size() * parts);
  for (uint64_t at = 0; at < shadow.pages.size() * cellsPerPage; ++at) {
    if (!shadow.pages[at / cellsPerPage]) {
      at += cellsPerPage - 1;
      continue;
    }
    for (uint64_t part = 0; part < parts; ++part)
      fine.cell(at * parts + part) = shadow.cell(at);
  }
  for (auto &[at, accesses] : shadow.scoped)
    for (uint64_t part = 0; part < parts; ++part)
      fine.scoped[at * parts + part] = accesses;
  shadow = std::move(fine);
}

//===-- One access ------------------------------------------------------------------------===//

void RaceDetector::check(const Allocation &allocation, uint64_t offset, unsigned elementBytes,
                         int64_t count, const Access &access,
                         llvm::function_ref<void(int64_t, uint32_t)> report) {
  Shadow &shadow = shadowOf(allocation, elementBytes);
  uint64_t cellsPerElement = elementBytes / shadow.unit;
  const uint8_t extent = !access.sharesBytes ? 2 * elementBytes : access.isUpperHalf ? 0 : 1;
  uint64_t at = (bytesInFrontOf(allocation) + offset) / shadow.unit;
  // Neighbouring cells mostly have the same history, so the same access has the same result.
  bool isWeak = event(access.event).semantics.isWeak();
  std::optional<Cell> before;
  Cell after;
  for (int64_t element = 0; element < count; ++element) {
    uint32_t race = 0;
    for (uint64_t part = 0; part < cellsPerElement; ++part, ++at) {
      Cell &cell = shadow.cell(at);
      if (before && cell == *before) {
        cell = after;
        continue;
      }
      Cell old = cell;
      uint32_t found = findRace(shadow, at, access, extent);
      remember(shadow, at, access, extent);
      if (found && !race)
        race = found;
      before.reset();
      if (!found && isWeak && !old.hasScoped)
        before = old, after = cell;
    }
    if (race)
      report(element, race);
  }
}

uint32_t RaceDetector::findRace(Shadow &shadow, uint64_t at, const Access &access,
                                uint8_t extent) const {
  const Cell &cell = shadow.cell(at);
  auto isUnknown = [&](uint32_t number) {
    if (number == access.event)
      return !access.sharesBytes;
    return !access.clock.includes(event(number).epoch);
  };
  if (cell.lastWrite && isUnknown(cell.lastWrite))
    return cell.lastWrite;
  if (access.writes)
    for (uint32_t set = cell.reads; set; set = readSets[set].rest)
      if (isUnknown(readSets[set].event))
        return readSets[set].event;
  if (!cell.hasScoped)
    return 0;
  const MemoryEvent &current = event(access.event);
  const ScopedAccesses &scoped = shadow.scoped.find(at)->second;
  bool allStrong = !scoped.anyInTileBlock && !scoped.anyOfOtherExtent &&
                   scoped.list.front().extent == extent && !current.semantics.isWeak() &&
                   current.semantics.scope != tile::MemoryScope::TileBlock;
  if (allStrong)
    return 0;
  for (ScopedAccess earlier : scoped.list)
    if ((earlier.writes || access.writes) && isUnknown(earlier.event) &&
        (earlier.extent != extent || !areScoped(event(earlier.event), current)))
      return earlier.event;
  return 0;
}

void RaceDetector::remember(Shadow &shadow, uint64_t at, const Access &access, uint8_t extent) {
  Cell &cell = shadow.cell(at);
  if (!event(access.event).semantics.isWeak()) {
    cell.hasScoped = true;
    return rememberScoped(shadow.scoped[at], access, extent);
  }
  if (access.reads)
    cell.reads = withRead(cell.reads, access);
  if (!access.writes)
    return;
  // Later accesses that do not race happen after this write, and so after all that precedes it.
  if (cell.hasScoped)
    shadow.scoped.erase(at);
  cell = {access.event, 0, 0};
}

/// Reads that happen before the new one are dropped. If one block reads repeatedly, they are at the
/// head of the list; reads of different blocks are usually unordered.
uint32_t RaceDetector::withRead(uint32_t set, const Access &access) {
  if (set == extendedSet && access.event == extendingEvent)
    return extendedResult;
  uint32_t rest = set;
  while (rest && access.clock.includes(event(readSets[rest].event).epoch))
    rest = readSets[rest].rest;
  readSets.push_back({access.event, rest});
  extendedSet = set;
  extendingEvent = access.event;
  return extendedResult = readSets.size() - 1;
}

void RaceDetector::noteSynchronisation(const ScopedAccesses &scoped, const ScopedAccess &access) {
  if (haveSynchronised || (!access.observes && !scoped.anyObserves))
    return;
  haveSynchronised = llvm::any_of(scoped.list, [&](const ScopedAccess &earlier) {
    return ((earlier.writes && access.observes) || (earlier.observes && access.writes)) &&
           !areOfOneBlock(event(earlier.event), event(access.event));
  });
}

void RaceDetector::rememberScoped(ScopedAccesses &scoped, const Access &access, uint8_t extent) {
  const MemoryEvent &current = event(access.event);
  // The access synchronizes if the write that it reads is a release or continues a release
  // sequence.
  bool observes = access.reads && scoped.released && scoped.releasedExtent == extent &&
                  areScoped(event(scoped.releaser), current);
  if (observes && current.semantics.acquires())
    access.acquired.join(*scoped.released);
  if (access.writes) {
    std::optional<VectorClock> released;
    if (observes)
      released = scoped.released;
    if (current.semantics.releases()) {
      if (!released)
        released.emplace();
      released->join(access.clock);
    }
    scoped.released = std::move(released);
    scoped.releaser = access.event;
    scoped.releasedExtent = extent;
  }
  scoped.anyInTileBlock |= current.semantics.scope == tile::MemoryScope::TileBlock;
  // A block that waits reads the same element repeatedly: keep only the latest read.
  ScopedAccess entry = {access.event, access.writes, extent, access.observes};
  noteSynchronisation(scoped, entry);
  scoped.anyObserves |= entry.observes;
  if (!scoped.list.empty()) {
    ScopedAccess &latest = scoped.list.back();
    scoped.anyOfOtherExtent |= latest.extent != extent;
    const MemoryEvent &previous = event(latest.event);
    if (latest.writes == entry.writes && latest.extent == extent &&
        latest.observes == entry.observes && previous.block.number == current.block.number &&
        previous.semantics.scope == current.semantics.scope &&
        access.clock.includes(previous.epoch)) {
      latest = entry;
      return;
    }
  }
  scoped.list.push_back(entry);
}
