// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/MathExact.h"
#include "tilewright/numerics/Rounding.h"
#include "llvm/Support/ErrorHandling.h"
#include <bit>
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

using namespace tilewright::numerics;
namespace mp = boost::multiprecision;

template <unsigned Bits>
using Big = mp::number<mp::cpp_bin_float<Bits, mp::digit_base_2>, mp::et_off>;

template <unsigned Bits>
static std::optional<Element> tryWith(MathFunction function, double x, double y, Format to);
static std::optional<ExactValue> exactResult(MathFunction function, double x, double y);

Element tilewright::numerics::evaluateExactly(MathFunction function, double x, double y,
                                              Format to) {
  if (std::optional<ExactValue> exact = exactResult(function, x, y))
    return round(*exact, to, RoundingMode::NearestEven, Beyond::Ieee);
  if (std::optional<Element> result = tryWith<192>(function, x, y, to))
    return *result;
  if (std::optional<Element> result = tryWith<512>(function, x, y, to))
    return *result;
  // The hardest known f64 cases need about 120 bits. The expected fraction of arguments that get
  // here is about 2^-400.
  llvm_unreachable("a result that is not exact cannot agree with a boundary in 450 bits");
}

//===----------------------------------------------------------------------===//
// Exact results
//
// By Lindemann's theorem, only exp2, log2, pow and rsqrt have rational results at arguments other
// than 0 and 1; atan2 and log have none. A rational result of rsqrt or log2 is a value of the
// format itself, never a midpoint of two values.
//===----------------------------------------------------------------------===//

namespace {
/// odd * 2^exponent.
struct OddTimesPower {
  uint64_t odd;
  int exponent;
};
} // namespace

static OddTimesPower split(double value) {
  ExactValue v = takeApart(value);
  int zeros = std::countr_zero(v.significand);
  return {v.significand >> zeros, v.exponent + zeros};
}

static std::optional<uint64_t> exactRoot(uint64_t square) {
  uint64_t root = std::llround(std::sqrt(double(square)));
  return root * root == square ? std::optional(root) : std::nullopt;
}

/// |x|^y if it has at most 64 significant bits. With x = odd * 2^e and y = n / 2^k, this requires
/// that odd is 1 or a 2^k-th power and that n is small.
static std::optional<ExactValue> exactPower(double x, double y) {
  auto [base, exponent] = split(x);
  auto [count, scale] = split(y);
  for (; scale < 0; ++scale) {
    std::optional<uint64_t> root = exactRoot(base);
    if (!root || exponent % 2 != 0)
      return std::nullopt;
    base = *root;
    exponent /= 2;
    if (base == 1 && exponent == 0)
      return ExactValue{false, 1, 0};
  }
  bool isFraction = y < 0 && base != 1;
  if (isFraction || scale > 16 || count > 20000)
    return std::nullopt;
  uint64_t times = count << scale;
  uint64_t power = 1;
  for (uint64_t i = 0; i < times && base != 1; ++i)
    if (__builtin_mul_overflow(power, base, &power))
      return std::nullopt;
  return ExactValue{false, power, exponent * int(times) * (y < 0 ? -1 : 1)};
}

static bool isOddInteger(double y) { return std::fabs(std::fmod(y, 2.0)) == 1.0; }

static std::optional<ExactValue> exactResult(MathFunction function, double x, double y) {
  if (function == MathFunction::Exp2 && x == std::trunc(x))
    return ExactValue{false, 1, int(x)};
  if (function != MathFunction::Pow)
    return std::nullopt;
  std::optional<ExactValue> power = exactPower(x, y);
  if (power)
    power->negative = x < 0 && isOddInteger(y);
  return power;
}

//===----------------------------------------------------------------------===//
// Inexact results
//===----------------------------------------------------------------------===//

template <unsigned Bits> static Element roundBig(const Big<Bits> &value, Format to) {
  int exponent;
  Big<Bits> scaled = ldexp(frexp(Big<Bits>(abs(value)), &exponent), 64);
  Big<Bits> whole = floor(scaled);
  ExactValue exact = {value < 0, static_cast<uint64_t>(whole), exponent - 64, scaled != whole};
  return round(exact, to, RoundingMode::NearestEven, Beyond::Ieee);
}

/// Returns x - n * pi/2 in [-pi/4, pi/4], and n mod 4. The largest f64 has 1024 bits before the
/// point, which cancel with those of n * pi/2.
template <unsigned Bits> static std::pair<Big<Bits>, int> reduceAngle(double x) {
  using Wide = Big<1024 + Bits + 128>;
  static const Wide quarterTurn = boost::math::constants::pi<Wide>() / 2;
  Wide turns = round(Wide(x) / quarterTurn);
  Wide rest = Wide(x) - turns * quarterTurn;
  int quadrant = static_cast<int>(turns - 4 * floor(turns / 4));
  return {Big<Bits>(rest), quadrant};
}

/// The function is Sin, Cos or Tan.
template <unsigned Bits> static Big<Bits> circular(MathFunction function, double x) {
  auto [rest, quadrant] = reduceAngle<Bits>(x);
  Big<Bits> sine = sin(rest), cosine = cos(rest);
  if (quadrant % 2 == 1)
    std::tie(sine, cosine) = std::pair(cosine, Big<Bits>(-sine));
  if (quadrant >= 2) {
    sine = -sine;
    cosine = -cosine;
  }
  if (function == MathFunction::Sin)
    return sine;
  return function == MathFunction::Cos ? cosine : Big<Bits>(sine / cosine);
}

template <unsigned Bits> static Big<Bits> exp2(double x) {
  double whole = std::trunc(x); // unlike floor, it leaves an exact fraction
  Big<Bits> ln2 = boost::math::constants::ln_two<Big<Bits>>();
  return ldexp(exp(Big<Bits>(ln2 * (x - whole))), int(whole));
}

template <unsigned Bits> static Big<Bits> power(double x, double y) {
  Big<Bits> magnitude = exp(Big<Bits>(y * log(Big<Bits>(std::fabs(x)))));
  return x < 0 && isOddInteger(y) ? Big<Bits>(-magnitude) : magnitude;
}

template <unsigned Bits> static Big<Bits> angle(double numerator, double denominator) {
  Big<Bits> ratio = Big<Bits>(numerator) / denominator;
  // For small q, atan(q) is below q by less than the precision, but a q at a rounding boundary must
  // still round down. No other q is within 2^-110 of a boundary.
  if (denominator > 0 && abs(ratio) < ldexp(Big<Bits>(1), -60))
    return ratio - ldexp(ratio, -120);
  return atan2(Big<Bits>(numerator), Big<Bits>(denominator));
}

template <unsigned Bits> static Big<Bits> compute(MathFunction function, double x, double y) {
  using Real = Big<Bits>;
  switch (function) {
  case MathFunction::Exp:
    return exp(Real(x));
  case MathFunction::Exp2:
    return exp2<Bits>(x);
  case MathFunction::Log:
    return log(Real(x));
  case MathFunction::Log2:
    return log(Real(x)) / boost::math::constants::ln_two<Real>();
  case MathFunction::Sin:
  case MathFunction::Cos:
  case MathFunction::Tan:
    return circular<Bits>(function, x);
  case MathFunction::Sinh:
    return sinh(Real(x));
  case MathFunction::Cosh:
    return cosh(Real(x));
  case MathFunction::Tanh:
    return tanh(Real(x));
  case MathFunction::Rsqrt:
    return 1 / sqrt(Real(x));
  case MathFunction::Pow:
    return power<Bits>(x, y);
  case MathFunction::Atan2:
    return angle<Bits>(x, y);
  }
  llvm_unreachable("all functions are listed");
}

/// The rounded result, if all values within the error of the computed value round to it. The error
/// bound allows 40 bits, far more than rounding errors affect.
template <unsigned Bits>
static std::optional<Element> tryWith(MathFunction function, double x, double y, Format to) {
  Big<Bits> value = compute<Bits>(function, x, y);
  Big<Bits> error = ldexp(Big<Bits>(abs(value)), 40 - int(Bits));
  Element low = roundBig<Bits>(value - error, to), high = roundBig<Bits>(value + error, to);
  return low == high ? std::optional(low) : std::nullopt;
}
