// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the size of arrays: the byte count must fit int64 and the physical memory of this machine.
// The second check is needed because of overcommit: the allocation would succeed, and the process
// would be killed when it touches the pages.

#include "tilewright/runtime/Array.h"
#include "tilewright/support/Shape.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::runtime;
using support::Failure;
using support::Result;

std::string runtime::toString(Dtype dtype) {
  // NumPy gives single bytes and raw bytes no byte order.
  const char order = dtype.itemsize == 1 || dtype.kind == 'V' ? '|' : '<';
  return std::string{order, dtype.kind} + std::to_string(dtype.itemsize);
}

std::string runtime::toString(std::span<const int64_t> shape) {
  std::string text = "(";
  for (size_t dim = 0; dim < shape.size(); ++dim)
    text += (dim ? ", " : "") + std::to_string(shape[dim]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

/// Like NumPy, counts an extent of zero as one.
static std::vector<int64_t> withoutZeros(std::span<const int64_t> shape) {
  std::vector<int64_t> extents(shape.begin(), shape.end());
  std::ranges::replace(extents, 0, 1);
  return extents;
}

Result<int64_t> runtime::elementCount(std::span<const int64_t> shape) {
  if (shape.size() > maxRank)
    return Failure{"a shape may have at most " + std::to_string(maxRank) +
                   " dimensions, but this one has " + std::to_string(shape.size())};
  if (std::ranges::any_of(shape, [](int64_t extent) { return extent < 0; }))
    return Failure{"shape " + toString(shape) + " has a negative extent"};
  // If one extent is zero, the product of the others must not overflow either.
  int64_t count = 1;
  bool isEmpty = false;
  for (int64_t extent : shape) {
    isEmpty |= extent == 0;
    if (extent && __builtin_mul_overflow(count, extent, &count))
      return Failure{"shape " + toString(shape) + " has more than 2^63 - 1 elements"};
  }
  return isEmpty ? 0 : count;
}

std::vector<int64_t> runtime::rowMajorStrides(std::span<const int64_t> shape) {
  return support::rowMajorStrides(withoutZeros(shape));
}

int64_t tilewright::runtime::memoryOfThisMachine() {
  // Cached: it is a system call, and every launch needs it.
  static const int64_t bytes = int64_t(sysconf(_SC_PHYS_PAGES)) * int64_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

Result<Array> Array::uninitialized(Dtype dtype, std::vector<int64_t> shape) {
  assert(dtype.itemsize > 0 && "an element occupies at least one byte");
  Result<int64_t> count = runtime::elementCount(shape);
  if (!count)
    return count.failure();

  const std::string what = "an array of shape " + toString(shape) + " and dtype " + toString(dtype);
  Array array;
  if (__builtin_mul_overflow(*count, dtype.itemsize, &array.byteCount))
    return Failure{what + " has more than 2^63 - 1 bytes"};
  const std::string bytes = std::to_string(array.byteCount) + " bytes";
  if (array.byteCount > memoryOfThisMachine())
    return Failure{what + " needs " + bytes + ", but this machine has " +
                   std::to_string(memoryOfThisMachine())};

  // aligned_alloc requires a multiple of the alignment. It is at least one, so that an empty array
  // has an address too.
  const size_t rounded = (size_t(array.byteCount) / alignment + 1) * alignment;
  array.storage.reset(static_cast<uint8_t *>(std::aligned_alloc(alignment, rounded)));
  if (!array.storage)
    return Failure{what + " needs " + bytes + ", which could not be allocated"};
  array.elementType = dtype;
  array.extents = std::move(shape);
  return array;
}

Result<Array> Array::zeros(Dtype dtype, std::vector<int64_t> shape) {
  Result<Array> array = uninitialized(dtype, std::move(shape));
  if (array)
    std::memset(array->bytes().data(), 0, array->bytes().size());
  return array;
}
