// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functors for float arithmetic (PTX ISA, 9.7.3 to 9.7.5), used with compute(). Results follow IEEE
// 754 and are rounded once.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_FLOATARITHMETIC_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_FLOATARITHMETIC_H

#include "tilewright/ptx/instructions/FloatValue.h"

namespace tilewright::ptx::arithmetic {

inline numerics::RoundingMode roundingOf(uint32_t m) {
  return numerics::RoundingMode(m & mode::rounding);
}

/// f32 and f64, rounded to nearest.
template <typename T> bool isNative(uint32_t m) {
  return std::is_floating_point_v<T> && !(m & mode::rounding);
}

struct Add {
  template <typename T> static T run(uint32_t m, T a, T b) {
    if constexpr (isPair<T>)
      return onHalves<Add>(m, a, b);
    else {
      a = flushIf(m, a);
      b = flushIf(m, b);
      if constexpr (std::is_floating_point_v<T>)
        if (isNative<T>(m))
          return finished(m, a + b);
      return finished(m, fromElement<T>(numerics::addF(toElement(a), toElement(b), roundingOf(m))));
    }
  }
};
struct Sub {
  template <typename T> static T run(uint32_t m, T a, T b) {
    if constexpr (isPair<T>)
      return onHalves<Sub>(m, a, b);
    else
      return Add::run(m, a, negated(b));
  }
};
struct Mul {
  template <typename T> static T run(uint32_t m, T a, T b) {
    if constexpr (isPair<T>)
      return onHalves<Mul>(m, a, b);
    else {
      a = flushIf(m, a);
      b = flushIf(m, b);
      if constexpr (std::is_floating_point_v<T>)
        if (isNative<T>(m))
          return finished(m, a * b);
      return finished(m, fromElement<T>(numerics::mulF(toElement(a), toElement(b), roundingOf(m))));
    }
  }
};
struct Fma {
  template <typename T> static T run(uint32_t m, T a, T b, T c) {
    if constexpr (isPair<T>)
      return onHalves<Fma>(m, a, b, c);
    else {
      a = flushIf(m, a);
      b = flushIf(m, b);
      c = flushIf(m, c);
      if constexpr (std::is_floating_point_v<T>)
        if (isNative<T>(m))
          return finished(m, std::fma(a, b, c));
      return finished(m, fromElement<T>(numerics::fmaF(toElement(a), toElement(b), toElement(c),
                                                       roundingOf(m))));
    }
  }
};
/// -0 < +0; the result is a NaN only with .NaN, or if both operands are NaNs.
template <bool isMax> struct Extreme {
  template <typename T> static T run(uint32_t m, T a, T b) {
    if constexpr (isPair<T>)
      return onHalves<Extreme>(m, a, b);
    else {
      a = flushIf(m, a);
      b = flushIf(m, b);
      if (m & mode::magnitude)
        return choose(m, absolute(a), absolute(b));
      T result = choose(m, a, b);
      if (m & mode::xorSign) {
        const bool isNegative = toElement(a).isNegative() != toElement(b).isNegative();
        result = fromElement<T>(numerics::absF(toElement(choose(m, absolute(a), absolute(b)))));
        result = isNegative ? negated(result) : result;
      }
      return result;
    }
  }
  /// Three operands, for f32.
  static float run(uint32_t m, float a, float b, float c) { return run(m, run(m, a, b), c); }

private:
  template <typename T> static T absolute(T value) {
    return fromElement<T>(numerics::absF(toElement(value)));
  }
  template <typename T> static T choose(uint32_t m, T a, T b) {
    if (isNan(a) || isNan(b)) {
      if ((m & mode::nan) || (isNan(a) && isNan(b)))
        return canonicalNan<T>();
      return isNan(a) ? b : a;
    }
    const double x = toDouble(a), y = toDouble(b);
    if (x == y)
      return toElement(a).isNegative() == isMax ? b : a;
    return (x > y) == isMax ? a : b;
  }
};

} // namespace tilewright::ptx::arithmetic

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_FLOATARITHMETIC_H
