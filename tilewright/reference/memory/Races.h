// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data race detector, which compares vector clocks. For every memory element it keeps the last
// weak write, the weak reads since, and the scoped accesses since. An access races with one of
// these if the two conflict, it does not happen after it, and the two are not morally strong
// (memory model, 6 and 7). Partially overlapping scoped accesses are not morally strong, because
// their locations differ. An access that is no longer kept happens before one that is kept, so no
// race is missed.
//
// Only the current execution is checked. Another schedule may have other races (memory model, 11).

#ifndef TILEWRIGHT_REFERENCE_MEMORY_RACES_H
#define TILEWRIGHT_REFERENCE_MEMORY_RACES_H

#include "tilewright/reference/memory/Memory.h"
#include "tilewright/reference/memory/Token.h"
#include "tilewright/tile/Ops.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilewright::reference {

/// The ordering and scope of an access. No scope means weak.
struct Semantics {
  tile::MemoryOrderingSemantics ordering = tile::MemoryOrderingSemantics::Weak;
  std::optional<tile::MemoryScope> scope = std::nullopt;

  bool isWeak() const { return ordering == tile::MemoryOrderingSemantics::Weak; }
  bool acquires() const {
    return ordering == tile::MemoryOrderingSemantics::Acquire ||
           ordering == tile::MemoryOrderingSemantics::AcqRel;
  }
  bool releases() const {
    return ordering == tile::MemoryOrderingSemantics::Release ||
           ordering == tile::MemoryOrderingSemantics::AcqRel;
  }
};

/// An executed memory operation.
struct MemoryEvent {
  mlir::Operation *op;
  runtime::Block block;
  Semantics semantics;
  Epoch epoch;
  /// Number of the launch, if one launch depends on another.
  uint32_t launch = 0;
};

class RaceDetector {
public:
  /// Registers an operation that is about to access memory. Returns its number, from 1.
  uint32_t add(MemoryEvent event);
  const MemoryEvent &event(uint32_t number) const { return events[number - 1]; }

  /// One access: its operation, its clock, and its effects.
  struct Access {
    uint32_t event;
    const VectorClock &clock;
    bool reads, writes;
    /// Whether two elements of the operation may share a byte (f4E2M1FN).
    bool sharesBytes;
    bool isUpperHalf;
    /// Whether the value that it reads is used or orders later operations.
    bool observes;
    /// Joined with the clocks that the access synchronizes with.
    VectorClock &acquired;
  };

  /// Checks and records an access to `count` elements of `elementBytes` bytes each, from `offset`
  /// on. Calls report(element, event number) for each race; the number is that of the earlier
  /// operation.
  void check(const Allocation &allocation, uint64_t offset, unsigned elementBytes, int64_t count,
             const Access &access, llvm::function_ref<void(int64_t, uint32_t)> report);

  /// Whether a block observed, by a scoped access, a location to which another block wrote by a
  /// scoped access. If so, the order and the behaviour of blocks may depend on the schedule.
  bool blocksSynchronise() const { return haveSynchronised; }

  /// Forgets an allocation whose lifetime has ended.
  void forget(const Allocation &allocation) { shadows.erase(&allocation); }

private:
  /// The recorded accesses to one unit of memory.
  struct Cell {
    uint32_t lastWrite = 0;     ///< Event; 0 if none.
    uint32_t reads : 31 = 0;    ///< Index of a ReadSet; 0 is empty.
    uint32_t hasScoped : 1 = 0; ///< Whether it has ScopedAccesses.

    friend bool operator==(const Cell &, const Cell &) = default;
  };
  /// A set of weak reads as a linked list; sets share their tails.
  struct ReadSet {
    uint32_t event;
    uint32_t rest;
  };
  struct ScopedAccess {
    uint32_t event;
    bool writes;
    /// Identifies the location within the unit: elements are aligned, so accesses have the same
    /// location if their extents are equal. The element size in half bytes; 0 is the upper half of
    /// a byte.
    uint8_t extent;
    bool observes;
  };
  struct ScopedAccesses {
    llvm::SmallVector<ScopedAccess, 4> list;
    bool anyInTileBlock = false, anyOfOtherExtent = false, anyObserves = false;
    /// What an acquire that reads the last write synchronizes with, and the releasing event.
    std::optional<VectorClock> released;
    uint32_t releaser = 0;
    uint8_t releasedExtent = 0;
  };
  /// One cell per unit of an allocation. Pages are allocated when first touched, because most of a
  /// large allocation never is.
  static constexpr uint64_t cellsPerPage = 4096;
  using Page = std::unique_ptr<Cell[]>;
  struct Shadow {
    uint64_t unit = 0;
    std::vector<Page> pages;
    /// By cell number.
    llvm::DenseMap<uint64_t, ScopedAccesses> scoped;

    Cell &cell(uint64_t at) {
      Page &page = pages[at / cellsPerPage];
      if (!page)
        page = std::make_unique<Cell[]>(cellsPerPage);
      return page[at % cellsPerPage];
    }
  };

  Shadow &shadowOf(const Allocation &allocation, unsigned elementBytes);
  void refine(Shadow &shadow, uint64_t unit);
  /// The earlier access that this one races with; 0 if none.
  uint32_t findRace(Shadow &shadow, uint64_t at, const Access &access, uint8_t extent) const;
  void remember(Shadow &shadow, uint64_t at, const Access &access, uint8_t extent);
  void noteSynchronisation(const ScopedAccesses &scoped, const ScopedAccess &access);
  void rememberScoped(ScopedAccesses &scoped, const Access &access, uint8_t extent);
  uint32_t withRead(uint32_t set, const Access &access);
  bool areScoped(const MemoryEvent &a, const MemoryEvent &b) const;

  std::vector<MemoryEvent> events;
  bool haveSynchronised = false;
  std::vector<ReadSet> readSets = {{}};
  /// The result of the last extension of a set by one read; neighbouring cells request the same
  /// one.
  uint32_t extendedSet = 0, extendingEvent = 0, extendedResult = 0;
  llvm::DenseMap<const Allocation *, std::unique_ptr<Shadow>> shadows;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_MEMORY_RACES_H
