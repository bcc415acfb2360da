// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reversals.h.

#include "tilewright/reference/predict/Reversals.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"

#include <set>

using namespace tilewright;
using namespace tilewright::reference;

/// The operations that access each place, in order.
static llvm::MapVector<uint64_t, std::vector<size_t>>
operationsByPlace(const ExecutionTrace &trace) {
  llvm::MapVector<uint64_t, std::vector<size_t>> byPlace;
  for (auto [index, operation] : llvm::enumerate(trace.scoped()))
    for (uint64_t place : trace.placesOf(operation))
      if (std::vector<size_t> &list = byPlace[place]; list.empty() || list.back() != index)
        list.push_back(index);
  return byPlace;
}

//===-- Pairs ---------------------------------------------------------------------------------===//

/// Adds the pairs that end with operation `at` of a place: with the writes and reads before it up
/// to the last write, which orders it after everything earlier.
static void addPairs(const ExecutionTrace &trace, const std::vector<size_t> &operations, size_t at,
                     std::set<Reversal> &pairs) {
  const ScopedOperation &second = trace.scoped()[operations[at]];
  llvm::SmallVector<int64_t> blocks = {second.block};
  for (size_t earlier = at; earlier-- > 0;) {
    const ScopedOperation &first = trace.scoped()[operations[earlier]];
    const bool conflict = first.writes || second.writes;
    // Only the last read of a block can be moved behind the write by itself.
    if (conflict && !llvm::is_contained(blocks, first.block)) {
      pairs.insert({operations[at], operations[earlier]});
      blocks.push_back(first.block);
    }
    if (first.writes)
      return;
  }
}

std::vector<Reversal> reference::reversalsIn(const ExecutionTrace &trace) {
  const auto isObserved = [&](size_t index) { return trace.scoped()[index].observes; };
  std::set<Reversal> pairs;
  for (const auto &[place, operations] : operationsByPlace(trace))
    if (llvm::any_of(operations, isObserved))
      for (size_t at = 1; at < operations.size(); ++at)
        addPairs(trace, operations, at, pairs);
  return {pairs.begin(), pairs.end()};
}

//===-- Schedules -----------------------------------------------------------------------------===//

namespace {
/// The places that some operations access.
class Places {
public:
  explicit Places(const ExecutionTrace &trace) : trace(trace) {}

  void add(const ScopedOperation &operation) {
    for (uint64_t place : trace.placesOf(operation))
      accessed[place] |= ExecutionTrace::bitsOf(operation);
  }
  bool conflictWith(const ScopedOperation &operation) const {
    return llvm::any_of(trace.placesOf(operation), [&](uint64_t place) {
      const uint8_t before = accessed.lookup(place);
      return before && (operation.writes || (before & Writes));
    });
  }

private:
  const ExecutionTrace &trace;
  llvm::DenseMap<uint64_t, uint8_t> accessed;
};

/// A number of operations per block.
using Prefix = llvm::DenseMap<int64_t, int64_t>;
} // namespace

/// For each block with operations that depend on the first one of the pair: the number of
/// operations before these. Looks at the operations before the second one of the pair.
static Prefix independentOf(const ExecutionTrace &trace, Reversal reversal) {
  const ScopedOperation &first = trace.scoped()[reversal.first];
  Prefix before = {{first.block, first.number - 1}};
  Places touched(trace);
  touched.add(first);
  for (size_t i = reversal.first + 1; i < reversal.second; ++i) {
    const ScopedOperation &operation = trace.scoped()[i];
    if (!before.contains(operation.block) && !touched.conflictWith(operation))
      continue;
    before.try_emplace(operation.block, operation.number - 1);
    touched.add(operation);
  }
  return before;
}

/// The operations that the pair depends on, among those that do not depend on its first one.
static Prefix neededBy(const ExecutionTrace &trace, Reversal reversal, const Prefix &independent) {
  const ScopedOperation &first = trace.scoped()[reversal.first],
                        &second = trace.scoped()[reversal.second];
  Prefix needed = {{first.block, first.number - 1}, {second.block, second.number}};
  Places wanted(trace);
  wanted.add(second);
  for (size_t i = reversal.second; i-- > 0;) {
    const ScopedOperation &operation = trace.scoped()[i];
    auto limit = independent.find(operation.block);
    if (limit != independent.end() && operation.number > limit->second)
      continue;
    int64_t &last = needed.try_emplace(operation.block, 0).first->second;
    if (operation.number > last && !wanted.conflictWith(operation))
      continue;
    last = std::max(last, operation.number);
    wanted.add(operation);
  }
  return needed;
}

std::optional<ReplayOrder> reference::reversed(const ExecutionTrace &trace, Reversal reversal) {
  const ScopedOperation &first = trace.scoped()[reversal.first],
                        &second = trace.scoped()[reversal.second];
  const Prefix independent = independentOf(trace, reversal);
  if (independent.contains(second.block))
    return std::nullopt;
  const Prefix needed = neededBy(trace, reversal, independent);
  ReplayOrder order;
  Prefix done;
  for (const ReplayStep &step : trace.order().steps) {
    const int64_t last = std::min(*step.lastOperation, needed.lookup(step.block));
    if (int64_t &before = done[step.block]; last > before)
      order.run(step.block, before = last);
  }
  order.run(second.block, std::nullopt);
  order.run(first.block, std::nullopt);
  return order;
}

//===-- Comparing traces ----------------------------------------------------------------------===//

/// Writes are in order with everything; reads between two writes are in any order.
static uint64_t signatureOf(const ExecutionTrace &trace, const std::vector<size_t> &operations) {
  uint64_t writes = 0, reads = 0;
  for (size_t index : operations) {
    const ScopedOperation &operation = trace.scoped()[index];
    if (operation.writes) {
      writes = llvm::hash_combine(writes, reads, operation.block, operation.number);
      reads = 0;
    } else {
      reads += llvm::hash_combine(operation.block, operation.number);
    }
  }
  return llvm::hash_combine(writes, reads);
}

uint64_t reference::signatureOf(const ExecutionTrace &trace) {
  uint64_t sum = 0;
  for (const auto &[place, operations] : operationsByPlace(trace))
    sum += llvm::hash_combine(place, ::signatureOf(trace, operations));
  return sum;
}
