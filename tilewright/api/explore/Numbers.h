// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of numbers in JSON: binary, in base64, so that a page decodes a million of them at once.

#ifndef TILEWRIGHT_API_EXPLORE_NUMBERS_H
#define TILEWRIGHT_API_EXPLORE_NUMBERS_H

#include "tilewright/numerics/Element.h"

#include <string>
#include <vector>

namespace tilewright::api {

/// The value of a number. Integers are signed, booleans 0 or 1, and integers beyond 2^53 rounded.
double numberOf(numerics::Element element);

struct PackedNumbers {
  /// `f32` if that is exact for all numbers, else `f64`.
  llvm::StringRef type;
  /// Little-endian.
  std::string base64;
};
PackedNumbers pack(llvm::ArrayRef<double> numbers);
/// Rounds to f32.
std::string packRounded(llvm::ArrayRef<double> numbers);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_NUMBERS_H
