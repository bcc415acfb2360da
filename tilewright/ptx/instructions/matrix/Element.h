// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is an element of a matrix, by its bits? For the instructions that multiply matrices.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_ELEMENT_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_ELEMENT_H

#include "tilewright/ptx/instructions/FloatValue.h"

namespace tilewright::ptx {

inline unsigned bitsOfElement(Type type) {
  return type == Type::U4 || type == Type::S4 ? 4 : type == Type::B1 ? 1 : 8 * bytesOf(type);
}

inline double floatOfElement(uint64_t bits, Type type) {
  using numerics::Element;
  using numerics::Format;
  switch (type) {
  case Type::F16:
    return Element{bits, Format::F16}.asDouble();
  case Type::BF16:
    return Element{bits, Format::BF16}.asDouble();
  case Type::TF32: // the lower 13 bits do not count
    return Element{bits >> 13, Format::TF32}.asDouble();
  case Type::E4M3:
    return Element{bits, Format::F8E4M3FN}.asDouble();
  case Type::E5M2:
    return Element{bits, Format::F8E5M2}.asDouble();
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
