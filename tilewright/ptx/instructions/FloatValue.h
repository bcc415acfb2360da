// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of the float formats of registers. f32 and f64 rounded to nearest use the host's
// arithmetic, everything else numerics/. An operation that produces a NaN yields the canonical one:
// all bits set but the sign, for f64 only the quiet bit (PTX ISA, 9.7.3 and 9.7.4).

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_FLOATVALUE_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_FLOATVALUE_H

#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Float.h"
#include "tilewright/ptx/instructions/Compute.h"

#include <bit>
#include <cmath>

namespace tilewright::ptx {

template <typename T> constexpr numerics::Format formatOf() {
  if constexpr (std::is_same_v<T, Half>)
    return numerics::Format::F16;
  else if constexpr (std::is_same_v<T, Brain>)
    return numerics::Format::BF16;
  else if constexpr (std::is_same_v<T, float>)
    return numerics::Format::F32;
  else
    return numerics::Format::F64;
}

template <typename T> numerics::Element toElement(T value) {
  if constexpr (std::is_same_v<T, float>)
    return {std::bit_cast<uint32_t>(value), numerics::Format::F32};
  else if constexpr (std::is_same_v<T, double>)
    return {std::bit_cast<uint64_t>(value), numerics::Format::F64};
  else
    return {value.bits, formatOf<T>()};
}

template <typename T> T fromElement(numerics::Element element) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(uint32_t(element.bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(element.bits);
  else
    return T{uint16_t(element.bits)};
}

template <typename T> bool isNan(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(value);
  else
    return toElement(value).isNan();
}

template <typename T> T canonicalNan() {
  return fromElement<T>(numerics::Element::canonicalNan(formatOf<T>()));
}

template <typename T> T canonical(T value) { return isNan(value) ? canonicalNan<T>() : value; }

/// Converts without loss.
template <typename T> double toDouble(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return value;
  else
    return toElement(value).asDouble();
}

inline float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

/// Flushes a subnormal to zero with the same sign.
inline Half flushed(Half value) {
  return value.bits & 0x7C00 ? value : Half{uint16_t(value.bits & 0x8000)};
}
inline Brain flushed(Brain value) {
  return value.bits & 0x7F80 ? value : Brain{uint16_t(value.bits & 0x8000)};
}

template <typename T> T flushIf(uint32_t m, T value) {
  if constexpr (!std::is_same_v<T, double>)
    return m & mode::flush ? flushed(value) : value;
  else
    return value;
}

template <typename T> T negated(T value) {
  return fromElement<T>(numerics::negF(toElement(value)));
}

/// Clamps to [0, 1]; a NaN becomes +0.
template <typename T> T saturated(T value) {
  const double exact = toDouble(value);
  if (!(exact > 0))
    return fromElement<T>(numerics::Element::zero(formatOf<T>()));
  return exact < 1 ? value : fromElement<T>(numerics::roundToFormat(1.0, formatOf<T>()));
}

/// Applies the modifiers to a result.
template <typename T> T finished(uint32_t m, T value) {
  value = flushIf(m, canonical(value));
  if (m & mode::saturate)
    value = saturated(value);
  if ((m & mode::relu) && !isNan(value) && toElement(value).isNegative())
    value = fromElement<T>(numerics::Element::zero(formatOf<T>()));
  return value;
}

/// The format of one of the two values in a 32-bit register.
template <typename T> using HalfOf = std::conditional_t<std::is_same_v<T, HalfPair>, Half, Brain>;
template <typename T>
inline constexpr bool isPair = std::is_same_v<T, HalfPair> || std::is_same_v<T, BrainPair>;

/// Applies a functor on single values to both halves.
template <typename F, typename T, typename... A> T onHalves(uint32_t m, T first, A... rest) {
  const auto half = [&](unsigned shift) {
    using H = HalfOf<T>;
    return uint32_t(
               F::run(m, H{uint16_t(first.bits >> shift)}, H{uint16_t(rest.bits >> shift)}...).bits)
           << shift;
  };
  return T{half(0) | half(16)};
}

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_FLOATVALUE_H
