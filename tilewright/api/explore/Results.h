// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What two launches on the same arguments left in their arrays, and where that differs.

#ifndef TILEWRIGHT_API_EXPLORE_RESULTS_H
#define TILEWRIGHT_API_EXPLORE_RESULTS_H

#include "tilewright/api/Array.h"

#include "llvm/Support/JSON.h"

namespace tilewright::api {

/// The content of an array after a launch.
struct ArrayResult {
  /// Its format, extents and strides; the memory of the array has other contents by now.
  const Array *array;
  std::vector<uint8_t> bytes;
  /// The elements in memory without a value; empty if all have one.
  std::vector<bool> unwritten;
};

/// An element of `compare.arrays` in the document. Both results are of the same array.
llvm::json::Object differencesOf(const ArrayResult &before, const ArrayResult &after);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_RESULTS_H
