// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the error of an expanded function in ulps of the correctly rounded result. MPFR computes
// the true value to 64 bits. Shared by the test of the bounds and by bench/math_accuracy.cpp, which
// searches for the worst arguments.

#ifndef TILEWRIGHT_TEST_SUPPORT_ELEMENTWISE_MATHTESTSUPPORT_H
#define TILEWRIGHT_TEST_SUPPORT_ELEMENTWISE_MATHTESTSUPPORT_H

#include "test/support/elementwise/TestSupport.h"
#include "tilewright/elementwise/Math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mpfr.h>
#include <random>

namespace tilewright::elementwise::testing {

//===-- Functions ---------------------------------------------------------------------------===//

using Exact = int (*)(mpfr_t, mpfr_srcptr, mpfr_srcptr);

template <int (*function)(mpfr_t, mpfr_srcptr, mpfr_rnd_t)>
int unary(mpfr_t result, mpfr_srcptr x, mpfr_srcptr) {
  return function(result, x, MPFR_RNDN);
}
template <int (*function)(mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
int binary(mpfr_t result, mpfr_srcptr x, mpfr_srcptr y) {
  return function(result, x, y, MPFR_RNDN);
}
/// MPFR returns +Inf for -0; arithmetic, 3.5 requires -Inf.
inline int exactRsqrt(mpfr_t result, mpfr_srcptr x, mpfr_srcptr) {
  if (mpfr_zero_p(x) && mpfr_signbit(x))
    return mpfr_set_inf(result, -1), 0;
  return mpfr_rec_sqrt(result, x, MPFR_RNDN);
}

struct MathCase {
  const char *name;
  MathFunction function;
  Exact exact;
  /// In ulps, for f32 and f64.
  double bound;
  /// For f32 on targets with slow f64 (arithmetic, 3.4).
  double boundInF32;
  /// The range in which arguments of moderate size are interesting.
  double reach;

  double boundOn(const codegen::TargetMachine &target, mlir::Type type) const {
    return type.isF32() && !target.hasFastF64 ? boundInF32 : bound;
  }
  bool isBinary() const { return function == MathFunction::Pow || function == MathFunction::Atan2; }
};

inline constexpr MathCase mathCases[] = {
    {"exp", MathFunction::Exp, unary<mpfr_exp>, 1, 1, 110},
    {"exp2", MathFunction::Exp2, unary<mpfr_exp2>, 1, 1, 155},
    {"log", MathFunction::Log, unary<mpfr_log>, 1, 1, 3},
    {"log2", MathFunction::Log2, unary<mpfr_log2>, 1, 1, 3},
    {"sin", MathFunction::Sin, unary<mpfr_sin>, 1, 2, 30},
    {"cos", MathFunction::Cos, unary<mpfr_cos>, 1, 2, 30},
    {"tan", MathFunction::Tan, unary<mpfr_tan>, 2, 4, 30},
    {"sinh", MathFunction::Sinh, unary<mpfr_sinh>, 2, 3, 100},
    {"cosh", MathFunction::Cosh, unary<mpfr_cosh>, 2, 2, 100},
    {"tanh", MathFunction::Tanh, unary<mpfr_tanh>, 1, 2, 10},
    {"rsqrt", MathFunction::Rsqrt, exactRsqrt, 1, 1, 10},
    {"pow", MathFunction::Pow, binary<mpfr_pow>, 2, 4, 20},
    {"atan2", MathFunction::Atan2, binary<mpfr_atan2>, 2, 3, 10},
};

/// result[i] = function(x[i], y[i]).
inline CompiledMap compileMath(const MathCase &row, const codegen::TargetMachine &target,
                               mlir::Type type, int64_t lanes) {
  llvm::SmallVector<mlir::Type> operands(row.isBinary() ? 2 : 1, type);
  return CompiledMap(
      target, operands, type, lanes,
      [&](mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::Value> in) {
        return emitMath(builder, loc, target, row.function, in);
      });
}

//===-- Arguments ---------------------------------------------------------------------------===//

/// Random numbers that are the same on every machine: bit patterns, products and quotients with
/// powers of two, but no library functions.
template <typename T> class RandomNumbers {
public:
  /// Any bit pattern, with any exponent.
  T anyPattern() {
    if constexpr (sizeof(T) == 4)
      return std::bit_cast<float>(uint32_t(random()));
    else
      return std::bit_cast<double>(uint64_t(random()));
  }
  /// In [-reach, reach).
  T moderate(double reach) { return T(double(int64_t(random()) >> 11) * 0x1p-52 * reach); }
  /// In [1/2, 2), with as many below one as above.
  T nearOne() {
    double fraction = double(random() >> 12) * 0x1p-52;
    return T(random() & 1 ? 1 + fraction : (1 + fraction) * 0.5);
  }
  /// In (-reach, reach), integers.
  T whole(double reach) { return T(int64_t(moderate(reach))); }

private:
  std::mt19937_64 random{7};
};

//===-- Distances ---------------------------------------------------------------------------===//

/// True values, to 64 bits.
class ExactResults {
public:
  ExactResults() { mpfr_inits2(64, x, y, result, nullptr); }
  ~ExactResults() { mpfr_clears(x, y, result, nullptr); }
  ExactResults(const ExactResults &) = delete;
  ExactResults &operator=(const ExactResults &) = delete;

  long double operator()(const MathCase &row, double atX, double atY) {
    mpfr_set_d(x, atX, MPFR_RNDN);
    mpfr_set_d(y, atY, MPFR_RNDN);
    row.exact(result, x, y);
    return mpfr_get_ld(result, MPFR_RNDN);
  }

private:
  mpfr_t x, y, result;
};

/// In ulps of the correctly rounded result. Infinity counts as the number after the largest.
/// Results that no rounding explains, such as a wrong sign, are infinitely far away.
template <typename T> double distance(T got, long double exact) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  using Limits = std::numeric_limits<T>;
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : infinity;
  if (std::signbit(got) != std::signbit(exact))
    return infinity;
  T nearest = T(exact);
  if (nearest == got && (std::isinf(got) || got == 0))
    return 0;
  if (exact == 0 || std::isinf(exact))
    return infinity;
  long double value = std::isinf(got) ? std::ldexp(std::copysign(1.0L, exact), Limits::max_exponent)
                                      : (long double)got;
  int exponent = std::isinf(nearest) ? Limits::max_exponent - 1
                 : nearest == 0      ? Limits::min_exponent - 1
                                     : std::ilogb(nearest);
  exponent = std::max(exponent, Limits::min_exponent - 1);
  return double(std::abs(exact - value) / std::ldexp(1.0L, exponent - (Limits::digits - 1)));
}

} // namespace tilewright::elementwise::testing

#endif // TILEWRIGHT_TEST_SUPPORT_ELEMENTWISE_MATHTESTSUPPORT_H
