// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays of an explored launch: where an address of the reference machine lies in them, which
// elements are written, and their contents before and after the launch.

#ifndef TILEWRIGHT_API_EXPLORE_ARRAYS_H
#define TILEWRIGHT_API_EXPLORE_ARRAYS_H

#include "tilewright/api/Placement.h"
#include "tilewright/api/explore/Results.h"
#include "tilewright/reference/memory/Memory.h"

#include "llvm/Support/JSON.h"

namespace tilewright::api {

/// How much of each array the document has.
struct ContentLimits {
  /// Arrays with more elements are aggregated, as a matrix.
  int64_t listed;
  /// The rows and the columns of cells.
  int64_t cells;

  static ContentLimits forArrays(llvm::ArrayRef<Placement::NamedArray> arrays);
};

class ExploredArrays {
public:
  /// The arguments have been placed successfully before.
  explicit ExploredArrays(std::span<const Argument> arguments);

  /// The array with this index and an element, which count in memory.
  struct ArrayElement {
    size_t array;
    int64_t element;
  };
  /// None for memory that is no array. `allocation` contains the place.
  std::optional<ArrayElement> find(const reference::Allocation &allocation,
                                   const reference::Place &place) const;
  /// Elements of an array that was not initialised have a value from now on.
  void markWritten(ArrayElement first, int64_t count);

  /// Sets the member of each array to its current content.
  void addContents(llvm::StringRef member);
  /// Copies the current contents.
  std::vector<ArrayResult> results() const;
  /// `arrays` of the document.
  llvm::json::Array takeJson() { return std::move(rows); }

private:
  std::vector<Placement::NamedArray> arrays;
  /// For each array the elements without a value; empty if it was initialised.
  std::vector<std::vector<bool>> unwritten;
  ContentLimits limits;
  llvm::json::Array rows;
};

/// The content of an array. `unwritten` has the elements in memory without a value; it may be
/// empty.
llvm::json::Object contentOf(const Array &array, const std::vector<bool> &unwritten,
                             const ContentLimits &limits);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_ARRAYS_H
