// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visits the elements of an array.

#ifndef TILEWRIGHT_API_EXPLORE_ELEMENTS_H
#define TILEWRIGHT_API_EXPLORE_ELEMENTS_H

#include "tilewright/api/Array.h"

#include "llvm/ADT/STLExtras.h"

namespace tilewright::api {

/// Calls visit(number in row-major order of the shape, number in memory).
template <typename Visit> void forEachElement(const Array &array, Visit visit) {
  const auto shape = array.shape();
  std::vector<int64_t> coordinates(shape.size());
  if (llvm::is_contained(shape, 0))
    return;
  for (int64_t number = 0, place = 0;; ++number) {
    visit(number, place);
    size_t dim = shape.size();
    while (dim > 0 && coordinates[dim - 1] + 1 == shape[dim - 1]) {
      --dim;
      place -= coordinates[dim] * array.strides()[dim];
      coordinates[dim] = 0;
    }
    if (dim == 0)
      return;
    ++coordinates[dim - 1];
    place += array.strides()[dim - 1];
  }
}

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_ELEMENTS_H
