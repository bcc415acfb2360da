// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row functions for mathematical functions. Like Math.cpp, they use Ziv's test: exp, exp2 and rsqrt
// on vectorisable approximations, the others one element at a time with the C library. f64 has no
// row functions, because it is computed in long double, which takes much longer than the conversion
// of elements.

#include "tilewright/numerics/MathNearest.h"
#include "tilewright/numerics/RowFormats.h"

using namespace tilewright::numerics;
using namespace tilewright::numerics::rows;

//===-- The C library -----------------------------------------------------------------------===//

template <typename F, MathFunction function, typename... Words> static RowFunction nearestRow() {
  return rowOf<typename F::Word, Words...>([](Words... words) {
    double arguments[] = {F::read(words)...};
    return F::write(
        nearest<function, double, float>(arguments[0], arguments[sizeof...(words) - 1]));
  });
}

/// Calls make(struct of the format) for f32 and the formats that are rounded from it.
template <typename Make> static RowFunction forSingle(Format format, bool flushToZero, Make make) {
  if (format == Format::F64)
    return nullptr;
  return flushToZero ? make(FlushedF32()) : forFloat(format, make);
}

template <MathFunction function> static RowFunction unary(Format format, bool flushToZero = false) {
  return forSingle(format, flushToZero, [](auto f) {
    return nearestRow<decltype(f), function, typename decltype(f)::Word>();
  });
}

template <MathFunction function> static RowFunction binary(Format format) {
  return forSingle(format, false, [](auto f) {
    using Word = typename decltype(f)::Word;
    return nearestRow<decltype(f), function, Word, Word>();
  });
}

RowFunction rows::logF(Format format) { return unary<MathFunction::Log>(format); }
RowFunction rows::log2F(Format format) { return unary<MathFunction::Log2>(format); }
RowFunction rows::sinF(Format format) { return unary<MathFunction::Sin>(format); }
RowFunction rows::cosF(Format format) { return unary<MathFunction::Cos>(format); }
RowFunction rows::tanF(Format format) { return unary<MathFunction::Tan>(format); }
RowFunction rows::sinhF(Format format) { return unary<MathFunction::Sinh>(format); }
RowFunction rows::coshF(Format format) { return unary<MathFunction::Cosh>(format); }
RowFunction rows::tanhF(Format format) { return unary<MathFunction::Tanh>(format); }
RowFunction rows::powF(Format format) { return binary<MathFunction::Pow>(format); }
/// Integers of up to 32 bits are exact in f64.
RowFunction rows::powI(Format format, Format exponent) {
  return forSingle(format, false, [=](auto base) {
    return forInteger(exponent, [](auto integer) -> RowFunction {
      using F = decltype(base);
      using I = decltype(integer);
      if constexpr (I::bits > 32)
        return nullptr;
      else
        return rowOf<typename F::Word, typename F::Word, typename I::Word>(
            [](typename F::Word x, typename I::Word n) {
              double power = double(I::template read<Signedness::Signed>(n));
              return F::write(nearest<MathFunction::Pow, double, float>(F::read(x), power));
            });
    });
  });
}
RowFunction rows::atan2F(Format format) { return binary<MathFunction::Atan2>(format); }

//===-- Vector code -------------------------------------------------------------------------===//

/// exp(r) for |r| up to ln(2)/2, accurate to two units in the last place of f64: the truncation
/// error of the series after fourteen terms is below 2^-57.
TILEWRIGHT_INLINE static double expNearZero(double r) {
  constexpr double inverseFactorials[] = {1.0,
                                          1.0,
                                          1.0 / 2,
                                          1.0 / 6,
                                          1.0 / 24,
                                          1.0 / 120,
                                          1.0 / 720,
                                          1.0 / 5040,
                                          1.0 / 40320,
                                          1.0 / 362880,
                                          1.0 / 3628800,
                                          1.0 / 39916800,
                                          1.0 / 479001600,
                                          1.0 / 6227020800};
  double sum = inverseFactorials[13];
  for (int n = 12; n >= 0; --n)
    sum = sum * r + inverseFactorials[n];
  return sum;
}

/// The integer nearest to a small value; sets `power` to 2 to that integer.
TILEWRIGHT_INLINE static double roundToInteger(double value, double &power) {
  // Near this number the unit of f64 is 1, so the lowest bits are the integer.
  constexpr double shift = 0x1.8p52;
  double shifted = value + shift;
  power = std::bit_cast<double>((bitsOf(shifted) + 1023) << 52);
  return shifted - shift;
}

namespace {
// f64 approximations of a function of an f32. Arguments are clamped where the f32 result is
// infinite or 0 anyway.
struct Exp {
  static constexpr MathFunction function = MathFunction::Exp;
  TILEWRIGHT_INLINE static double of(double x) {
    x = x < -110 ? -110 : x > 95 ? 95 : x;
    // ln(2) in two parts; the first has so few bits that its multiples are exact.
    constexpr double ln2Head = 0x1.62e42feep-1, ln2Tail = 0x1.a39ef35793c76p-33;
    double power, turns = roundToInteger(x * 0x1.71547652b82fep0, power);
    return expNearZero((x - turns * ln2Head) - turns * ln2Tail) * power;
  }
};

struct Exp2 {
  static constexpr MathFunction function = MathFunction::Exp2;
  TILEWRIGHT_INLINE static double of(double x) {
    x = x < -160 ? -160 : x > 135 ? 135 : x;
    double power, whole = roundToInteger(x, power);
    return expNearZero((x - whole) * 0x1.62e42fefa39efp-1) * power;
  }
};

struct Rsqrt {
  static constexpr MathFunction function = MathFunction::Rsqrt;
  TILEWRIGHT_INLINE static double of(double x) { return 1 / std::sqrt(x); }
};

/// Applies Ziv's test to a few hundred elements at a time. Failures are so rare that the whole
/// chunk is recomputed.
template <typename F, typename Approximation> struct TestedLoop {
  using Word = typename F::Word;
  static constexpr int64_t chunk = 256;
  /// Far more than the error of the approximations, and small enough that failures are rare.
  static constexpr double error = 0x1p-46;

  TILEWRIGHT_INLINE static bool run(const void *const *in, void *out, int64_t count) {
    const Word *from = static_cast<const Word *>(in[0]);
    Word *to = static_cast<Word *>(out);
    for (int64_t start = 0; start < count; start += chunk) {
      int64_t size = count - start < chunk ? count - start : chunk;
      if (!tryChunk(from + start, to + start, size))
        computeChunk(from + start, to + start, size);
    }
    return true;
  }

  TILEWRIGHT_INLINE static bool tryChunk(const Word *from, Word *__restrict to, int64_t count) {
    uint32_t differences = 0;
    for (int64_t i = 0; i < count; ++i) {
      double value = Approximation::of(F::read(from[i]));
      float low = float(value - value * error), high = float(value + value * error);
      differences |= bitsOf(low) ^ bitsOf(high);
      to[i] = F::write(low);
    }
    return differences == 0;
  }

  static void computeChunk(const Word *from, Word *to, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      double x = F::read(from[i]);
      to[i] = F::write(nearest<Approximation::function, double, float>(x, x));
    }
  }
};
} // namespace

template <typename Approximation> static RowFunction tested(Format format, bool flushToZero) {
  return forSingle(format, flushToZero,
                   [](auto f) { return Versions<TestedLoop<decltype(f), Approximation>>::best(); });
}

RowFunction rows::expF(Format format) { return tested<Exp>(format, false); }
RowFunction rows::exp2F(Format format, bool flushToZero) {
  return tested<Exp2>(format, flushToZero);
}
RowFunction rows::rsqrtF(Format format, bool flushToZero) {
  return tested<Rsqrt>(format, flushToZero);
}
