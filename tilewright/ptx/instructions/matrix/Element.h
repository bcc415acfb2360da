// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts the bits of matrix elements to numbers, for the instructions that multiply matrices.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_ELEMENT_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_ELEMENT_H

#include "tilewright/ptx/instructions/FloatValue.h"

namespace tilewright::ptx {

inline unsigned bitsOfElement(Type type) {
  return type == Type::U4 || type == Type::S4 ? 4 : type == Type::B1 ? 1 : 8 * bytesOf(type);
}

/// A number of at most 8 bits without infinities and NaNs: sign, exponent and mantissa.
inline double floatOfSmall(uint64_t bits, int exponentBits, int mantissaBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const int exponent = int(bits >> mantissaBits & ((1u << exponentBits) - 1));
  const uint64_t mantissa = bits & ((1u << mantissaBits) - 1);
  const uint64_t hidden = exponent ? uint64_t(1) << mantissaBits : 0;
  const double size =
      std::ldexp(double(hidden | mantissa), std::max(exponent, 1) - bias - mantissaBits);
  return bits >> (exponentBits + mantissaBits) & 1 ? -size : size;
}

/// The value of an element. Elements of 4 and 6 bits are in a container of 8 bits, e2m1 in its bits
/// 2 to 5.
inline double floatOfElement(uint64_t bits, Type type) {
  using numerics::Element;
  using numerics::Format;
  switch (type) {
  case Type::F16:
    return Element{bits, Format::F16}.asDouble();
  case Type::BF16:
    return Element{bits, Format::BF16}.asDouble();
  case Type::TF32: // the lower 13 bits are ignored
    return Element{bits >> 13, Format::TF32}.asDouble();
  case Type::E4M3:
    return Element{bits, Format::F8E4M3FN}.asDouble();
  case Type::E5M2:
    return Element{bits, Format::F8E5M2}.asDouble();
  case Type::E2M3:
    return floatOfSmall(bits, 2, 3);
  case Type::E3M2:
    return floatOfSmall(bits, 3, 2);
  case Type::E2M1:
    return floatOfSmall(bits >> 2, 2, 1);
  case Type::UE8M0:
    return Element{bits, Format::F8E8M0FNU}.asDouble();
  case Type::UE4M3: // unsigned
    return Element{bits & 0x7F, Format::F8E4M3FN}.asDouble();
  case Type::F32:
    return std::bit_cast<float>(uint32_t(bits));
  default:
    return std::bit_cast<double>(bits);
  }
}

inline int64_t integerOfElement(uint64_t bits, Type type) {
  const unsigned unused = 64 - bitsOfElement(type);
  return isSigned(type) ? int64_t(bits << unused) >> unused : int64_t(bits);
}

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_ELEMENT_H
