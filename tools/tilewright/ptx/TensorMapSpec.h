// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses a tensor map on the command line:
//
//     tensormap:box=64x32,swizzle=128B;zeros(256x128xf16),out=FILE.npy
//
// The options are followed by the array, in the syntax of other arguments, or `@2` for the array of
// argument 2. Options list the innermost dimension first, like cuTensorMapEncodeTiled. By default,
// `dims`, `strides` (in bytes, from the second dimension on) and `type` (the element type) are
// those of the array.

#ifndef TILEWRIGHT_TOOLS_PTX_TENSORMAPSPEC_H
#define TILEWRIGHT_TOOLS_PTX_TENSORMAPSPEC_H

#include "tilewright/ptx/async/TensorMap.h"
#include "tools/tilewright/arrays/TypedArray.h"

#include "llvm/ADT/StringRef.h"

namespace tilewright::tools {

struct TensorMapSpec {
  /// Incomplete: mapOf adds the properties of the array.
  ptx::TensorMap map;
  bool hasType = false, hasDims = false, hasStrides = false;
  /// The index, from 0, of the argument with the array; or, if none, the spec of the array.
  std::optional<size_t> argument;
  std::string array;

  static bool isOne(llvm::StringRef text) { return text.starts_with("tensormap:"); }
  static support::Result<TensorMapSpec> parse(llvm::StringRef text);
  /// The complete tensor map, for this array at this address.
  support::Result<ptx::TensorMap> mapOf(const TypedArray &array, uint64_t address) const;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_PTX_TENSORMAPSPEC_H
