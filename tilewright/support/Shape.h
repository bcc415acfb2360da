// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row-major order: converts between the coordinates of an element in an array or tile and its
// number. The last dimension is contiguous. A shape of rank 0 has one element. Extents are not
// negative; functions that require more say so.
//
// Lists are returned in a vector type that the caller chooses, for example `SmallVector<int64_t>`
// where LLVM is available: this room uses only the standard library.

#ifndef TILEWRIGHT_SUPPORT_SHAPE_H
#define TILEWRIGHT_SUPPORT_SHAPE_H

#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilewright::support {

/// The product of the extents; none if it, or a product on the way to it, exceeds 2^63 - 1. For
/// shapes that are known to be small, llvm::product_of does the same without the check.
inline std::optional<int64_t> elementCount(std::span<const int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count))
      return std::nullopt;
  return count;
}

/// The distance, in elements, of neighbours along a dimension: the product of the extents behind
/// it, which must fit 63 bits.
inline int64_t strideOf(std::span<const int64_t> shape, size_t dim) {
  assert(dim < shape.size() && "a dimension of the shape");
  int64_t stride = 1;
  for (int64_t extent : shape.subspan(dim + 1))
    stride *= extent;
  return stride;
}

/// The strides of all dimensions, in elements.
template <typename Numbers = std::vector<int64_t>>
Numbers rowMajorStrides(std::span<const int64_t> shape) {
  Numbers strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

/// The coordinates of the element with this number, which must exist.
template <typename Numbers = std::vector<int64_t>>
Numbers coordinatesOf(std::span<const int64_t> shape, int64_t number) {
  Numbers coordinates(shape.size(), 0);
  for (size_t dim = shape.size(); dim-- > 0;) {
    coordinates[dim] = number % shape[dim];
    number /= shape[dim];
  }
  return coordinates;
}

/// The number of the element at these coordinates.
inline int64_t numberOf(std::span<const int64_t> shape, std::span<const int64_t> coordinates) {
  assert(shape.size() == coordinates.size() && "a coordinate per dimension");
  int64_t number = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    number = number * shape[dim] + coordinates[dim];
  return number;
}

/// The coordinates of the element with this number as text, `[1, 0, 7]`; empty for rank 0.
inline std::string coordinateText(std::span<const int64_t> shape, int64_t number) {
  if (shape.empty())
    return "";
  std::string text;
  for (int64_t coordinate : coordinatesOf(shape, number))
    text += (text.empty() ? "[" : ", ") + std::to_string(coordinate);
  return text + "]";
}

} // namespace tilewright::support

#endif // TILEWRIGHT_SUPPORT_SHAPE_H
