// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which executions does a program have? What a tile block does hangs on what its reads
// return, and that on what other blocks do. So each block is run from its start again and
// again, and its reads are handed every value that memory held before or that some block was
// seen to write. Behaviours show new writes, and this is repeated until there are none. Then
// one behaviour of each block makes a candidate, of which Executions.h knows the executions;
// one that the rules exclude beside those already chosen is cut at the read that shows it.
//
// A value that was only ever computed from itself comes out of thin air and would let new
// ones be found for ever: each value is known with the accesses that it was derived from,
// and none of those may read it. What is known comes from many behaviours of a block, and a
// branch taken in one of them only must not make the accesses behind it look like others.
// So an access is not known by its place in a trace, but by its operation, the iterations of
// the loops around it, and its element; the caller numbers these (Event::access).
//
// A write has to show in a behaviour before its value is read, and then it has the token order
// of that behaviour. So this is not found: a value that lets a block take another way, from
// which a token comes, without which the write of that value would have been too late.

#ifndef TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXPLORATION_H
#define TILEWRIGHT_REFERENCE_EXHAUSTIVE_EXPLORATION_H

#include "tilewright/reference/exhaustive/Executions.h"

#include <memory>
#include <string>

namespace tilewright::reference {

/// What a block may do.
struct Behaviour {
  Trace trace;
  /// There was no value for a read, so that there is no such behaviour.
  bool isGivenUp = false;
  /// What made it too long; then nothing is known about the rest.
  std::optional<std::string> limit = std::nullopt;
  /// Whatever the caller wants to know of it later.
  std::shared_ptr<const void> details = nullptr;
};

/// Says what a read returns, given what its block did before; none: give up.
using ChooseValue =
    llvm::function_ref<std::optional<Value>(const Trace &before, const Event &read)>;

struct Explored {
  unsigned blockCount;
  /// Runs a block from its start. It does the same whenever its reads return the same.
  llvm::function_ref<Behaviour(unsigned block, ChooseValue choose)> run;
  llvm::function_ref<Value(Location)> initialValue;
  /// Called for every candidate that has executions, with a behaviour per block.
  llvm::function_ref<void(llvm::ArrayRef<const Behaviour *>, const Executions &)> visit;
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
