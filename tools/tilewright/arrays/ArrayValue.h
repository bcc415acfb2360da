// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses arrays and scalars on the command line. An array is one of:
//
//     f32[[1, 2], [3, 4]]     these elements, with a nested list per dimension
//     zeros(128x64xf16)       all elements are zero
//     random(1000xf32;seed=3) reproducible noise: floats in [0, 1), nonnegative integers
//     iota(64xi32)            0, 1, 2, ... in C order
//     empty(64xf32)           uninitialised: every byte is 0xAA
//     FILE.npy                the contents of the file
//
// Elements have the syntax of parseValue. Values that do not fit their format are errors: nothing
// wraps around or overflows silently.

#ifndef TILEWRIGHT_TOOLS_ARRAYVALUE_H
#define TILEWRIGHT_TOOLS_ARRAYVALUE_H

#include "tools/tilewright/arrays/TypedArray.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::tools {

/// Whether the text has the form of an array, even if it is malformed. Otherwise it can only be a
/// scalar.
bool isArrayValue(llvm::StringRef text);

/// Parses or generates an array with elements of this format. Error messages contain what was
/// expected and found; the caller adds the name of the argument.
support::Result<TypedArray> makeArray(llvm::StringRef text, numerics::Format expected);

/// Parses an element (numerics::parseElement). Numbers whose magnitude the format cannot represent
/// are refused, unlike in constants of a program, which become Inf, NaN or the largest value
/// (types, 2.7).
support::Result<numerics::Element> parseValue(numerics::Format format, llvm::StringRef text);

/// The element that `random` makes from one random number. The generator is std::mt19937_64, whose
/// sequence the C++ standard defines, seeded with `seed`. Each element in C order takes one number
/// r, which becomes
///   - integers of n bits: the top n - 1 bits of r (i1: the top bit), so 0 .. 2^(n-1) - 1;
///   - floats: k / 2^p in [0, 1), where k is the top p bits of r and p the precision of the format
///     (f4E2M1FN: p = 1), so that every value is exact;
///   - f8E8M0FNU, which only has powers of two: 2^-8 .. 2^-1, from the top 3 bits of r.
numerics::Element randomElement(numerics::Format format, uint64_t draw);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_ARRAYVALUE_H
