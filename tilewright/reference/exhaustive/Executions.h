// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does the memory model allow? Interleavings do not show it: they are sequentially
// consistent along chains of tokens, and the model is not (memory model, 11). So here
// nothing runs. Given are the accesses that each tile block made and the values that its
// reads returned, however those came about. An execution says in addition from which write
// each read got its value, and in which order the writes of a location came: all choices
// are tried, and those that the rules of the memory model (section 6) do not exclude are
// the executions of the program. One that has a race makes the program undefined.
//
// Choices where the rules are silent:
// - An atomic pair is one event: what orders its read orders its write. Rule 7 then
//   contains atomicity, since a write that slips in between closes a cycle.
// - No thin air: reads-from and dependences together have no cycle. A write depends on
//   the reads that decided what it writes, where, or whether it takes place at all.
//   The last, control dependence, must count, or `if x == 42 { y := 42 }` beside its
//   mirror image would justify itself. What an exchange writes does not depend on what it
//   has read.
// - Dependences count as the kernel is written. The memory model (section 5) lets a compiler
//   remove a false one, as in `y := 0 * x + 1`; executions that need this are not found.
// - Scoped accesses that overlap without being to the same location are not morally
//   strong, as in PTX. Each part of memory that no access splits, a cell, has a coherence
//   order and sources for its readers of its own.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXECUTIONS_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXECUTIONS_H

#include "tilewright/reference/machine/Mark.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tilewright::reference {

/// A range of memory, counted in half bytes because two f4E2M1FN elements share an
/// address (types, 2.4).
struct Location {
  uint64_t begin, end;

  static Location ofBytes(uint64_t address, uint64_t size) {
    return {2 * address, 2 * (address + size)};
  }
  auto operator<=>(const Location &) const = default;
};

/// Up to eight bytes of memory, little endian; or nothing specified.
struct Value {
  uint64_t bits = 0;
  Mark mark = Mark::None;

  static Value unspecified() { return {0, Mark::Unspecified}; }
  auto operator<=>(const Value &) const = default;
};

/// What a part of a location holds if the whole holds this.
Value slice(Value value, Location whole, Location part);

/// XX, and nobody if it is weak (memory model, 3).
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
  /// Of a write: the reads of the trace, by number, that it depends on. The event's own is one
  /// of them, unless it is an exchange.
  llvm::SmallVector<unsigned, 2> dependsOn = {};
  /// A read that is repeated for ever in vain: there is nothing newer to read.
  bool isLast = false;
  /// Which access of the block this is, whatever the path there: its place in the trace
  /// depends on what other accesses there are (Exploration.h).
  unsigned access = 0;
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

/// Two conflicting accesses that nothing orders and that are not morally strong.
struct Race {
  EventId first, second;
  auto operator<=>(const Race &) const = default;
};

/// What memory holds at the end, where it is not what it held before.
using FinalMemory = std::map<Location, Value>;

struct Executions {
  /// How many there are.
  uint64_t count = 0;
  /// Race-free executions end in one of these.
  std::set<FinalMemory> outcomes;
  std::set<Race> races;
};

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
  bool isCancelled() const { return cancelled && cancelled->load(std::memory_order_relaxed); }

private:
  uint64_t left;
  const std::atomic<bool> *cancelled;
};

/// All executions in which each block does what its trace says. Every choice that is tried takes a
/// step; none if there were not enough.
std::optional<Executions> executionsOf(llvm::ArrayRef<const Trace *> traces,
                                       llvm::function_ref<Value(Location)> initialValue,
                                       StepBudget &steps);

/// Whether there can be an execution in which the blocks do this and more, and others
/// write, too: comesFromElsewhere says which values a read may get that none of these
/// traces writes. May be true too often, if steps run out in particular.
bool mayBeExecuted(llvm::ArrayRef<const Trace *> traces,
                   llvm::function_ref<Value(Location)> initialValue,
                   llvm::function_ref<bool(Location, Value)> comesFromElsewhere, StepBudget &steps);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXECUTIONS_H
