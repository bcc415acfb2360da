// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explores the executions of a program by stateless model checking. Executions are built one read
// at a time: the search either gives a read the value of an existing write, or leaves it for a
// write that will exist later. Values are never guessed, so the cost follows the number of
// executions (docs/decisions/exhaustive-search.md).
//
// A block is rerun from its start again and again. Reads that have been decided return their
// values. All others are open: the block continues with a stand-in value, and everything that does
// not depend on an open read is certain. A certain write may be read even if an open read precedes
// it in the block: this is how a read sees a value from the future (memory model, 8). Values that
// depend only on themselves never become certain, so nothing comes out of thin air.
//
// Each node of the search either decides a read, or excludes all existing writes as its source. The
// branches have no execution in common, so each execution is found once.
//
// An access is identified by its operation, the iterations of the enclosing loops, and its element,
// because its position in a trace depends on the path that the block took. The caller numbers these
// (Event::access).

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXPLORATION_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXPLORATION_H

#include "tilewright/reference/exhaustive/Behaviour.h"
#include "tilewright/reference/exhaustive/Executions.h"

namespace tilewright::reference {

/// Returns the value of a read, or none if the read is open; then any value will do.
using ChooseValue = llvm::function_ref<std::optional<Value>(const Event &read)>;

/// A program, given by the behaviour of its blocks.
struct Explored {
  unsigned blockCount;
  /// Runs a block. The result depends only on the values that its reads return.
  llvm::function_ref<Behaviour(unsigned block, ChooseValue choose)> run;
  llvm::function_ref<Value(Location)> initialValue;
  /// Called with one behaviour per block for each choice of sources that has executions. Returns
  /// whether to go on.
  llvm::function_ref<bool(llvm::ArrayRef<const Behaviour *>, const Executions &)> visit;
  /// Called when the exploration starts again: all visits so far are void.
  llvm::function_ref<void()> restart;
};

struct ExplorationLimits {
  /// The number of block runs.
  uint64_t runs = 1'000'000;
  /// The number of choices of sources and coherence orders.
  uint64_t steps = 100'000'000;
  /// Cancels the exploration. Any thread or signal handler may set it at any time. May be null.
  const std::atomic<bool> *cancelled = nullptr;
};

/// The limit that a cancelled exploration returns.
inline constexpr const char *explorationWasCancelled = "the exploration was cancelled";
/// The limit that an exploration returns if `visit` has ended it.
inline constexpr const char *explorationHasSeenEnough = "the exploration has seen enough";

/// Returns none if all executions were visited, or else the limit that ended the exploration.
std::optional<std::string> explore(const Explored &program, const ExplorationLimits &limits = {});

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXPLORATION_H
