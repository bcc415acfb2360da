// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lines of two texts are equal: a longest common subsequence of their lines.

#ifndef TILEWRIGHT_API_EXPLORE_LINEDIFF_H
#define TILEWRIGHT_API_EXPLORE_LINEDIFF_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::api {

/// Lines of one text, from `first`.
struct LineRange {
  size_t first = 0, count = 0;
  bool operator==(const LineRange &) const = default;
};

/// Equal lines of both texts, as many in each; or lines that replace each other, one of which may
/// be none.
struct Hunk {
  bool isEqual;
  LineRange before, after;
  bool operator==(const Hunk &) const = default;
};

/// The hunks cover both texts, in order. Takes time proportional to the product of the numbers of
/// lines that occur in both texts, between their first and last difference.
std::vector<Hunk> diffLines(llvm::ArrayRef<llvm::StringRef> before,
                            llvm::ArrayRef<llvm::StringRef> after);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_LINEDIFF_H
