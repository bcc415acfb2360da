// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which executions does a program have? They are built read by read, as stateless model checkers
// do it: a read is given each write that exists, or is left for a write that will exist later.
// No value is ever guessed, so the cost follows the number of executions
// (docs/decisions/exhaustive-search.md).
//
// A block is run from its start again and again. Reads that have been decided return their values,
// and all others are open: the block goes on with a stand-in value, and what does not depend on an
// open read is certain. A certain write may be read even if an open read comes before it in the
// block: this is how a read sees a value from the future (memory model, 8). What only depends on
// itself never becomes certain, so nothing comes out of thin air.
//
// Each node of the search either decides a read, or excludes all writes that exist as its source.
// The branches have no execution in common, so each is found once.
//
// An access is known by its operation, the iterations of the loops around it, and its element,
// because its place in a trace depends on the way that the block took. The caller numbers these
// (Event::access).

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXPLORATION_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXPLORATION_H

#include "tilewright/reference/exhaustive/Behaviour.h"
#include "tilewright/reference/exhaustive/Executions.h"

namespace tilewright::reference {

/// Says what a read returns; none: it is open, and any value will do.
using ChooseValue = llvm::function_ref<std::optional<Value>(const Event &read)>;

/// A program is what its blocks do.
struct Explored {
  unsigned blockCount;
  /// Runs a block. What it does depends on its reads alone: values that return the same make
  /// it do the same.
  llvm::function_ref<Behaviour(unsigned block, ChooseValue choose)> run;
  llvm::function_ref<Value(Location)> initialValue;
  /// Called for each choice of sources that has executions, with a behaviour per block.
  llvm::function_ref<void(llvm::ArrayRef<const Behaviour *>, const Executions &)> visit;
  /// Called when all visits so far are void, because the exploration starts again.
  llvm::function_ref<void()> restart;
};

struct ExplorationLimits {
  /// How often blocks are run.
  uint64_t runs = 1'000'000;
  /// Choices of sources and of coherence orders.
  uint64_t steps = 100'000'000;
  /// Any thread or signal handler may set it, at any time, and the exploration ends. May be null.
  const std::atomic<bool> *cancelled = nullptr;
};

/// The limit of an exploration that was cancelled.
inline constexpr const char *explorationWasCancelled = "the exploration was cancelled";

/// None if all executions were visited, else the limit that ended it.
std::optional<std::string> explore(const Explored &program, const ExplorationLimits &limits = {});

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXPLORATION_H
