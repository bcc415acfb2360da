// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What did tile blocks access? Words for it: locations, values, events, and the trace of a block.

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

/// Up to eight bytes of memory, little endian; or nothing specified.
struct Value {
  uint64_t bits = 0;
  Mark mark = Mark::None;

  static Value neverWritten() { return {0, Mark::Undefined}; }
  auto operator<=>(const Value &) const = default;
};

/// What a part of a location holds if the whole holds this.
Value slice(Value value, Location whole, Location part);

/// Who else may access the location at the same time (memory model, 3): nobody, if it is weak.
enum class Scope : uint8_t { Nobody, TileBlock, Device, System };

/// One element access of an executed operation (memory model, 2). One that both reads and
/// writes is an atomic pair; a failed compare-and-swap only reads.
struct Event {
  /// Number of its operation in the trace.
  unsigned operation;
  Location location;
  std::optional<Value> read = std::nullopt;
  std::optional<Value> written = std::nullopt;
  Scope scope = Scope::Nobody;
  bool acquires = false;
  bool releases = false;
  /// The reads of the trace, by number, that decide whether it takes place, where, and what it
  /// writes. The event's own is one of them, unless it is an exchange.
  llvm::SmallVector<unsigned, 2> dependsOn = {};
  /// A read that is repeated for ever in vain: there is nothing newer to read.
  bool isLast = false;
  /// Which access of the block this is, whatever the path there: its place in the trace
  /// depends on what other accesses there are (Exploration.h).
  unsigned access = 0;
  /// The value of the read has not been chosen yet: the block went on with a stand-in.
  bool isOpen = false;
  /// A compare-and-swap: the value read decides whether it writes.
  bool mayFail = false;
};

/// What one tile block did, in program order.
struct Trace {
  /// For each executed operation, the earlier ones that its input token comes from.
  std::vector<llvm::SmallVector<unsigned, 2>> tokens;
  std::vector<Event> events;
};

/// An event of a block, by its number in the block's trace.
struct EventId {
  unsigned block, event;
  auto operator<=>(const EventId &) const = default;
};

/// An access of a block, whatever the path there (Event::access).
struct AccessId {
  unsigned block, access;
  auto operator<=>(const AccessId &) const = default;
};

/// The write that a part of a read gets its value from; none: what memory held before.
struct PartSource {
  Location part;
  std::optional<AccessId> write;
};

/// By read. The parts of each cover its location.
using Sources = std::map<AccessId, llvm::SmallVector<PartSource, 1>>;

/// How many choices may still be tried.
class StepBudget {
public:
  /// Once `cancelled` is set there are no steps left. It may be null.
  explicit StepBudget(uint64_t steps, const std::atomic<bool> *cancelled = nullptr)
      : left(steps), cancelled(cancelled) {}

  /// Takes a step. False: there is none.
  bool take();
  /// Takes so many steps, or those that are left.
  void takeUpTo(uint64_t count) { left -= count < left ? count : left; }
  /// Whether a step was wanted and not there: what was being looked for may exist.
  bool wereRefused() const { return hasRefused; }
  bool isCancelled() const { return cancelled && cancelled->load(std::memory_order_relaxed); }

private:
  uint64_t left;
  bool hasRefused = false;
  const std::atomic<bool> *cancelled;
};

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_EVENTS_H
