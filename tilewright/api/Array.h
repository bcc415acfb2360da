// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a pointer parameter point to? An Array: memory of the caller, with the format, the
// extents and the strides of the elements in it. Nothing is copied and nothing is owned: a launch
// reads and writes the elements where they are.

#ifndef TILEWRIGHT_API_ARRAY_H
#define TILEWRIGHT_API_ARRAY_H

#include "tilewright/numerics/Element.h"
#include "tilewright/support/Result.h"

#include <span>
#include <variant>
#include <vector>

namespace tilewright::api {

class Array {
public:
  /// `strides` counts elements, one per extent, none negative; without any, elements lie in
  /// row-major order. i1 takes a byte per element, tf32 four, and f4E2M1FN half a byte: such an
  /// array is in row-major order and its last extent even. i4 and pointers have no form in memory.
  /// The address is a multiple of the size of an element, and null only if there are none.
  static support::Result<Array> create(void *data, numerics::Format format,
                                       std::span<const int64_t> shape,
                                       std::span<const int64_t> strides = {});

  numerics::Format format() const { return elementFormat; }
  std::span<const int64_t> shape() const { return extents; }
  std::span<const int64_t> strides() const { return elementStrides; }
  /// From the first element to the last one that the strides reach.
  std::span<uint8_t> bytes() const { return memory; }

  /// Elements have no value until the kernel writes them: the reference machine reports a kernel
  /// that uses one before.
  bool isInitialised = true;

private:
  Array(numerics::Format format, std::span<const int64_t> shape)
      : elementFormat(format), extents(shape.begin(), shape.end()) {}

  numerics::Format elementFormat;
  std::vector<int64_t> extents, elementStrides;
  std::span<uint8_t> memory;
};

/// What a parameter is given.
using Argument = std::variant<Array, numerics::Element>;

/// `4x8xf32`
std::string toString(const Array &array);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ARRAY_H
