// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row functions for float operations (arithmetic, 4.10 to 4.20). Native arithmetic rounds to
// nearest even; the directed modes have no row functions.

#include "tilewright/numerics/RowFormats.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::rows;

//===-- Arithmetic --------------------------------------------------------------------------===//

/// A row function from a formula over values; words are converted before and after it. `Words` has
/// one word type per operand.
template <typename F, typename... Words, typename Formula> static RowFunction valueRow(Formula) {
  return rowOf<typename F::Word, Words...>(
      [](Words... words) { return F::write(Formula()(F::read(words)...)); });
}

template <typename F, typename Formula> static RowFunction unary(Formula formula) {
  return valueRow<F, typename F::Word>(formula);
}
template <typename F, typename Formula> static RowFunction binary(Formula formula) {
  return valueRow<F, typename F::Word, typename F::Word>(formula);
}

template <typename Formula>
static RowFunction arithmetic(Format format, RoundingMode rounding, bool flushToZero, Formula) {
  if (rounding != RoundingMode::NearestEven)
    return nullptr;
  if (flushToZero)
    return binary<FlushedF32>(Formula());
  return forFloat(format, [](auto f) { return binary<decltype(f)>(Formula()); });
}

RowFunction rows::addF(Format format, RoundingMode rounding, bool flushToZero) {
  return arithmetic(format, rounding, flushToZero, [](auto lhs, auto rhs) { return lhs + rhs; });
}
RowFunction rows::subF(Format format, RoundingMode rounding, bool flushToZero) {
  return arithmetic(format, rounding, flushToZero, [](auto lhs, auto rhs) { return lhs - rhs; });
}
RowFunction rows::mulF(Format format, RoundingMode rounding, bool flushToZero) {
  return arithmetic(format, rounding, flushToZero, [](auto lhs, auto rhs) { return lhs * rhs; });
}

RowFunction rows::divF(Format format, RoundingMode rounding, bool flushToZero) {
  if (rounding == RoundingMode::Approx) {
    // The reciprocal of a huge divisor underflows to zero (arithmetic, 4.15).
    auto approximate = [](float lhs, float rhs) {
      float magnitude = std::fabs(rhs);
      bool vanishes = magnitude > 0x1p126f && magnitude <= std::numeric_limits<float>::max();
      return vanishes ? lhs * std::copysign(0.0f, rhs) : lhs / rhs;
    };
    return flushToZero ? binary<FlushedF32>(approximate) : binary<F32>(approximate);
  }
  if (rounding == RoundingMode::Full)
    rounding = RoundingMode::NearestEven;
  return arithmetic(format, rounding, flushToZero, [](auto lhs, auto rhs) { return lhs / rhs; });
}

RowFunction rows::sqrtF(Format format, RoundingMode rounding, bool flushToZero) {
  if (rounding != RoundingMode::NearestEven && rounding != RoundingMode::Approx)
    return nullptr;
  auto root = [](auto source) { return std::sqrt(source); };
  if (flushToZero)
    return unary<FlushedF32>(root);
  return forFloat(format, [root](auto f) { return unary<decltype(f)>(root); });
}

RowFunction rows::remF(Format format) {
  return forFloat(format, [](auto f) {
    return binary<decltype(f)>([](auto lhs, auto rhs) { return std::fmod(lhs, rhs); });
  });
}

/// The sum of an exact product and acc, rounded to odd in f32. It is computed as an f64 and, by
/// Knuth's two-sum, the sign of its error.
TILEWRIGHT_INLINE static float oddFma(float lhs, float rhs, float acc) {
  double product = double(lhs) * rhs, sum = product + acc;
  double accPart = sum - product, productPart = sum - accPart;
  return oddFloat(sum, (product - productPart) + (acc - accPart));
}

template <typename F, typename Formula> static RowFunction ternary(Formula formula) {
  return valueRow<F, typename F::Word, typename F::Word, typename F::Word>(formula);
}

RowFunction rows::fmaF(Format format, RoundingMode rounding, bool flushToZero) {
  if (rounding != RoundingMode::NearestEven)
    return nullptr;
  auto native = [](auto lhs, auto rhs, auto acc) { return std::fma(lhs, rhs, acc); };
  auto odd = [](float lhs, float rhs, float acc) { return oddFma(lhs, rhs, acc); };
  if (flushToZero)
    return ternary<FlushedF32>(native);
  switch (format) {
  case Format::F32:
    return ternary<F32>(native);
  case Format::F64:
    return ternary<F64>(native);
  case Format::F16:
    return ternary<F16>(odd);
  case Format::BF16:
    return ternary<BF16>(odd);
  default:
    return nullptr;
  }
}

// ===-- Maximum and minimum -----------------------------------------------------------------===//

/// +0 is greater than -0; a single NaN gives the other operand, unless NaNs propagate.
template <bool larger, bool propagateNan, typename Value>
TILEWRIGHT_INLINE static Value chosen(Value lhs, Value rhs) {
  bool rhsIsNegative = bitsOf(rhs) >> (8 * sizeof(Value) - 1);
  bool lhsIsLarger = lhs > rhs || (lhs == rhs && rhsIsNegative);
  Value number = lhsIsLarger == larger ? lhs : rhs;
  Value onlyRhs = lhs != lhs ? (propagateNan ? lhs : rhs) : number;
  return rhs != rhs ? (propagateNan ? rhs : lhs) : onlyRhs;
}

template <bool larger, bool propagateNan>
static RowFunction choose(Format format, bool flushToZero) {
  auto choice = [](auto lhs, auto rhs) { return chosen<larger, propagateNan>(lhs, rhs); };
  if (flushToZero)
    return binary<FlushedF32>(choice);
  return forFloat(format, [choice](auto f) { return binary<decltype(f)>(choice); });
}

RowFunction rows::maxF(Format format, bool propagateNan, bool flushToZero) {
  return propagateNan ? choose<true, true>(format, flushToZero)
                      : choose<true, false>(format, flushToZero);
}
RowFunction rows::minF(Format format, bool propagateNan, bool flushToZero) {
  return propagateNan ? choose<false, true>(format, flushToZero)
                      : choose<false, false>(format, flushToZero);
}

// ===-- Sign, rounding to integers ----------------------------------------------------------===//

template <typename F>
static constexpr typename F::Word signBit =
    typename F::Word(1) << (8 * sizeof(typename F::Word) - 1);

RowFunction rows::absF(Format format) {
  return forFloat(format, [](auto f) {
    using Word = typename decltype(f)::Word;
    return rowOf<Word, Word>([](Word source) { return Word(source & ~signBit<decltype(f)>); });
  });
}

RowFunction rows::negF(Format format) {
  return forFloat(format, [](auto f) {
    using Word = typename decltype(f)::Word;
    return rowOf<Word, Word>([](Word source) { return Word(source ^ signBit<decltype(f)>); });
  });
}

/// A NaN keeps its pattern.
template <typename Formula> static RowFunction toInteger(Format format, Formula) {
  return forFloat(format, [](auto f) {
    using F = decltype(f);
    using Word = typename F::Word;
    return rowOf<Word, Word>([](Word source) {
      auto value = F::read(source);
      return value != value ? source : F::write(Formula()(value));
    });
  });
}

RowFunction rows::ceilF(Format format) {
  return toInteger(format, [](auto value) { return std::ceil(value); });
}
RowFunction rows::floorF(Format format) {
  return toInteger(format, [](auto value) { return std::floor(value); });
}
