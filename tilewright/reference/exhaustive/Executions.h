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

#include "tilewright/reference/exhaustive/Events.h"
#include "tilewright/reference/exhaustive/Relation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <set>

namespace tilewright::reference {

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

/// All executions in which each block does what its trace says, and each read that `sources` names
/// has that source; other reads are tried with all. Every choice that is tried takes a step; none
/// if there were not enough.
std::optional<Executions> executionsOf(llvm::ArrayRef<const Trace *> traces,
                                       llvm::function_ref<Value(Location)> initialValue,
                                       StepBudget &steps, const Sources &sources = {});

/// Happens-before among the events of these traces, numbered through, if they are part of an
/// execution that is still being built: more events will come, and more sources. None if the rules
/// exclude it whatever comes, or for want of steps. Cells are split at `splits`, among which all
/// bounds of locations are.
std::optional<Relation> happensBeforeSoFar(llvm::ArrayRef<const Trace *> traces,
                                           const Sources &sources, const std::set<uint64_t> &splits,
                                           StepBudget &steps);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXECUTIONS_H
