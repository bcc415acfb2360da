// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far are the expanded functions from the true values? MPFR computes those to 64 bits;
// the largest distance, in units of the last place of the result, is held against the bound
// that each function promises, for each kind of processor that this machine can play.

#include "tilewright/cpu/Math.h"
#include "tilewright/cpu/TestSupport.h"

#include "mlir/IR/MLIRContext.h"
#include <bit>
#include <cmath>
#include <mpfr.h>
#include <random>

using namespace tilewright;
using namespace tilewright::cpu;
using tilewright::cpu::testing::CompiledMap;
using tilewright::cpu::testing::runnableTargets;

namespace {

using Exact = int (*)(mpfr_t, mpfr_srcptr, mpfr_srcptr);

template <int (*function)(mpfr_t, mpfr_srcptr, mpfr_rnd_t)>
int unary(mpfr_t result, mpfr_srcptr x, mpfr_srcptr) {
  return function(result, x, MPFR_RNDN);
}
template <int (*function)(mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
int binary(mpfr_t result, mpfr_srcptr x, mpfr_srcptr y) {
  return function(result, x, y, MPFR_RNDN);
}
/// MPFR gives +Inf for -0; arithmetic, 3.5 gives -Inf.
int exactRsqrt(mpfr_t result, mpfr_srcptr x, mpfr_srcptr) {
  if (mpfr_zero_p(x) && mpfr_signbit(x))
    return mpfr_set_inf(result, -1), 0;
  return mpfr_rec_sqrt(result, x, MPFR_RNDN);
}

/// Bounds in ulp of f32 and f64; `reach` is where arguments are interesting.
struct Case {
  const char *name;
  MathFunction function;
  Exact exact;
  double bound32, bound64, reach;
};
const Case cases[] = {
    {"exp", MathFunction::Exp, unary<mpfr_exp>, 1, 1, 110},
    {"exp2", MathFunction::Exp2, unary<mpfr_exp2>, 1, 1, 155},
    {"log", MathFunction::Log, unary<mpfr_log>, 1, 1, 3},
    {"log2", MathFunction::Log2, unary<mpfr_log2>, 1, 1, 3},
    {"sin", MathFunction::Sin, unary<mpfr_sin>, 1, 1, 30},
    {"cos", MathFunction::Cos, unary<mpfr_cos>, 1, 1, 30},
    {"tan", MathFunction::Tan, unary<mpfr_tan>, 2, 2, 30},
    {"sinh", MathFunction::Sinh, unary<mpfr_sinh>, 2, 2, 100},
    {"cosh", MathFunction::Cosh, unary<mpfr_cosh>, 2, 2, 100},
    {"tanh", MathFunction::Tanh, unary<mpfr_tanh>, 1, 1, 10},
    {"rsqrt", MathFunction::Rsqrt, exactRsqrt, 1, 1, 10},
    {"pow", MathFunction::Pow, binary<mpfr_pow>, 2, 2, 20},
    {"atan2", MathFunction::Atan2, binary<mpfr_atan2>, 2, 2, 10},
};

bool isBinary(const Case &row) {
  return row.function == MathFunction::Pow || row.function == MathFunction::Atan2;
}

//===-- Arguments -------------------------------------------------------------------------===//

template <typename T> struct Arguments {
  std::vector<T> x, y;
};

template <typename T> std::vector<T> specialValues() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  auto add = [&](T value) {
    values.push_back(value);
    values.push_back(-value);
  };
  for (T value : {T(0), Limits::denorm_min(), Limits::min(), Limits::max(), Limits::infinity(),
                  Limits::quiet_NaN(), T(0.5), T(1), T(2), T(3), T(10)}) {
    add(value);
    add(std::nextafter(value, T(0)));
    add(std::nextafter(value, Limits::infinity()));
  }
  // Around the arguments where results overflow or vanish.
  for (T edge : {T(88.72284), T(103.97208), T(128), T(149), T(150), T(709.782712893384),
                 T(745.1332191019412), T(1024), T(1074), T(1075)})
    for (int step = -3; step <= 3; ++step)
      add(edge + step * std::abs(edge) * Limits::epsilon());
  // Odd and even integers where the last bit is worth one, and two.
  for (int k = 0; k < 3; ++k) {
    add(std::ldexp(T(1), Limits::digits - 1) + k);
    add(std::ldexp(T(1), Limits::digits - 2) + k + T(0.5));
    add(std::ldexp(T(1), Limits::digits) + 2 * k);
  }
  // Near multiples of pi/2; the last are the nearest that f32 and f64 have.
  for (int k = 1; k < 40; ++k)
    add(T(k * 1.57079632679489661923L));
  for (int exponent = 1; exponent < Limits::max_exponent; exponent += 3)
    add(std::ldexp(T(1.57079632679489661923L), exponent));
  add(T(std::ldexp(16367173.0L, 72)));
  add(T(std::ldexp(6381956970095103.0L, 797)));
  return values;
}

/// A pattern of the same size as the type, whatever its exponent.
template <typename T> T anyPattern(std::mt19937_64 &random) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<float>(uint32_t(random()));
  else
    return std::bit_cast<double>(uint64_t(random()));
}

template <typename T> Arguments<T> argumentsOf(const Case &row) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> moderate(-row.reach, row.reach), unit(-1, 1);
  std::vector<T> special = specialValues<T>();
  Arguments<T> in;
  auto add = [&](T x, T y) {
    in.x.push_back(x);
    in.y.push_back(y);
  };
  for (T x : special)
    if (!isBinary(row))
      add(x, x);
    else
      for (T y : special)
        add(x, y);
  for (int k = 0; k < 60000; ++k) {
    add(anyPattern<T>(random), anyPattern<T>(random));
    add(T(moderate(random)), T(moderate(random)));
    // Positive, near one, and with a whole number beside it.
    add(T(std::exp2(unit(random))), T(std::round(moderate(random))));
  }
  while (in.x.size() % 16 != 0)
    add(T(1), T(1));
  return in;
}

//===-- Distances -------------------------------------------------------------------------===//

std::vector<long double> exactResults(const Case &row, const auto &in) {
  mpfr_t x, y, result;
  mpfr_inits2(64, x, y, result, nullptr);
  std::vector<long double> results;
  for (size_t i = 0; i < in.x.size(); ++i) {
    mpfr_set_d(x, in.x[i], MPFR_RNDN);
    mpfr_set_d(y, in.y[i], MPFR_RNDN);
    row.exact(result, x, y);
    results.push_back(mpfr_get_ld(result, MPFR_RNDN));
  }
  mpfr_clears(x, y, result, nullptr);
  return results;
}

/// In ulps of the correctly rounded result. An infinity is the number after the largest. What
/// no rounding explains, such as a wrong sign, is infinitely far.
template <typename T> double distance(T got, long double exact) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  using Limits = std::numeric_limits<T>;
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : infinity;
  if (std::signbit(got) != std::signbit(exact))
    return infinity;
  if (T(exact) == got)
    return std::isinf(got) || got == 0
               ? 0
               : double(std::abs(exact - got) /
                        std::ldexp(1.0L, std::max(std::ilogb(got), Limits::min_exponent - 1) -
                                             (Limits::digits - 1)));
  if (exact == 0 || std::isinf(exact))
    return infinity;
  long double value = std::isinf(got) ? std::ldexp(std::copysign(1.0L, exact), Limits::max_exponent)
                                      : (long double)got;
  T nearest = T(exact);
  int exponent = std::isinf(nearest) ? Limits::max_exponent - 1
                 : nearest == 0      ? Limits::min_exponent - 1
                                     : std::ilogb(nearest);
  exponent = std::max(exponent, Limits::min_exponent - 1);
  return double(std::abs(exact - value) / std::ldexp(1.0L, exponent - (Limits::digits - 1)));
}

class ExpandedMath : public ::testing::TestWithParam<Case> {
protected:
  ExpandedMath() : context(mlir::MLIRContext::Threading::DISABLED) { loadLoopDialects(context); }

  CompiledMap compile(const Target &target, mlir::Type type, int64_t lanes) {
    llvm::SmallVector<mlir::Type> operands(isBinary(GetParam()) ? 2 : 1, type);
    return CompiledMap(
        target, operands, type, lanes,
        [&](mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<mlir::Value> in) {
          return emitMath(builder, loc, target, GetParam().function, in);
        });
  }

  template <typename T> void measure(mlir::Type type, int64_t lanes, double bound) {
    const Case &row = GetParam();
    Arguments<T> in = argumentsOf<T>(row);
    std::vector<long double> exact = exactResults(row, in);
    for (const std::string &name : runnableTargets()) {
      CompiledMap map = compile(*Target::named(name), type, lanes);
      std::vector<T> results(in.x.size());
      map(in.x.data(), in.y.data(), nullptr, results.data(), results.size());
      double worst = 0;
      size_t at = 0;
      for (size_t i = 0; i < results.size(); ++i)
        if (double d = distance(results[i], exact[i]); d > worst) {
          worst = d;
          at = i;
        }
      std::printf("%6s f%zu %-10s at most %.3f ulp\n", row.name, 8 * sizeof(T), name.c_str(),
                  worst);
      EXPECT_LE(worst, bound) << std::hexfloat << row.name << " of " << in.x[at] << ", " << in.y[at]
                              << " is " << exact[at] << ", not " << results[at];
    }
  }

  mlir::MLIRContext context;
};

TEST_P(ExpandedMath, staysWithinItsBoundForF32) {
  measure<float>(mlir::Float32Type::get(&context), 16, GetParam().bound32);
}

TEST_P(ExpandedMath, staysWithinItsBoundForF64) {
  measure<double>(mlir::Float64Type::get(&context), 8, GetParam().bound64);
}

/// Scalars and short vectors take other instructions and other branches.
TEST_P(ExpandedMath, isTheSameForAnyNumberOfLanes) {
  Arguments<float> in = argumentsOf<float>(GetParam());
  Target target = Target::host();
  std::vector<float> expected(in.x.size()), got(in.x.size());
  mlir::Type f32 = mlir::Float32Type::get(&context);
  compile(target, f32, 16)(in.x.data(), in.y.data(), nullptr, expected.data(), in.x.size());
  for (int64_t lanes : {0, 1, 4, 8}) {
    compile(target, f32, lanes)(in.x.data(), in.y.data(), nullptr, got.data(), in.x.size());
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_TRUE(got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i])))
          << in.x[i] << ", " << in.y[i] << " with " << lanes << " lanes";
  }
}

INSTANTIATE_TEST_SUITE_P(Math, ExpandedMath, ::testing::ValuesIn(cases),
                         [](const auto &row) { return row.param.name; });

} // namespace
