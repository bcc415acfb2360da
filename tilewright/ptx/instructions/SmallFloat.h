// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The floats of 16 bits and less of which `cvt` puts two or four into a register. Values pass
// through f64, which holds all of these formats.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_SMALLFLOAT_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_SMALLFLOAT_H

#include "tilewright/ptx/instructions/FloatValue.h"

#include <optional>

namespace tilewright::ptx {

namespace mode {
/// The largest number, where there would be an infinity.
inline constexpr uint32_t satFinite = 0x2000;
} // namespace mode

/// One of the values in a register: how many bits it takes there, how it is made of bits, and its
/// format, if `numerics` has it.
struct SmallFloat {
  unsigned bits;
  int exponentBits, mantissaBits;
  std::optional<numerics::Format> format;
};

/// Of `.f16x2`, of `.e4m3x4` and their relatives.
const SmallFloat &partOf(Type type);
/// The untyped register that holds the type.
Type registerOf(Type type);

double decode(uint64_t bits, const SmallFloat &part);

/// With the modifiers of the mode. A NaN stays one; where there is none, it becomes the largest
/// number. Beyond the largest, there is an infinity, or a NaN, or with .satfinite the largest.
uint64_t encode(double value, const SmallFloat &part, uint32_t m);

/// The same, rounded away from zero if the bits behind the last that is kept, and random bits added
/// to the first of them, have a carry; else towards zero.
uint64_t encodeStochastic(double value, const SmallFloat &part, uint32_t m, uint32_t random,
                          unsigned randomBits);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_SMALLFLOAT_H
