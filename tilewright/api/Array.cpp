// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Array.h.

#include "tilewright/api/Array.h"
#include "tilewright/numerics/Memory.h"
#include "tilewright/runtime/Array.h"
#include "tilewright/support/Shape.h"

#include <algorithm>
#include <cstring>

using namespace tilewright;
using namespace tilewright::api;
using numerics::Format;
using support::Failure;
using support::Result;
/// With inline storage, because a launch must be cheap.
using Numbers = llvm::SmallVector<int64_t, 4>;

static std::string spelling(Format format) { return numerics::info(format).spelling; }

static Result<void> verifyFormat(Format format, std::span<const int64_t> shape) {
  if (format == Format::I4 || format == Format::Pointer)
    return Failure{spelling(format) + " has no form in memory"};
  if (format == Format::F4E2M1FN && (shape.empty() || shape.back() % 2 != 0))
    return Failure{"an array of f4E2M1FN holds two elements per byte: its last extent must be "
                   "even, but its shape is " +
                   runtime::toString(shape)};
  return {};
}

/// Like NumPy, treats an extent of zero as one.
static Numbers rowMajorStrides(std::span<const int64_t> shape) {
  Numbers extents(shape.begin(), shape.end());
  std::ranges::replace(extents, 0, 1);
  return support::rowMajorStrides<Numbers>(extents);
}

static Result<void> verifyStrides(Format format, std::span<const int64_t> shape,
                                  std::span<const int64_t> strides) {
  if (strides.size() != shape.size())
    return Failure{"expected a stride for each of " + std::to_string(shape.size()) +
                   " dimensions, but got " + std::to_string(strides.size())};
  if (std::ranges::any_of(strides, [](int64_t stride) { return stride < 0; }))
    return Failure{"strides must not be negative, but are " + runtime::toString(strides)};
  if (format == Format::F4E2M1FN && !std::ranges::equal(strides, rowMajorStrides(shape)))
    return Failure{"an array of f4E2M1FN must be in row-major order, but its strides are " +
                   runtime::toString(strides)};
  return {};
}

/// The index of the last element in memory, plus one; none if it is too large.
static std::optional<int64_t> reachOf(std::span<const int64_t> shape,
                                      std::span<const int64_t> strides) {
  int64_t last = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t step;
    if (shape[i] == 0)
      return 0;
    if (__builtin_mul_overflow(shape[i] - 1, strides[i], &step) ||
        __builtin_add_overflow(last, step, &last))
      return std::nullopt;
  }
  constexpr int64_t most = int64_t(1) << 60; // the size in bytes still fits an int64
  return last < most ? std::optional(last + 1) : std::nullopt;
}

Array::Array(Format format, std::span<const int64_t> shape)
    : elementFormat(format), extents(shape.begin(), shape.end()) {}

Result<Array> Array::create(void *data, Format format, std::span<const int64_t> shape,
                            std::span<const int64_t> strides) {
  if (Result<int64_t> count = runtime::elementCount(shape); !count)
    return count.failure();
  if (Result<void> known = verifyFormat(format, shape); !known)
    return known.failure();
  Array array(format, shape);
  if (strides.empty())
    array.elementStrides = rowMajorStrides(shape);
  else
    array.elementStrides.assign(strides.begin(), strides.end());
  if (Result<void> legal = verifyStrides(format, shape, array.elementStrides); !legal)
    return legal.failure();
  std::optional<int64_t> reach = reachOf(shape, array.elementStrides);
  if (!reach)
    return Failure{"an array of shape " + runtime::toString(shape) + " and strides " +
                   runtime::toString(array.elementStrides) + " is larger than any memory"};
  if (!data && *reach)
    return Failure{"the address of the " + toString(array) + " array is null"};
  if (uintptr_t(data) % std::max(numerics::info(format).storageBits / 8, 1))
    return Failure{"the address of the " + toString(array) +
                   " array is not a multiple of the size of an element"};
  array.memory = {static_cast<uint8_t *>(data), size_t(numerics::storageBytes(format, *reach))};
  return array;
}

Result<void> Array::link(int64_t element, Array target) {
  const std::string which = "element " + std::to_string(element) + " of the " + toString(*this);
  if (elementFormat != Format::I64)
    return Failure{which + " array cannot be an address: that takes an array of i64"};
  if (element < 0 || element >= int64_t(memory.size() / sizeof(uint64_t)))
    return Failure{which + " array does not exist: there are " +
                   std::to_string(memory.size() / sizeof(uint64_t)) + " in its memory"};
  if (!isInitialised)
    return Failure{which + " array cannot be an address, because the array is not initialised"};
  uint64_t found;
  std::memcpy(&found, memory.data() + element * sizeof found, sizeof found);
  if (found != reinterpret_cast<uintptr_t>(target.memory.data()))
    return Failure{which + " array is not the address of the " + toString(target) + " array"};
  targets.push_back({element, std::move(target)});
  return {};
}

Result<void> Multicast::verify() const {
  if (copies.empty())
    return Failure{"multicast memory stands for at least one array, but there is none"};
  const Array &first = copies.front();
  for (const Array &copy : copies) {
    if (copy.format() != first.format() || copy.bytes().size() != first.bytes().size())
      return Failure{"the arrays of multicast memory must be of one format and size, but one is " +
                     toString(first) + " and one " + toString(copy)};
    if (!copy.links().empty())
      return Failure{"an array of multicast memory cannot have addresses of other arrays"};
  }
  if (numerics::info(first.format()).storageBits % 8 != 0)
    return Failure{"multicast memory of " + spelling(first.format()) +
                   " is not supported: two elements share a byte"};
  return {};
}

std::string api::toString(const Array &array) {
  std::string text;
  for (int64_t extent : array.shape())
    text += std::to_string(extent) + "x";
  return text + spelling(array.format());
}
