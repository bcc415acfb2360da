// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures mathematical functions: nanoseconds per element of our expansions, of the C library's
// functions, and of libmvec's vector functions (as used by -ffast-math, within 4 ulp), for arrays
// that stay in the L1 cache. The three alternate, so that disturbances affect all of them; ratios
// are of medians, with the quartiles of the ratios in single rounds.
//
//   bench_math_speed [--only=function,...]

#include "MathLoops.h"
#include "test/support/elementwise/MathTestSupport.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include <chrono>

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::testing;
using tilewright::codegen::TargetMachine;

static llvm::cl::list<std::string> only("only", llvm::cl::desc("Names of functions"),
                                        llvm::cl::CommaSeparated);

static constexpr int64_t count = 1024;

/// Ordinary arguments: positive where the function requires it, and without overflow.
template <typename T> static T argument(const MathCase &row, RandomNumbers<T> &numbers) {
  switch (row.function) {
  case MathFunction::Log:
  case MathFunction::Log2:
  case MathFunction::Rsqrt:
    return 1000 * (1 + numbers.moderate(1));
  case MathFunction::Pow:
    return numbers.nearOne();
  default:
    return numbers.moderate(10);
  }
}

/// Nanoseconds per element, measured over about 20 microseconds.
static double timeOf(const auto &function, int64_t repetitions) {
  const auto start = std::chrono::steady_clock::now();
  for (int64_t k = 0; k < repetitions; ++k)
    function();
  std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
  return time.count() / (repetitions * count);
}

static double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[size_t(q * (values.size() - 1))];
}

template <typename T>
static void measure(const MathCase &row, mlir::Type type, int64_t lanes, auto scalar, auto vector) {
  TargetMachine target = TargetMachine::host();
  CompiledMap map = compileMath(row, target, type, lanes);
  RandomNumbers<T> numbers;
  std::vector<T> x(count), y(count), result(count);
  for (int64_t i = 0; i < count; ++i) {
    x[i] = argument(row, numbers);
    y[i] = numbers.moderate(10);
  }
  auto run = [&](const auto &function) {
    return [&] { function(x.data(), y.data(), nullptr, result.data(), count); };
  };
  std::vector<double> ours, overScalar, overVector;
  for (int turn = 0; turn < 200; ++turn) {
    double time = timeOf(run(map), 20);
    ours.push_back(time);
    overScalar.push_back(timeOf(run(scalar), 5) / time);
    overVector.push_back(timeOf(run(vector), 20) / time);
  }
  auto print = [](const std::vector<double> &ratios) {
    std::printf("  %6.2f (%.2f to %.2f)", quantile(ratios, 0.5), quantile(ratios, 0.25),
                quantile(ratios, 0.75));
  };
  std::printf("%-6s f%-3zu %6.2f ns", row.name, 8 * sizeof(T), quantile(ours, 0.5));
  print(overScalar);
  print(overVector);
  std::printf("\n");
  std::fflush(stdout);
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tilewright::codegen::loadLoopDialects(context);
  std::printf("per element; the time of libm, and of libmvec, over ours (middle half)\n");
  for (const MathCase &row : mathCases) {
    if (!only.empty() && !llvm::is_contained(only, row.name))
      continue;
    MathLoops scalar = scalarMathLoops(row.name), vector = vectorMathLoops(row.name);
    int64_t bytes = TargetMachine::host().vectorBytes;
    measure<float>(row, mlir::Float32Type::get(&context), bytes / 4, scalar.f32, vector.f32);
    measure<double>(row, mlir::Float64Type::get(&context), bytes / 8, scalar.f64, vector.f64);
  }
  return 0;
}
