// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a kernel compute on? An Array: n extents, a dtype as NumPy names it, and
// the bytes of all elements in C order (last dimension contiguous), which it owns.
// Sizes are checked once, here, so that nobody who holds an Array has to wonder
// whether its byte count fits a machine word or this machine's memory.

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

/// The kind of an element, by NumPy's letter: 'b' boolean, 'i' signed, 'u' unsigned,
/// 'f' floating point, 'V' raw bytes; and the bytes one element occupies.
struct Dtype {
  char kind;
  int64_t itemsize;

  bool operator==(const Dtype &) const = default;
};

/// As NumPy's `dtype.str` spells it on a little-endian machine: `<f4`, `|u1`, `|V2`.
std::string toString(Dtype dtype);

/// As Python writes a tuple: `()`, `(3,)`, `(2, 3)`.
std::string toString(std::span<const int64_t> shape);

/// As many dimensions as NumPy allows; code that walks them may recurse.
inline constexpr size_t maxRank = 64;

/// The product of the extents. Refuses ranks above maxRank, negative extents and
/// products beyond int64, counting an extent of zero as one so that no stride can
/// overflow either.
support::Result<int64_t> elementCount(std::span<const int64_t> shape);

/// Strides in elements, as NumPy gives them: an extent of zero counts as one. `shape` passed
/// elementCount.
std::vector<int64_t> rowMajorStrides(std::span<const int64_t> shape);

/// Bytes of physical memory. An allocator that overcommits says yes to anything, and the
/// process dies only when the pages are touched; so large requests are held against this.
int64_t memoryOfThisMachine();

class Array {
public:
  /// Wide enough for any vector load and for a cache line.
  static constexpr size_t alignment = 64;

  /// An array whose bytes are zero.
  static support::Result<Array> zeros(Dtype dtype, std::vector<int64_t> shape);
  /// An array whose bytes are not initialised: the caller writes them all.
  static support::Result<Array> uninitialized(Dtype dtype, std::vector<int64_t> shape);

  /// Reads the same bytes as elements of another dtype of the same size.
  void setDtype(Dtype dtype) {
    assert(dtype.itemsize == elementType.itemsize && "elements keep their size");
    elementType = dtype;
  }

  Dtype dtype() const { return elementType; }
  std::span<const int64_t> shape() const { return extents; }
  int64_t elementCount() const { return byteCount / elementType.itemsize; }

  /// All elements. The address is aligned, not null even when there is no element,
  /// and stays the same when the Array is moved.
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
