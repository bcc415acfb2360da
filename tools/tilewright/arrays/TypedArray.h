// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array argument: a runtime::Array (bytes) with an element format. NumPy has a dtype for some
// formats only. Files contain the others as raw bytes or unsigned integers of the storage size, and
// f4E2M1FN as bytes with two elements each (types, 2.3 and 2.6).

#ifndef TILEWRIGHT_TOOLS_TYPEDARRAY_H
#define TILEWRIGHT_TOOLS_TYPEDARRAY_H

#include "tilewright/numerics/Element.h"
#include "tilewright/runtime/Array.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::tools {

/// The dtypes that a file with elements of this format may have; the first one is used for writing.
/// Empty for i4 and pointers, which cannot be stored in files.
llvm::SmallVector<runtime::Dtype> dtypesOf(numerics::Format format);

class TypedArray {
public:
  /// Sets all bytes to `fill`. The shape is in elements.
  static support::Result<TypedArray> create(numerics::Format format, llvm::ArrayRef<int64_t> shape,
                                            uint8_t fill = 0);
  /// Interprets the contents of a file as this format. Fails if the dtype does not match.
  static support::Result<TypedArray> fromStorage(numerics::Format format, runtime::Array storage);

  numerics::Format format() const { return elementFormat; }
  /// Extents in elements. They differ from the storage's extents for f4E2M1FN, whose last storage
  /// extent counts pairs.
  llvm::ArrayRef<int64_t> shape() const { return extents; }
  int64_t elementCount() const;

  numerics::Element load(int64_t index) const;
  void store(int64_t index, numerics::Element element);

  /// False for `empty(...)`, whose elements have no values until a kernel writes them.
  bool isInitialised() const { return initialised; }
  void setUninitialised() { initialised = false; }

  runtime::Array &storage() { return array; }
  const runtime::Array &storage() const { return array; }

private:
  TypedArray(numerics::Format format, llvm::ArrayRef<int64_t> shape, runtime::Array array)
      : elementFormat(format), extents(shape), array(std::move(array)) {}

  numerics::Format elementFormat;
  llvm::SmallVector<int64_t> extents;
  runtime::Array array;
  bool initialised = true;
};

/// `128x64xf16`
std::string typeText(numerics::Format format, llvm::ArrayRef<int64_t> shape);

/// Numbers, where every quiet NaN is `nan`; or the bits of each element, in hexadecimal.
enum class ArrayForm { Values, Bits };
/// Prints the elements like NumPy: nested brackets, aligned columns, and only the ends of long
/// arrays. Ends with a newline.
void print(llvm::raw_ostream &os, const TypedArray &array, ArrayForm form = ArrayForm::Values);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_TYPEDARRAY_H
