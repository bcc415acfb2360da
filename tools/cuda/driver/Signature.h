// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out which parameters of an entry belong together. cuTile encodes the types of a kernel's
// arguments in its symbol: `add_Kt1_A1f32_1l0_A1f32_1l0_Si32`. An array is a pointer, followed by
// extents and strides; a list of arrays is a pointer to a table, and a length. Only the reference
// machine needs this: it checks that accesses stay within their array.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_SIGNATURE_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_SIGNATURE_H

#include "tilewright/api/Tilewright.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cuda {

struct ArgumentType {
  enum Kind { Scalar, Array, List } kind;
  /// For an array, or each array of a list.
  size_t rank = 0;
  twElementType element = TW_NO_ELEMENT;
  /// The index of the function's argument, from 0, followed by indices into nested tuples.
  std::vector<size_t> path = {};

  /// The number of kernel parameters for this argument.
  size_t parameterCount() const { return kind == Scalar ? 1 : kind == List ? 2 : 1 + 2 * rank; }
};

struct Signature {
  std::string function;
  /// The number of the function's arguments, including constants.
  size_t argumentCount = 0;
  /// The arguments that are parameters, without constants.
  std::vector<ArgumentType> arguments = {};
};

/// None if the symbol contains no types.
std::optional<Signature> signatureOf(std::string_view symbol);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_SIGNATURE_H
