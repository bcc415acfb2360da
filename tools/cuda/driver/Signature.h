// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parameters of an entry belong together? cuTile writes the types of a kernel's arguments
// into its symbol: `add_Kt1_A1f32_1l0_A1f32_1l0_Si32`. An array is a pointer, and an extent and a
// stride for each dimension; a list of arrays is a pointer to a table, and a length. Only the
// reference machine has to know, which checks that accesses stay in their array.

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
  /// Of an array, or of each in a list.
  size_t rank = 0;
  twElementType element = TW_NO_ELEMENT;
  /// Which argument of the function, from 0; and if that is a tuple, which item, and so on.
  std::vector<size_t> path = {};

  /// How many parameters it is.
  size_t parameterCount() const { return kind == Scalar ? 1 : kind == List ? 2 : 1 + 2 * rank; }
};

struct Signature {
  std::string function;
  /// Of the function, constants included.
  size_t argumentCount = 0;
  /// Those that are parameters; constants are none.
  std::vector<ArgumentType> arguments = {};
};

/// None if the symbol does not tell.
std::optional<Signature> signatureOf(std::string_view symbol);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_SIGNATURE_H
