// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a pointer parameter point to? An Array: memory of the caller, with the format, the
// extents and the strides of the elements in it. Nothing is copied and nothing is owned: a launch
// reads and writes the elements where they are. Elements may themselves be addresses of arrays; and
// where nobody knows an extent, there is an Address. One pointer may stand for several arrays: a
// Multicast.

#ifndef TILEWRIGHT_API_ARRAY_H
#define TILEWRIGHT_API_ARRAY_H

#include "tilewright/numerics/Element.h"
#include "tilewright/support/Result.h"

#include "llvm/ADT/SmallVector.h"
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tilewright::api {

struct Link;

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

  /// What findings call it, `array x`; empty: by its parameter, `parameter 2`.
  std::string name = {};

  /// Says that an element of this array of i64 is the address of the first byte of another array,
  /// which kernels access through it. `element` counts from 0 in memory, whatever the strides.
  /// Compiled code finds the address there, so it must be there already, and stay until the launch
  /// has ended. The reference machine gives arrays addresses of its own: it runs on a copy that has
  /// those. Fails if there is no such element, or it does not hold the address.
  support::Result<void> link(int64_t element, Array target);
  std::span<const Link> links() const;

private:
  Array(numerics::Format format, std::span<const int64_t> shape);

  numerics::Format elementFormat;
  llvm::SmallVector<int64_t, 4> extents, elementStrides;
  std::span<uint8_t> memory;
  std::vector<Link> targets;
};

/// An element of an array that is the address of another array.
struct Link {
  int64_t element;
  Array target;
};

inline std::span<const Link> Array::links() const { return targets; }

/// Memory of which nobody knows how much there is: whoever passes it answers for what the kernel
/// does there. Compiled code takes it for any pointer parameter; the reference machine, which
/// checks every access, takes only arrays.
struct Address {
  void *data;
};

/// What a multicast address stands for: arrays of one format and size, at least one. The multimem
/// operations of a kernel read and write them together, and nothing else may access memory there;
/// an array may be an argument by itself, too. Links and elements of half a byte are not supported.
struct Multicast {
  std::vector<Array> copies;

  support::Result<void> verify() const;
};

/// What a parameter is given.
using Argument = std::variant<Array, numerics::Element, Address, Multicast>;

/// `4x8xf32`
std::string toString(const Array &array);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ARRAY_H
