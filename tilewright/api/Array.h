// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments for the parameters of a kernel. For a pointer, an Array describes memory of the caller:
// element format, extents and strides. It neither copies nor owns the memory; a launch accesses the
// elements in place. An i64 array may hold addresses of other arrays (links). An Address is memory
// of unknown size. A Multicast is one address that stands for several arrays.

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
  /// There is one stride per extent, in elements, not negative; without strides, the array is in
  /// row-major order. In memory, an i1 takes one byte, a tf32 takes four, and an f4E2M1FN half a
  /// byte: an array of f4E2M1FN is in row-major order and its last extent is even. Fails for i4 and
  /// pointers, which have no form in memory. The address is a multiple of the element size, and
  /// null only if there are no elements.
  static support::Result<Array> create(void *data, numerics::Format format,
                                       std::span<const int64_t> shape,
                                       std::span<const int64_t> strides = {});

  numerics::Format format() const { return elementFormat; }
  std::span<const int64_t> shape() const { return extents; }
  std::span<const int64_t> strides() const { return elementStrides; }
  /// From the first element to the last one that the strides reach, inclusive.
  std::span<uint8_t> bytes() const { return memory; }

  /// If false, the elements have no value until the kernel writes them; the reference machine and
  /// the PTX machine report a kernel that uses one before.
  bool isInitialised = true;

  /// The name in findings, `array x`. If empty, they use the number of the parameter: `parameter
  /// 2`.
  std::string name = {};

  /// Declares that an element of this i64 array is the address of the first byte of another array,
  /// which kernels access through it. `element` counts from 0 in memory, whatever the strides. The
  /// element must already hold the address, and keep it until the launch has ended: on a CPU,
  /// compiled code reads it unchanged. On other devices, arrays have other addresses, so the launch
  /// runs on a copy with those. Fails if there is no such element, or if it does not hold the
  /// address.
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

/// The address of memory of unknown size, for any pointer parameter; the caller is responsible for
/// what the kernel accesses there. On a GPU, it is an address in the memory of the first GPU, which
/// the kernel uses in place. The machines check every access, so they need arrays.
struct Address {
  void *data;
};

/// The arrays that a multicast address stands for: at least one, all of one format and size. The
/// multimem operations of a kernel read and write them together; other operations must not access
/// memory at that address. Each array may also be an argument of its own. Links and elements of
/// half a byte are not supported.
struct Multicast {
  std::vector<Array> copies;

  support::Result<void> verify() const;
};

/// The argument for one parameter.
using Argument = std::variant<Array, numerics::Element, Address, Multicast>;

/// `4x8xf32`
std::string toString(const Array &array);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ARRAY_H
