// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is a tensor map spelled on a command line?
//
//     tensormap:box=64x32,swizzle=128B;zeros(256x128xf16),out=FILE.npy
//
// Options, then the array, as every other argument is spelled; or `@2` for the array of argument 2.
// Options have dimensions innermost first, as cuTensorMapEncodeTiled has them. `dims` and `strides`
// (in bytes, from the second dimension on) are those of the array if they are not given, and
// `type` the type of its elements.

#ifndef TILEWRIGHT_TOOLS_PTX_TENSORMAPSPEC_H
#define TILEWRIGHT_TOOLS_PTX_TENSORMAPSPEC_H

#include "tilewright/ptx/async/TensorMap.h"
#include "tools/tilewright/arrays/TypedArray.h"

#include "llvm/ADT/StringRef.h"

namespace tilewright::tools {

struct TensorMapSpec {
  /// Without what only the array knows.
  ptx::TensorMap map;
  bool hasType = false, hasDims = false, hasStrides = false;
  /// The argument, from 0, whose array it is of, or the spec of the array.
  std::optional<size_t> argument;
  std::string array;

  static bool isOne(llvm::StringRef text) { return text.starts_with("tensormap:"); }
  static support::Result<TensorMapSpec> parse(llvm::StringRef text);
  /// The map of this array, which is at an address.
  support::Result<ptx::TensorMap> mapOf(const TypedArray &array, uint64_t address) const;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PTX_TENSORMAPSPEC_H
