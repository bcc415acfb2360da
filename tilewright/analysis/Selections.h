// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises reductions that select one of their elements regardless of the order, such as `argmax`
// and `argmin`. Of two pairs of a number and its index, they keep the one with the larger (or
// smaller) number, or the one with the smaller index if the numbers are equal.

#ifndef TILEWRIGHT_ANALYSIS_SELECTIONS_H
#define TILEWRIGHT_ANALYSIS_SELECTIONS_H

#include "tilewright/tile/Ops.h"

#include <optional>

namespace tilewright::analysis {

/// Whether the reduction takes numbers and their indices along its dimension, always keeps one of
/// two pairs, and selects the same pair in any order.
bool isOrderFreeSelection(tile::ReduceOp op);

/// Whether the indices of such a reduction are 0, 1, 2, ... along its dimension, in signed and
/// unsigned comparisons alike: of two elements, the later one has the greater index.
bool hasAscendingIndices(tile::ReduceOp op);

/// Whether such a reduction of two elements keeps the later one, depending on how its number
/// compares with the earlier one's.
struct LaterChoice {
  bool ifGreater, ifEqual, ifLess, ifNan, ifEarlierIsNan, ifBothAreNans;
};
/// None if the indices do not ascend.
std::optional<LaterChoice> choiceOfLater(tile::ReduceOp op);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_SELECTIONS_H
