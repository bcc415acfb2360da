// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Array: what kernels compute on. It has extents and a NumPy dtype, and owns the bytes of its
// elements in C order (last dimension contiguous). Sizes are checked on construction, so that the
// byte count of an Array always fits int64 and this machine's memory.

#ifndef TILEWRIGHT_RUNTIME_ARRAY_H
#define TILEWRIGHT_RUNTIME_ARRAY_H

#include "tilewright/support/Result.h"

#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tilewright::runtime {

/// An element type: NumPy's letter ('b' boolean, 'i' signed, 'u' unsigned, 'f' floating point, 'V'
/// raw bytes) and the bytes per element.
struct Dtype {
  char kind;
  int64_t itemsize;

  bool operator==(const Dtype &) const = default;
};

/// As NumPy's `dtype.str` spells it on a little-endian machine: `<f4`, `|u1`, `|V2`.
std::string toString(Dtype dtype);

/// As Python writes a tuple: `()`, `(3,)`, `(2, 3)`.
std::string toString(std::span<const int64_t> shape);

/// NumPy's limit; small enough for code that recurses over dimensions.
inline constexpr size_t maxRank = 64;

/// The product of the extents. Refuses ranks above maxRank, negative extents and
/// products beyond int64, counting an extent of zero as one so that no stride can
/// overflow either.
support::Result<int64_t> elementCount(std::span<const int64_t> shape);

/// Strides in elements, as NumPy computes them: an extent of zero counts as one. `shape` must have
/// passed elementCount.
std::vector<int64_t> rowMajorStrides(std::span<const int64_t> shape);

/// Bytes of physical memory. Large requests are compared with it because of overcommit: the
/// allocation itself would succeed, and the process would be killed when it touches the pages.
int64_t memoryOfThisMachine();

class Array {
public:
  /// Enough for any vector load, and one cache line.
  static constexpr size_t alignment = 64;

  /// A zero-filled array.
  static support::Result<Array> zeros(Dtype dtype, std::vector<int64_t> shape);
  /// An array with uninitialised bytes, all of which the caller must write.
  static support::Result<Array> uninitialized(Dtype dtype, std::vector<int64_t> shape);

  /// Reinterprets the bytes as elements of another dtype of the same size.
  void setDtype(Dtype dtype) {
    assert(dtype.itemsize == elementType.itemsize && "elements keep their size");
    elementType = dtype;
  }

  Dtype dtype() const { return elementType; }
  std::span<const int64_t> shape() const { return extents; }
  int64_t elementCount() const { return byteCount / elementType.itemsize; }

  /// All elements. The address is aligned, is not null even if there are no elements, and stays the
  /// same when the Array is moved.
  std::span<uint8_t> bytes() { return {storage.get(), size_t(byteCount)}; }
  std::span<const uint8_t> bytes() const { return {storage.get(), size_t(byteCount)}; }

private:
  struct Free {
    void operator()(uint8_t *bytes) const { std::free(bytes); }
  };

  Array() = default;

  Dtype elementType;
  std::vector<int64_t> extents;
  int64_t byteCount = 0;
  std::unique_ptr<uint8_t[], Free> storage;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_ARRAY_H
