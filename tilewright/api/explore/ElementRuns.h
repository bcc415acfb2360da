// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of an array that an operation accesses, as strided runs: a tile of a matrix is one.

#ifndef TILEWRIGHT_API_EXPLORE_ELEMENTRUNS_H
#define TILEWRIGHT_API_EXPLORE_ELEMENTRUNS_H

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <vector>

namespace tilewright::api {

/// `count` ranges of `length` elements each, whose first elements are `stride` apart.
struct ElementRun {
  int64_t first, length, stride = 0, count = 1;

  bool operator==(const ElementRun &) const = default;
};

class ElementRuns {
public:
  /// Adds elements; some may have been added before.
  void add(int64_t first, int64_t count);
  /// Sorted by the first element; no element is in two.
  std::vector<ElementRun> runs() const;

  /// Sets `elements` and, if not all runs are listed, `more_elements`. Returns how many are listed.
  size_t addTo(llvm::json::Object &object) const;

private:
  struct Range {
    int64_t first, end;
  };
  std::vector<Range> ranges;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_ELEMENTRUNS_H
