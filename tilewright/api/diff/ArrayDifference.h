// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of arrays in which two launches differ, of those that the specification determines.

#ifndef TILEWRIGHT_API_DIFF_ARRAYDIFFERENCE_H
#define TILEWRIGHT_API_DIFF_ARRAYDIFFERENCE_H

#include "tilewright/api/diff/Observation.h"

namespace tilewright::api {

class ArrayDifferences {
public:
  /// The arguments must outlive it.
  ArrayDifferences(const std::vector<Argument> &arguments, const Contents &required,
                   const Contents &found, const MemoryHistory &history);

  bool empty() const { return elements.empty(); }

  struct ElementDifference {
    /// Index of the array.
    size_t array;
    int64_t element;
    numerics::Element required, found;
    /// Where it is in the array of the launch.
    MemoryHistory::HostByte byte;
  };
  const ElementDifference &first() const { return elements.front(); }

  /// Whether the contents are equal where these differ.
  bool areSame(const Contents &lhs, const Contents &rhs) const;

  /// Whether the differences may be roundings: they are at most 8 times as large, relative to the
  /// elements, as those of other contents, or 16 units in the last place.
  bool areLikeThoseOf(const Contents &others) const;

  /// `parameter 3 (64xf32): 5 of 64 elements, first [17]: 6.5 instead of 6`
  std::string toString() const;

private:
  std::vector<ArgumentArray> arrays;
  std::vector<ElementDifference> elements;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DIFF_ARRAYDIFFERENCE_H
