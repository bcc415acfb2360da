// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 16-bit and smaller floats that `cvt` packs two or four to a register. Values pass through
// f64, which represents all of these formats exactly.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_SMALLFLOAT_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_SMALLFLOAT_H

#include "tilewright/ptx/instructions/FloatValue.h"

#include <optional>

namespace tilewright::ptx {

namespace mode {
/// Results beyond the largest number become the largest number instead of an infinity.
inline constexpr uint32_t satFinite = 0x2000;
} // namespace mode

/// One value in a register: the bits that it occupies, those of its exponent and mantissa, and its
/// format, if `numerics` has it.
struct SmallFloat {
  unsigned bits;
  int exponentBits, mantissaBits;
  std::optional<numerics::Format> format;
};

/// The element format of `.f16x2`, `.e4m3x4` and others.
const SmallFloat &partOf(Type type);
/// The untyped register type for this type.
Type registerOf(Type type);

double decode(uint64_t bits, const SmallFloat &part);

/// Encodes a value with the modifiers of the mode. A NaN stays a NaN; a format without NaNs gets
/// the largest number. Numbers beyond the largest become an infinity or a NaN, with .satfinite the
/// largest.
uint64_t encode(double value, const SmallFloat &part, uint32_t m);

/// The same with stochastic rounding: adds the random bits to the most significant discarded bits.
/// A carry rounds away from zero; without it, the result is rounded towards zero.
uint64_t encodeStochastic(double value, const SmallFloat &part, uint32_t m, uint32_t random,
                          unsigned randomBits);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_SMALLFLOAT_H
