// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the lines of two texts beside each other: equal lines, and lines that replace a similar one.

#ifndef TILEWRIGHT_API_EXPLORE_LINEPAIRS_H
#define TILEWRIGHT_API_EXPLORE_LINEPAIRS_H

#include "tilewright/api/explore/LineDiff.h"

#include <optional>

namespace tilewright::api {

/// Lines beside each other, from 0; none where the other text has no such line.
struct LinePair {
  std::optional<size_t> before, after;
  bool isEqual;
  bool operator==(const LinePair &) const = default;
};

/// How many words two lines share: 0 if none, 1 if all.
double similarityOf(llvm::StringRef a, llvm::StringRef b);

/// The pairs of all lines of the hunks, in order. Lines that differ are paired if they share at
/// least half of their words, so that all pairs together are as similar as possible.
std::vector<LinePair> pairLines(llvm::ArrayRef<Hunk> hunks, llvm::ArrayRef<llvm::StringRef> before,
                                llvm::ArrayRef<llvm::StringRef> after);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_LINEPAIRS_H
