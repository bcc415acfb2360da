// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a pointer argument point to? A TypedArray: the runtime's bytes together
// with the element format that gives them a meaning. NumPy has a dtype for some
// formats only; the others travel as raw bytes or unsigned integers of the storage
// size, and f4E2M1FN as bytes that hold two elements each (types, 2.3 and 2.6).

#ifndef TILEWRIGHT_TOOLS_TYPEDARRAY_H
#define TILEWRIGHT_TOOLS_TYPEDARRAY_H

#include "tilewright/numerics/Element.h"
#include "tilewright/runtime/Array.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::tools {

/// The dtypes an array of this format may have in a file; the first is the one we
/// write. Empty for i4 and pointers, which have no form in a file.
llvm::SmallVector<runtime::Dtype> dtypesOf(numerics::Format format);

class TypedArray {
public:
  /// All bytes are `fill`. The shape counts elements.
  static support::Result<TypedArray> create(numerics::Format format, llvm::ArrayRef<int64_t> shape,
                                            uint8_t fill = 0);
  /// Gives the bytes of a file a meaning, if their dtype allows it.
  static support::Result<TypedArray> fromStorage(numerics::Format format, runtime::Array storage);

  numerics::Format format() const { return elementFormat; }
  /// Extents in elements. Those of the storage differ for f4E2M1FN, whose last storage
  /// extent counts pairs.
  llvm::ArrayRef<int64_t> shape() const { return extents; }
  int64_t elementCount() const;

  numerics::Element load(int64_t index) const;
  void store(int64_t index, numerics::Element element);

  /// Have the elements a value? Those of `empty(...)` have none.
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

/// Prints the elements the way NumPy does: nested brackets, aligned columns, and of a
/// long array only the ends. Ends with a newline.
/// Numbers, where every quiet NaN is `nan`; or the bits of each element, in hexadecimal.
enum class ArrayForm { Values, Bits };
void print(llvm::raw_ostream &os, const TypedArray &array, ArrayForm form = ArrayForm::Values);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_TYPEDARRAY_H
