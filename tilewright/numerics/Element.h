// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One element of a tile: a bit pattern and its format, or poison, which is the result of an
// operation whose outcome the specification leaves undefined. Poison causes no error until it is
// used, so programs may compute elements that they discard (arithmetic, 4.4).

#ifndef TILEWRIGHT_NUMERICS_ELEMENT_H
#define TILEWRIGHT_NUMERICS_ELEMENT_H

#include "tilewright/numerics/Format.h"

namespace tilewright::numerics {

struct Element {
  /// Zero-extended. For tf32 the 19-bit pattern, for a pointer the 64-bit address.
  uint64_t bits;
  Format format;
  /// Undefined. The bits of a poison element are 0 when an operation produces it.
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

  /// The unsigned and the signed reading of an integer. True as i1 is 1 unsigned and -1 signed.
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

  /// Equal format, bits and poison: NaN equals itself, -0 differs from +0.
  friend bool operator==(const Element &, const Element &) = default;
};

template <typename... Elements> bool anyPoison(const Elements &...elements) {
  return (elements.poison || ...);
}

/// Poison only if the condition or the chosen value is (arithmetic, 4.21).
inline Element select(Element condition, Element ifTrue, Element ifFalse) {
  assert(ifTrue.format == ifFalse.format && condition.format == Format::I1);
  if (condition.poison)
    return Element::poisoned(ifTrue.format);
  return condition.bits ? ifTrue : ifFalse;
}

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_ELEMENT_H
