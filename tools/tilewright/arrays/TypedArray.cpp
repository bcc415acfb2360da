// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TypedArray.h. dtypesOf is the table of NumPy dtypes per element format (types, 2.6), for both
// reading and writing files.

#include "tools/tilewright/arrays/TypedArray.h"

#include "tilewright/numerics/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstring>

using namespace tilewright;
using namespace tilewright::tools;
using namespace llvm;
using numerics::Format;
using runtime::Dtype;
using support::Failure;
using support::Result;

SmallVector<Dtype> tools::dtypesOf(Format format) {
  const int64_t bytes = (numerics::info(format).storageBits + 7) / 8;
  switch (format) {
  case Format::I1: // One byte per element; all values but 0 are true.
    return {{'b', 1}, {'u', 1}, {'i', 1}};
  case Format::I8:
  case Format::I16:
  case Format::I32:
  case Format::I64: // Signless.
    return {{'i', bytes}, {'u', bytes}};
  case Format::F16:
  case Format::F32:
  case Format::F64:
    return {{'f', bytes}};
  case Format::TF32: // A 32-bit float whose low bits are unused.
    return {{'f', 4}, {'V', 4}, {'u', 4}};
  case Format::F8E5M2: // ml_dtypes saves it as a one-byte float, <f1.
    return {{'V', 1}, {'u', 1}, {'f', 1}};
  case Format::BF16:
  case Format::F8E4M3FN:
  case Format::F8E8M0FNU:
  case Format::F8E5M3FNU:
  case Format::F4E2M1FN: // Packed: a byte holds two elements.
    return {{'V', bytes}, {'u', bytes}};
  case Format::I4:
  case Format::Pointer:
    return {};
  }
  llvm_unreachable("every format has a row");
}

/// The shape of the storage in bytes, for an array of this shape.
static Result<SmallVector<int64_t>> storageShape(Format format, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> extents(shape);
  if (format != Format::F4E2M1FN)
    return extents;
  if (shape.empty() || shape.back() % 2 != 0)
    return Failure{"an array of f4E2M1FN holds two elements per byte: its last extent must be "
                   "even, but its shape is " +
                   runtime::toString(shape)};
  extents.back() /= 2;
  return extents;
}

Result<TypedArray> TypedArray::create(Format format, ArrayRef<int64_t> shape, uint8_t fill) {
  const SmallVector<Dtype> dtypes = dtypesOf(format);
  if (dtypes.empty())
    return Failure{std::string(numerics::info(format).spelling) + " has no form in memory"};
  // The number of elements must not overflow either: f4E2M1FN has two per byte.
  if (Result<int64_t> count = runtime::elementCount(shape); !count)
    return count.failure();
  Result<SmallVector<int64_t>> extents = storageShape(format, shape);
  if (!extents)
    return extents.failure();
  Result<runtime::Array> array =
      runtime::Array::uninitialized(dtypes.front(), {extents->begin(), extents->end()});
  if (!array)
    return array.failure();
  std::memset(array->bytes().data(), fill, array->bytes().size());
  return TypedArray(format, shape, std::move(*array));
}

Result<TypedArray> TypedArray::fromStorage(Format format, runtime::Array storage) {
  const SmallVector<Dtype> dtypes = dtypesOf(format);
  if (!is_contained(dtypes, storage.dtype())) {
    const auto spell = [](Dtype dtype) { return runtime::toString(dtype); };
    return Failure{"expected dtype " + join(map_range(dtypes, spell), " or ") + " for " +
                   numerics::info(format).spelling + ", but found " +
                   runtime::toString(storage.dtype())};
  }
  // NumPy cannot load one-byte floats, so never write one.
  if (storage.dtype() == Dtype{'f', 1})
    storage.setDtype({'V', 1});
  SmallVector<int64_t> shape(storage.shape().begin(), storage.shape().end());
  if (format == Format::F4E2M1FN) {
    if (shape.empty())
      return Failure{"expected at least one dimension for packed f4E2M1FN, but found none"};
    // Only an empty array can have such extents in a valid file.
    if (__builtin_mul_overflow(shape.back(), int64_t(2), &shape.back()) ||
        !runtime::elementCount(shape))
      return Failure{"shape " + runtime::toString(storage.shape()) +
                     " of packed f4E2M1FN has more "
                     "than 2^63 - 1 elements"};
  }
  return TypedArray(format, shape, std::move(storage));
}

int64_t TypedArray::elementCount() const {
  return array.elementCount() * (elementFormat == Format::F4E2M1FN ? 2 : 1);
}

numerics::Element TypedArray::load(int64_t index) const {
  assert(index >= 0 && index < elementCount() && "an element of the array");
  return numerics::load(array.bytes().data(), index, elementFormat);
}

void TypedArray::store(int64_t index, numerics::Element element) {
  assert(index >= 0 && index < elementCount() && "an element of the array");
  assert(element.format == elementFormat && "an element of the array's format");
  numerics::store(array.bytes().data(), index, element);
}

std::string tools::typeText(Format format, llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + numerics::info(format).spelling;
}
