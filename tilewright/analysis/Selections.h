// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which reductions choose one of their elements, whatever the order? `argmax` and `argmin` do: of
// two pairs of a number and its index they keep the one whose number is larger, or whose index is
// smaller if the numbers are equal.

#ifndef TILEWRIGHT_ANALYSIS_SELECTIONS_H
#define TILEWRIGHT_ANALYSIS_SELECTIONS_H

#include "tilewright/tile/Ops.h"

#include <optional>

namespace tilewright::analysis {

/// Whether the reduction, of numbers and of their indices along its dimension, always keeps one of
/// two pairs, and the same one at the end in any order.
bool isOrderFreeSelection(tile::ReduceOp op);

/// Whether the indices of such a reduction are 0, 1, 2, ... along its dimension, and compare as
/// these do, with a sign and without: of two elements, the later one has the greater index.
bool hasAscendingIndices(tile::ReduceOp op);

/// Whether such a reduction of two elements keeps the later one, by how its number compares with
/// that of the earlier one.
struct LaterChoice {
  bool ifGreater, ifEqual, ifLess, ifNan, ifEarlierIsNan, ifBothAreNans;
};
/// None if the indices do not ascend.
std::optional<LaterChoice> choiceOfLater(tile::ReduceOp op);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_SELECTIONS_H
