// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is one element of a tile? Its bit pattern and its format, or poison: the
// result of an operation whose outcome the specification leaves undefined. Poison
// is a value like any other until it is used, so that the lanes that a program
// computes and throws away do no harm (arithmetic, 4.4).

#ifndef TILEWRIGHT_NUMERICS_ELEMENT_H
#define TILEWRIGHT_NUMERICS_ELEMENT_H

#include "tilewright/numerics/Format.h"

namespace tilewright::numerics {

struct Element {
  /// Zero-extended. tf32 is its 19-bit pattern, a pointer its 64-bit address.
  uint64_t bits;
  Format format;
  /// Undefined; the bits of a poison element are 0.
  bool poison = false;

  static Element fromBits(Format format, uint64_t bits) {
    assert((bits & ~info(format).mask()) == 0 && "bit pattern wider than its format");
    return {bits, format};
  }
  /// The low bits of a number, for integers and pointers.
  static Element integer(Format format, int64_t value) {
    assert(!info(format).isFloat() && "an integer format");
    return {uint64_t(value) & info(format).mask(), format};
  }
  static Element boolean(bool value) { return {value, Format::I1}; }
  static Element fromFloat(float value);
  static Element fromDouble(double value);
  static Element poisoned(Format format) { return {0, format, true}; }
  static Element canonicalNan(Format format) {
    assert(info(format).hasNan && "a format with a NaN");
    return {info(format).canonicalNan, format};
  }
  /// +0; for f8E8M0FNU, which has no zero, its smallest value.
  static Element zero(Format format) { return {0, format}; }

  /// The two readings of an integer. i1 true is 1 unsigned and -1 signed.
  uint64_t asUnsigned() const {
    assert(!info(format).isFloat() && "an integer or a pointer");
    return bits;
  }
  int64_t asSigned() const {
    assert(!info(format).isFloat() && "an integer or a pointer");
    unsigned unused = 64 - info(format).bits;
    return int64_t(bits << unused) >> unused;
  }
  /// The exact value of a float: every float format is a subset of f64.
  double asDouble() const;
  /// The exact value of an f32.
  float asFloat() const;

  bool isNan() const;
  bool isInf() const;
  bool isNegative() const { return (bits & info(format).signBit()) != 0; }

  /// Same format, same bits, same poison. NaN equals itself, -0 differs from +0.
  friend bool operator==(const Element &, const Element &) = default;
};

template <typename... Elements> bool anyPoison(const Elements &...elements) {
  return (elements.poison || ...);
}

/// Poison only if the condition is, or the chosen value (arithmetic, 4.21).
inline Element select(Element condition, Element ifTrue, Element ifFalse) {
  assert(ifTrue.format == ifFalse.format && condition.format == Format::I1);
  if (condition.poison)
    return Element::poisoned(ifTrue.format);
  return condition.bits ? ifTrue : ifFalse;
}

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_ELEMENT_H
