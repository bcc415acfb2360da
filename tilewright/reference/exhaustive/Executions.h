// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumerates the executions that the memory model allows. Interleaving the blocks would not find
// all of them: interleavings are sequentially consistent along token chains, and the model is
// weaker (memory model, 11). This is an axiomatic check in which nothing runs. Its input is the
// accesses of each tile block and the values that the reads returned. An execution adds a source
// write for each read (reads-from) and an order of the writes to each location (coherence). All
// choices are tried; those that the rules of the memory model (section 6) do not exclude are the
// executions of the program. If one of them has a race, the program is undefined.
//
// Choices where the rules are silent:
// - An atomic pair is one event: whatever orders its read orders its write. Rule 7 then implies
//   atomicity, since a write between the two closes a cycle.
// - No thin air: the union of reads-from and dependences is acyclic. A write depends on the reads
//   that decided its value, its location, or whether it occurs at all. The last, a control
//   dependence, must count, or `if x == 42 { y := 42 }` beside its mirror image would justify
//   itself. The value that an exchange writes does not depend on the value that it reads.
// - Dependences are those of the kernel as written. The memory model (section 5) lets a compiler
//   remove a false one, as in `y := 0 * x + 1`; executions that need this are not found.
// - Scoped accesses that overlap but have different locations are not morally strong, as in PTX. A
//   cell is a part of memory that no access splits; each cell has its own coherence order and its
//   own sources.

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

/// How memory differs at the end from its initial contents.
using FinalMemory = std::map<Location, Value>;

struct Executions {
  /// The number of executions.
  uint64_t count = 0;
  /// The final memories of race-free executions.
  std::set<FinalMemory> outcomes;
  std::set<Race> races;
};

/// All executions in which each block follows its trace and each read in `sources` has the given
/// source; all sources are tried for the other reads. Each choice takes a step. None if the steps
/// run out.
std::optional<Executions> executionsOf(llvm::ArrayRef<const Trace *> traces,
                                       llvm::function_ref<Value(Location)> initialValue,
                                       StepBudget &steps, const Sources &sources = {});

/// Happens-before among the events of these traces, numbered consecutively across blocks, for an
/// execution that is still being built: events and sources may be added later. None if the rules
/// exclude the execution whatever is added, or if the steps run out. Cells are split at `splits`,
/// which contains the bounds of all locations.
std::optional<Relation> happensBeforeSoFar(llvm::ArrayRef<const Trace *> traces,
                                           const Sources &sources, const std::set<uint64_t> &splits,
                                           StepBudget &steps);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXECUTIONS_H
