// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that each function is within its error bound, on every kind of processor that the host can
// execute. The arguments are the same on all hosts: edge cases, random numbers, and the worst
// arguments that bench/math_accuracy.cpp found among all f32 and many f64.

#include "test/support/elementwise/MathTestSupport.h"

#include "mlir/IR/MLIRContext.h"

using namespace tilewright;
using namespace tilewright::elementwise;
using codegen::TargetMachine;
using namespace tilewright::elementwise::testing;

namespace {

//===-- The worst arguments ---------------------------------------------------------------===//

struct Point {
  MathFunction function;
  double x, y = 0;
};

const Point worstSingles[] = {
    {MathFunction::Exp, 0x1.4e8e1ep+2},
    {MathFunction::Exp, -0x1.5ed8ecp+6},
    {MathFunction::Exp2, -0x1.f9fc6ap+6},
    {MathFunction::Exp2, -0x1.f9d514p+6},
    {MathFunction::Log, 0x1.55a066p+0},
    {MathFunction::Log, 0x1.556ebp+0},
    {MathFunction::Log2, 0x1.555af6p+0},
    {MathFunction::Log2, 0x1.5561d4p+0},
    {MathFunction::Sin, 0x1.3a6f92p+122},
    {MathFunction::Cos, 0x1.f46fdep+72},
    {MathFunction::Tan, -0x1.5b69ap+102},
    {MathFunction::Sinh, 0x1.7fab4p-2},
    {MathFunction::Cosh, 0x1.1161bp+0},
    {MathFunction::Tanh, 0x1.fddc38p-5},
    {MathFunction::Pow, 0x1.6a5002p-1, -0x1.f8a474p+3},
    {MathFunction::Atan2, -0x1.8ae9e2p-3, 0x1.89f8eep+0},
    {MathFunction::Log2, 0x1.5609aap+0},
    // For targets with slow f64.
    {MathFunction::Sin, 0x1.c704c4p+19},
    {MathFunction::Cos, 0x1.e506fp+19},
    {MathFunction::Tan, 0x1.ffac5p+18},
    {MathFunction::Sinh, -0x1.6b11dp+0},
    {MathFunction::Cosh, -0x1.4e6b0ap+2},
    {MathFunction::Tanh, 0x1.41b1cap-1},
    {MathFunction::Pow, 0x1.542412p-1, -0x1.e83ed2p+2},
    {MathFunction::Atan2, 0x1.63d03p-1, 0x1.62a5b2p+2},
};

const Point worstDoubles[] = {
    {MathFunction::Exp, 0x1.9237bcb29565p+5},
    {MathFunction::Exp, -0x1.99325a7958136p+3},
    {MathFunction::Exp2, 0x1.810619b77d47p+0},
    {MathFunction::Exp2, 0x1.827127315694fp+0},
    {MathFunction::Log, 0x1.590e8bed9586bp+0},
    {MathFunction::Log, 0x1.57fb62993f247p+0},
    {MathFunction::Log2, 0x1.5ae7d09398557p+0},
    {MathFunction::Log2, 0x1.60130eaa1a5e3p+0},
    {MathFunction::Sin, 0x1.a60206e50b128p-1},
    {MathFunction::Sin, 0x1.92dc6f5c83a3ep-1},
    {MathFunction::Cos, 0x1.45f32a5ddd248p+3},
    {MathFunction::Cos, 0x1.946f720d77f66p-1},
    {MathFunction::Tan, 0x1.b8404d9134132p+4},
    {MathFunction::Tan, -0x1.1e28975c251ebp+464},
    {MathFunction::Sinh, -0x1.25f1efab0f80cp+4},
    {MathFunction::Cosh, -0x1.264d7f65b8dp+4},
    {MathFunction::Tanh, -0x1.66f41882f644p-3},
    {MathFunction::Tanh, 0x1.7426c73a4b26p-3},
    {MathFunction::Pow, 0x1.7fd40b759fd4dp-1, -0x1.21164c3d8683cp+4},
    {MathFunction::Pow, 0x1.2d52947429063p-1, 0x1.42ba39bee321dp-1},
    {MathFunction::Atan2, -0x1.f1a811fe18a0ap-1015, 0x1.fc96fd9e74ecp-113},
    {MathFunction::Tanh, -0x1.28eafb8e1887dp+4},
};

//===-- Arguments -------------------------------------------------------------------------===//

template <typename T> struct Arguments {
  std::vector<T> x, y;
};

/// The number that is `steps` patterns away.
template <typename T> T neighbour(T value, int steps) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  return std::bit_cast<T>(Bits(std::bit_cast<Bits>(value) + steps));
}

double powerOfTwo(int exponent) { return std::bit_cast<double>(uint64_t(1023 + exponent) << 52); }

template <typename T> std::vector<T> specialValues() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values;
  auto addAround = [&](T value, int steps) {
    for (int step = -steps; step <= steps; ++step) {
      values.push_back(neighbour(value, step));
      values.push_back(-neighbour(value, step));
    }
  };
  for (T value : {T(0), Limits::denorm_min(), Limits::min(), Limits::max(), Limits::infinity(),
                  Limits::quiet_NaN(), T(0.5), T(1), T(2), T(3), T(10)})
    addAround(value, 1);
  // Around the arguments at which results overflow or underflow.
  for (double edge : {88.72284, 103.97208, 128.0, 149.0, 150.0, 709.782712893384, 745.1332191019412,
                      1024.0, 1074.0, 1075.0})
    addAround(T(edge), 3);
  // Odd and even integers for which the last bit is worth a half, one, and two.
  for (int exponent : {Limits::digits - 2, Limits::digits - 1, Limits::digits})
    addAround(T(powerOfTwo(exponent)), 2);
  // Near multiples of pi/2; the last are the nearest ones among f32 and f64.
  constexpr double halfPi = 0x1.921fb54442d18p0;
  for (int k = 1; k < 40; ++k)
    addAround(T(k * halfPi), 0);
  for (int exponent = 1; exponent < Limits::max_exponent; exponent += 3)
    addAround(T(powerOfTwo(exponent) * halfPi), 0);
  addAround(T(16367173 * powerOfTwo(72)), 0);
  addAround(T(6381956970095103 * powerOfTwo(797)), 0);
  return values;
}

template <typename T> Arguments<T> argumentsOf(const MathCase &row) {
  Arguments<T> in;
  auto add = [&](T x, T y) {
    in.x.push_back(x);
    in.y.push_back(y);
  };
  for (const Point &point : sizeof(T) == 4 ? llvm::ArrayRef(worstSingles) : worstDoubles)
    if (point.function == row.function)
      add(T(point.x), T(point.y));
  std::vector<T> special = specialValues<T>();
  for (T x : special)
    if (!row.isBinary())
      add(x, x);
    else
      for (T y : special)
        add(x, y);
  RandomNumbers<T> random;
  for (int k = 0; k < 60000; ++k) {
    // Drawn one after the other, because the evaluation order of call arguments is unspecified.
    T x = random.anyPattern();
    add(x, random.anyPattern());
    x = random.moderate(row.reach);
    add(x, random.moderate(row.reach));
    x = random.nearOne();
    add(x, random.whole(row.reach));
  }
  while (in.x.size() % 16 != 0)
    add(T(1), T(1));
  return in;
}

//===-- Tests -----------------------------------------------------------------------------===//

template <typename T>
std::vector<long double> exactResults(const MathCase &row, const Arguments<T> &in) {
  ExactResults exact;
  std::vector<long double> results;
  for (auto [x, y] : llvm::zip(in.x, in.y))
    results.push_back(exact(row, x, y));
  return results;
}

class ExpandedMath : public ::testing::TestWithParam<MathCase> {
protected:
  ExpandedMath() : context(mlir::MLIRContext::Threading::DISABLED) {
    codegen::loadLoopDialects(context);
  }

  template <typename T> void measure(mlir::Type type, int64_t lanes) {
    const MathCase &row = GetParam();
    Arguments<T> in = argumentsOf<T>(row);
    std::vector<long double> exact = exactResults(row, in);
    for (const std::string &name : runnableTargets()) {
      CompiledMap map = compileMath(row, targetNamed(name), type, lanes);
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
      EXPECT_LE(worst, row.boundOn(targetNamed(name), type))
          << std::hexfloat << row.name << " of " << in.x[at] << ", " << in.y[at] << " is "
          << exact[at] << ", not " << results[at];
    }
  }

  mlir::MLIRContext context;
};

TEST_P(ExpandedMath, staysWithinItsBoundForF32) {
  measure<float>(mlir::Float32Type::get(&context), 16);
}

TEST_P(ExpandedMath, staysWithinItsBoundForF64) {
  measure<double>(mlir::Float64Type::get(&context), 8);
}

/// Scalars and short vectors use other instructions and branches.
TEST_P(ExpandedMath, isTheSameForAnyNumberOfLanes) {
  const MathCase &row = GetParam();
  Arguments<float> in = argumentsOf<float>(row);
  TargetMachine target = TargetMachine::host();
  std::vector<float> expected(in.x.size()), got(in.x.size());
  mlir::Type f32 = mlir::Float32Type::get(&context);
  compileMath(row, target, f32, 16)(in.x.data(), in.y.data(), nullptr, expected.data(),
                                    in.x.size());
  for (int64_t lanes : {0, 1, 4, 8}) {
    compileMath(row, target, f32, lanes)(in.x.data(), in.y.data(), nullptr, got.data(),
                                         in.x.size());
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_TRUE(got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i])))
          << in.x[i] << ", " << in.y[i] << " with " << lanes << " lanes";
  }
}

INSTANTIATE_TEST_SUITE_P(Math, ExpandedMath, ::testing::ValuesIn(mathCases),
                         [](const auto &row) { return row.param.name; });

} // namespace
