// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Shadow.h.

#include "tilewright/ptx/machine/Shadow.h"

using namespace tilewright::ptx;

static bool isObserved(const Epoch &epoch, const VectorClock *vectorClock) {
  return vectorClock && vectorClock->has(epoch.cta.number, epoch.thread, epoch.clock);
}

/// The parts of one operation do not race with each other. All operations of a bulk group have the
/// same clock, so the site tells them apart.
static bool isSameOperation(const Epoch &lhs, const Epoch &rhs) {
  return lhs.clock == rhs.clock && lhs.site == rhs.site;
}

/// A write of the async proxy.
static bool isBulk(const Epoch &write) { return write.isAsync && !write.isCopy; }

/// Accesses of an agent are not ordered by program order.
static bool happensBefore(const Epoch &earlier, const Epoch &later,
                          const VectorClock *vectorClock) {
  if (earlier.isSameThread(later) && (!later.isAsync || isSameOperation(earlier, later)))
    return true;
  return isObserved(earlier, vectorClock);
}

/// Both accesses are strong, and each thread is in the scope of the other's access.
static bool isMorallyStrong(const Epoch &lhs, const Epoch &rhs) {
  return includes(lhs.scope, lhs.cta, rhs.cta) && includes(rhs.scope, rhs.cta, lhs.cta);
}

static bool conflicts(const Epoch &earlier, const Epoch &later, const VectorClock *vectorClock) {
  return earlier && !happensBefore(earlier, later, vectorClock) && !isMorallyStrong(earlier, later);
}

/// A write of the generic proxy is visible to the async proxy only after a proxy fence (PTX
/// ISA, 8.4 and 9.7.13.4). An asynchronous write after reads of threads needs no fence here,
/// because NVIDIA's libraries do not use one.
static bool isUnfenced(const Epoch &write, const Ordering &ordering) {
  if (!ordering.fences || !write || isBulk(write))
    return false;
  const uint32_t index = write.isCopy ? fenceIndexOf(write.thread) : ordering.fences + write.thread;
  return !ordering.vectorClock || !ordering.vectorClock->has(write.cta.number, index, write.clock);
}

Shadow::Page &Shadow::pageFor(uint64_t offset, unsigned size) {
  if (pages.empty())
    pages.resize((bytes >> pageShift) + 1);
  std::unique_ptr<Page> &slot = pages[offset >> pageShift];
  if (!slot) {
    slot = std::make_unique<Page>();
    slot->cells.resize(size_t(1) << (pageShift - slot->shift));
    cells += slot->cells.size();
  }
  Page &page = *slot;
  const uint64_t ends = offset | size;
  const unsigned needed = ends & 1 ? 0 : ends & 2 ? 1 : 2;
  while (page.shift > needed) {
    std::vector<Cell> halves;
    halves.reserve(page.cells.size() * 2);
    for (const Cell &cell : page.cells)
      halves.insert(halves.end(), 2, cell);
    cells += page.cells.size();
    page.cells = std::move(halves);
    std::vector<std::vector<Epoch>> repeated;
    for (const std::vector<Epoch> &writes : page.repeated)
      repeated.insert(repeated.end(), 2, writes);
    page.repeated = std::move(repeated);
    --page.shift;
  }
  return page;
}

/// An access is aligned and has at most 16 bytes, so it lies within one page.
template <typename Visit> void Shadow::visit(uint64_t offset, unsigned size, Visit visit) {
  Page &page = pageFor(offset, size);
  const uint64_t inPage = offset & ((uint64_t(1) << pageShift) - 1);
  const uint64_t first = inPage >> page.shift;
  const uint64_t last = (inPage + size - 1) >> page.shift;
  for (uint64_t cell = first; cell <= last; ++cell)
    visit(page, cell, (offset - inPage) + (cell << page.shift));
}

/// Keep a weak access when a strong one of the same thread and clock follows: an access that races
/// with the strong one also races with the weak one.
static bool staysFor(const Epoch &earlier, const Epoch &later) {
  return earlier && !earlier.isPast && earlier.isSameThread(later) &&
         earlier.clock == later.clock && earlier.scope < later.scope;
}

/// Which of the two remembered reads is replaced? One that is past or happens before this one;
/// otherwise one of two by the same CTA if this one is by another CTA; otherwise one of two by the
/// same warp.
static void remember(Epoch (&reads)[2], const Epoch &epoch, const VectorClock *vectorClock) {
  for (Epoch &read : reads)
    if (!read || read.isPast || happensBefore(read, epoch, vectorClock)) {
      read = epoch;
      return;
    }
  if (reads[0].cta == reads[1].cta && !(epoch.cta == reads[0].cta)) {
    reads[1] = epoch;
    return;
  }
  const auto isNear = [](const Epoch &lhs, const Epoch &rhs) {
    return lhs.cta == rhs.cta && lhs.thread / 32 == rhs.thread / 32;
  };
  if (isNear(reads[0], reads[1]) && !isNear(reads[0], epoch))
    reads[1] = epoch;
}

/// Checks an access against the last writes to a cell. Returns the first that it is not ordered
/// after, or that no proxy fence made visible.
static std::optional<Conflict> conflictWithWrite(const Epoch &last, std::span<const Epoch> repeated,
                                                 uint64_t at, const Epoch &epoch,
                                                 const Ordering &ordering) {
  const auto test = [&](const Epoch &write) -> std::optional<Conflict> {
    if (conflicts(write, epoch, ordering.vectorClock))
      return Conflict{write, true, at};
    if (isUnfenced(write, ordering))
      return Conflict{write, true, at, true};
    return std::nullopt;
  };
  if (const auto found = test(last))
    return found;
  for (const Epoch &write : repeated)
    if (const auto found = test(write))
      return found;
  return std::nullopt;
}

void Shadow::Page::updateRepeated(size_t cell, const Epoch &epoch, const VectorClock *vectorClock,
                                  bool isSame) {
  const Epoch &last = cells[cell].write;
  const bool isRepeated = isSame && last && !happensBefore(last, epoch, vectorClock);
  if (repeated.empty() && !isRepeated)
    return;
  repeated.resize(cells.size());
  std::vector<Epoch> &writes = repeated[cell];
  if (!isSame)
    writes.clear(); // races with this write were already found
  std::erase_if(writes,
                [&](const Epoch &write) { return happensBefore(write, epoch, vectorClock); });
  if (isRepeated)
    writes.push_back(last);
}

std::optional<Conflict> Shadow::read(uint64_t offset, unsigned size, const Epoch &epoch,
                                     const Ordering &ordering) {
  std::optional<Conflict> found;
  visit(offset, size, [&](Page &page, size_t number, uint64_t at) {
    Cell &cell = page.cells[number];
    if (!found)
      found = conflictWithWrite(cell.write, page.repeatedAt(number), at, epoch, ordering);
    if (!staysFor(cell.reads[0], epoch) && !staysFor(cell.reads[1], epoch))
      remember(cell.reads, epoch, ordering.vectorClock);
  });
  return found;
}

std::optional<Conflict> Shadow::write(uint64_t offset, unsigned size, const Epoch &epoch,
                                      const Ordering &ordering, bool isSame) {
  std::optional<Conflict> found;
  const VectorClock *vectorClock = ordering.vectorClock;
  visit(offset, size, [&](Page &page, size_t number, uint64_t at) {
    Cell &cell = page.cells[number];
    const bool mayRepeat = isSame && !cell.write.isAtomic && isBulk(cell.write) == isBulk(epoch);
    if (!found && !mayRepeat)
      found = conflictWithWrite(cell.write, page.repeatedAt(number), at, epoch, ordering);
    // Accesses ordered after the last write are also ordered after the reads before it. A write
    // that repeats the last one need not be ordered after it, so these reads must be checked.
    for (Epoch &read : cell.reads) {
      if (!found && (mayRepeat || !read.isPast) && conflicts(read, epoch, vectorClock))
        found = Conflict{read, false, at};
      read.isPast = true;
    }
    page.updateRepeated(number, epoch, vectorClock, mayRepeat);
    if (!staysFor(cell.write, epoch))
      cell.write = epoch;
  });
  return found;
}

template <typename Find> auto Shadow::findIn(const Shadow &shadow, Find find) {
  for (size_t number = 0; number < shadow.pages.size(); ++number) {
    if (!shadow.pages[number])
      continue;
    const Page &page = *shadow.pages[number];
    for (size_t cell = 0; cell < page.cells.size(); ++cell)
      if (const auto found = find(page, cell, (number << pageShift) + (cell << page.shift)))
        return found;
  }
  return std::optional<Conflict>();
}

std::optional<Conflict> Shadow::findUnordered(const Epoch &epoch,
                                              const VectorClock *vectorClock) const {
  return findIn(*this, [&](const Page &page, size_t cell, uint64_t offset) {
    const Cell &at = page.cells[cell];
    auto found = conflictWithWrite(at.write, page.repeatedAt(cell), offset, epoch, {vectorClock});
    for (const Epoch &read : at.reads)
      if (!found && !read.isPast && conflicts(read, epoch, vectorClock))
        found = Conflict{read, false, offset};
    return found;
  });
}

std::optional<Conflict> Shadow::findUnobserved(CtaName own, const VectorClock *vectorClock) const {
  const auto isLate = [&](const Epoch &epoch) {
    return epoch && !epoch.isPast && (epoch.cta != own || (epoch.isAsync && !epoch.isStore)) &&
           !isObserved(epoch, vectorClock);
  };
  return findIn(*this, [&](const Page &page, size_t cell, uint64_t offset) {
    const Cell &at = page.cells[cell];
    for (const Epoch *epoch : {&at.write, &at.reads[0], &at.reads[1]})
      if (isLate(*epoch))
        return std::optional(Conflict{*epoch, epoch == &at.write, offset});
    for (const Epoch &write : page.repeatedAt(cell))
      if (isLate(write))
        return std::optional(Conflict{write, true, offset});
    return std::optional<Conflict>();
  });
}

std::optional<Epoch> Shadow::findUnobservedWrite(uint64_t offset, unsigned size,
                                                 const VectorClock *vectorClock) {
  std::optional<Epoch> found;
  for (uint64_t at = offset; at < offset + size; at += 16)
    visit(at, unsigned(std::min<uint64_t>(16, offset + size - at)),
          [&](Page &page, size_t number, uint64_t) {
            const Epoch &last = page.cells[number].write;
            if (!found && last && !isObserved(last, vectorClock))
              found = last;
            for (const Epoch &write : page.repeatedAt(number))
              if (!found && !isObserved(write, vectorClock))
                found = write;
          });
  return found;
}
