// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data types for the memory accesses of tile blocks: locations, values, events, and traces.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_EVENTS_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_EVENTS_H

#include "tilewright/reference/machine/Mark.h"
#include "llvm/ADT/SmallVector.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tilewright::reference {

/// A range of memory, counted in half bytes because two f4E2M1FN elements share an
/// address (types, 2.4).
struct Location {
  uint64_t begin, end;

  static Location ofBytes(uint64_t address, uint64_t size) {
    return {2 * address, 2 * (address + size)};
  }
  bool overlaps(Location other) const { return begin < other.end && other.begin < end; }
  auto operator<=>(const Location &) const = default;
};

/// The value of up to eight bytes of memory, little endian, or an unspecified value.
struct Value {
  uint64_t bits = 0;
  Mark mark = Mark::None;

  static Value neverWritten() { return {0, Mark::Undefined}; }
  auto operator<=>(const Value &) const = default;
};

/// The value of a part of a location if the whole location holds `value`.
Value slice(Value value, Location whole, Location part);

/// Which other blocks may access the location at the same time (memory model, 3); none if the
/// access is weak.
enum class Scope : uint8_t { None, TileBlock, Device, System };

/// One element access of an executed operation (memory model, 2). One that both reads and
/// writes is an atomic pair; a failed compare-and-swap only reads.
struct Event {
  /// Number of its operation in the trace.
  unsigned operation;
  Location location;
  std::optional<Value> read = std::nullopt;
  std::optional<Value> written = std::nullopt;
  Scope scope = Scope::None;
  bool acquires = false;
  bool releases = false;
  /// The reads of the trace, by number, that decide whether the event occurs, its location, and
  /// what it writes. An atomic's own read is one of them, unless the atomic is an exchange.
  llvm::SmallVector<unsigned, 2> dependsOn = {};
  /// A read of a waiting loop that would repeat for ever: no newer value exists.
  bool isLast = false;
  /// Identifies the access within the block independently of the path taken; its position in the
  /// trace depends on which other accesses occur (Exploration.h).
  unsigned access = 0;
  /// The value of the read has not been chosen yet: the block continued with a stand-in value.
  bool isOpen = false;
  /// A compare-and-swap: the value that it reads decides whether it writes.
  bool mayFail = false;
};

/// What one tile block did, in program order.
struct Trace {
  /// For each executed operation, the earlier operations that its input token stems from.
  std::vector<llvm::SmallVector<unsigned, 2>> tokens;
  std::vector<Event> events;
};

/// An event of a block, by its number in the block's trace.
struct EventId {
  unsigned block, event;
  auto operator<=>(const EventId &) const = default;
};

/// An access of a block, independently of the path taken (Event::access).
struct AccessId {
  unsigned block, access;
  auto operator<=>(const AccessId &) const = default;
};

/// The write that a part of a read gets its value from; none for the initial value.
struct PartSource {
  Location part;
  std::optional<AccessId> write;
};

/// Sources for each read. The parts of a read cover its location.
using Sources = std::map<AccessId, llvm::SmallVector<PartSource, 1>>;

/// The number of choices that may still be tried.
class StepBudget {
public:
  /// If `cancelled` is set, no steps are left. It may be null.
  explicit StepBudget(uint64_t steps, const std::atomic<bool> *cancelled = nullptr)
      : left(steps), cancelled(cancelled) {}

  /// Takes a step; returns false if none is left.
  bool take();
  /// Takes `count` steps, or those that are left.
  void takeUpTo(uint64_t count) { left -= count < left ? count : left; }
  /// Whether a step was requested when none was left, so that the search is incomplete.
  bool wereRefused() const { return hasRefused; }
  bool isCancelled() const { return cancelled && cancelled->load(std::memory_order_relaxed); }

private:
  uint64_t left;
  bool hasRefused = false;
  const std::atomic<bool> *cancelled;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_EVENTS_H
