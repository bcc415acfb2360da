// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays can be spelled on a command line?
//
//     f32[[1, 2], [3, 4]]     these elements, nested as the dimensions are
//     zeros(128x64xf16)       all zero
//     random(1000xf32;seed=3) reproducible noise: floats in [0, 1), integers not negative
//     iota(64xi32)            0, 1, 2, ... in C order
//     empty(64xf32)           nothing yet: every byte is 0xAA
//     FILE.npy                what the file holds
//
// Elements are spelled as parseValue reads them; nothing wraps around or overflows
// silently.

#ifndef TILEWRIGHT_TOOLS_ARRAYVALUE_H
#define TILEWRIGHT_TOOLS_ARRAYVALUE_H

#include "tools/tilewright/arrays/TypedArray.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::tools {

/// Whether the text is spelled as an array, well-formed or not; otherwise it can only
/// be a scalar.
bool isArrayValue(llvm::StringRef text);

/// The array that the text spells, whose elements are to be of this format. Errors say
/// what was expected and found, but not for whom: that is the caller's to add.
support::Result<TypedArray> makeArray(llvm::StringRef text, numerics::Format expected);

/// The element that the text spells (numerics::parseElement). A number whose magnitude
/// the format cannot hold is refused, where a constant in a program would become Inf,
/// NaN or the largest value (types, 2.7).
support::Result<numerics::Element> parseValue(numerics::Format format, llvm::StringRef text);

/// What `random` makes of one draw. The generator is std::mt19937_64, which the C++
/// standard defines bit by bit, seeded with `seed` and drawn from once per element in C
/// order; a draw r becomes
///   - integers of n bits: the top n - 1 bits of r (i1: the top bit), so 0 .. 2^(n-1) - 1;
///   - floats: k / 2^p in [0, 1), k being the top p bits of r and p the precision of
///     the format (f4E2M1FN: p = 1), which makes every value exact;
///   - f8E8M0FNU, which only has powers of two: 2^-8 .. 2^-1 by the top 3 bits of r.
numerics::Element randomElement(numerics::Format format, uint64_t draw);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_ARRAYVALUE_H
