// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the pairs of synchronising operations in a trace that another schedule may execute in the
// other order, and such a schedule for each pair. These are the reversible races of dynamic partial
// order reduction (Flanagan and Godefroid 2005): the two operations are from different tile blocks,
// access the same element, at least one writes it, and no other operation between them makes the
// second depend on the first.

#ifndef TILEWRIGHT_REFERENCE_PREDICT_REVERSALS_H
#define TILEWRIGHT_REFERENCE_PREDICT_REVERSALS_H

#include "tilewright/reference/predict/Trace.h"

namespace tilewright::reference {

/// Indices of ExecutionTrace::scoped(); `first` is the earlier operation.
struct Reversal {
  size_t second, first;

  friend auto operator<=>(const Reversal &, const Reversal &) = default;
};

/// All pairs of neighbouring conflicting operations, ordered by the second operation.
std::vector<Reversal> reversalsIn(const ExecutionTrace &trace);

/// A schedule that executes the second operation of the pair without the first one, and then the
/// rest of its block. Only operations that one of the two depends on come before. None if the
/// second operation depends on the first.
std::optional<ReplayOrder> reversed(const ExecutionTrace &trace, Reversal reversal);

/// Equal for traces that differ only in the order of operations that do not conflict.
uint64_t signatureOf(const ExecutionTrace &trace);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_PREDICT_REVERSALS_H
