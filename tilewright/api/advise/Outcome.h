// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the arrays of a launch hold, compared with an outcome of an exploration.

#ifndef TILEWRIGHT_API_ADVISE_OUTCOME_H
#define TILEWRIGHT_API_ADVISE_OUTCOME_H

#include "tilewright/api/Array.h"
#include "tilewright/reference/exhaustive/Exhaustive.h"

namespace tilewright::api {

/// The bits of each element, by array and index.
using ArrayValues = std::map<std::pair<std::string, int64_t>, uint64_t>;

/// None if arrays overlap, or their elements are smaller than a byte or are addresses.
std::optional<ArrayValues> valuesOf(const std::vector<Argument> &arguments);

/// Whether an execution that ends with these values has this outcome.
bool isOutcome(const reference::MemoryChange &outcome, ArrayValues before,
               const ArrayValues &after);

/// `parameter 1 (1xi32)[0] = 3, ...`
std::string toString(const reference::MemoryChange &outcome, size_t mostElements = SIZE_MAX);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ADVISE_OUTCOME_H
