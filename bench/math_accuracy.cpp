// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the arguments with the largest errors. Every mathematical function is compiled for each
// target that this machine can run and compared with a more precise one: f32 functions with ours
// for f64, at all bit patterns or every N-th; f64 functions with the C library's for long double,
// at random arguments (which f32 functions of two arguments also use). The largest error for each
// target is then verified with MPFR.
//
//   bench_math_accuracy [--every=N] [--random=N] [--only=function,...]
//                       [--targets=native,slow-f64,...]
//
// --every=1 takes a minute per function.

#include "test/support/elementwise/MathTestSupport.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include <cstring>

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::testing;
using tilewright::codegen::TargetMachine;

static llvm::cl::opt<uint64_t> every("every", llvm::cl::desc("Of f32, take every N-th pattern"),
                                     llvm::cl::init(1021));
static llvm::cl::opt<uint64_t> randomCount("random", llvm::cl::desc("Take N random arguments"),
                                           llvm::cl::init(1 << 20));
static llvm::cl::list<std::string> targets("targets", llvm::cl::desc("Names of targets"),
                                           llvm::cl::CommaSeparated);
static llvm::cl::list<std::string> only("only", llvm::cl::desc("Names of functions"),
                                        llvm::cl::CommaSeparated);

//===-- Arguments ---------------------------------------------------------------------------===//

static constexpr int64_t chunk = 1 << 14;

template <typename T> struct Arguments {
  std::vector<T> x = std::vector<T>(chunk), y = std::vector<T>(chunk);
};

/// Every N-th bit pattern of f32.
class Patterns {
public:
  bool next(const MathCase &, Arguments<float> &in) {
    if (pattern >> 32 != 0)
      return false;
    for (float &x : in.x) {
      x = std::bit_cast<float>(uint32_t(pattern)); // wraps around after the last one
      pattern += every;
    }
    return true;
  }

private:
  uint64_t pattern = 0;
};

template <typename T> class RandomArguments {
public:
  bool next(const MathCase &row, Arguments<T> &in) {
    if (count >= randomCount)
      return false;
    for (int64_t i = 0; i < chunk; i += 4) {
      in.x[i] = numbers.anyPattern();
      in.y[i] = numbers.anyPattern();
      in.x[i + 1] = numbers.moderate(row.reach);
      in.y[i + 1] = numbers.moderate(row.reach);
      in.x[i + 2] = numbers.nearOne();
      in.y[i + 2] = numbers.moderate(row.reach);
      in.x[i + 3] = numbers.nearOne();
      in.y[i + 3] = numbers.nearOne();
    }
    count += chunk;
    return true;
  }

private:
  RandomNumbers<T> numbers;
  uint64_t count = 0;
};

//===-- References --------------------------------------------------------------------------===//

static long double inLibrary(MathFunction function, long double x, long double y) {
  switch (function) {
  case MathFunction::Exp:
    return std::exp(x);
  case MathFunction::Exp2:
    return std::exp2(x);
  case MathFunction::Log:
    return std::log(x);
  case MathFunction::Log2:
    return std::log2(x);
  case MathFunction::Sin:
    return std::sin(x);
  case MathFunction::Cos:
    return std::cos(x);
  case MathFunction::Tan:
    return std::tan(x);
  case MathFunction::Sinh:
    return std::sinh(x);
  case MathFunction::Cosh:
    return std::cosh(x);
  case MathFunction::Tanh:
    return std::tanh(x);
  case MathFunction::Pow:
    return std::pow(x, y);
  case MathFunction::Atan2:
    return std::atan2(x, y);
  case MathFunction::Rsqrt:
    return 1 / std::sqrt(x);
  }
  llvm_unreachable("all functions are listed");
}

/// References for f32: our functions for f64.
class WideResults {
public:
  WideResults(const MathCase &row, mlir::MLIRContext &context)
      : map(compileMath(row, TargetMachine::host(), mlir::Float64Type::get(&context), 8)) {}

  void operator()(const Arguments<float> &in, std::vector<double> &results) {
    std::copy(in.x.begin(), in.x.end(), wide.x.begin());
    std::copy(in.y.begin(), in.y.end(), wide.y.begin());
    map(wide.x.data(), wide.y.data(), nullptr, results.data(), chunk);
  }

private:
  CompiledMap map;
  Arguments<double> wide;
};

/// References for f64: the C library's functions for long double.
class LibraryResults {
public:
  LibraryResults(const MathCase &row, mlir::MLIRContext &) : function(row.function) {}

  void operator()(const Arguments<double> &in, std::vector<long double> &results) {
    for (int64_t i = 0; i < chunk; ++i)
      results[i] = inLibrary(function, in.x[i], in.y[i]);
  }

private:
  MathFunction function;
};

//===-- Search ------------------------------------------------------------------------------===//

/// Skips results that are correctly rounded.
template <typename T> struct Searched {
  std::string target;
  CompiledMap map;
  std::vector<T> results = std::vector<T>(chunk);
  double worst = 0.5;
  T x = 0, y = 0, result = 0;
};

/// Whether the error may be above `worst`, decided without computing it exactly.
static bool mayBeFarther(float got, double exact, double worst) {
  uint64_t exponent = std::bit_cast<uint32_t>(float(exact)) >> 23 & 0xFF;
  double unit = std::bit_cast<double>((std::max<uint64_t>(exponent, 1) + 1023 - 150) << 52);
  return !(std::abs(exact - got) <= worst * unit); // also true for NaN
}
static bool mayBeFarther(double, long double, double) { return true; }

template <typename T>
static void compare(const Arguments<T> &in, const auto &exact, Searched<T> &searched) {
  for (int64_t i = 0; i < chunk; ++i) {
    T got = searched.results[i], rounded = T(exact[i]);
    if (std::memcmp(&got, &rounded, sizeof(T)) == 0 || !mayBeFarther(got, exact[i], searched.worst))
      continue;
    if (double d = distance(got, exact[i]); d > searched.worst) {
      searched.worst = d;
      searched.x = in.x[i];
      searched.y = in.y[i];
      searched.result = got;
    }
  }
}

template <typename T>
static void report(const MathCase &row, mlir::Type type, const Searched<T> &searched) {
  ExactResults exactResults;
  double d = 0.5;
  if (searched.worst > d)
    d = distance(searched.result, exactResults(row, searched.x, searched.y));
  std::printf("%-6s f%-3zu %-10s %.4f%s  %a", row.name, 8 * sizeof(T), searched.target.c_str(), d,
              d > row.boundOn(targetNamed(searched.target), type) ? " TOO FAR" : "",
              double(searched.x));
  if (row.isBinary())
    std::printf(", %a", double(searched.y));
  std::printf("\n");
  std::fflush(stdout);
}

template <typename T, typename Source, typename References>
static void search(const MathCase &row, mlir::MLIRContext &context, mlir::Type type,
                   int64_t lanes) {
  std::vector<Searched<T>> all;
  for (const std::string &name : runnableTargets())
    if (targets.empty() || llvm::is_contained(targets, name))
      all.push_back({name, compileMath(row, targetNamed(name), type, lanes)});
  Source source;
  References references(row, context);
  Arguments<T> in;
  std::vector<std::conditional_t<sizeof(T) == 4, double, long double>> exact(chunk);
  while (source.next(row, in)) {
    references(in, exact);
    for (auto [position, searched] : llvm::enumerate(all)) {
      std::vector<T> &results = searched.results;
      searched.map(in.x.data(), in.y.data(), nullptr, results.data(), chunk);
      // Targets with fused multiply-add mostly give identical results.
      const std::vector<T> &first = all.front().results;
      if (position > 0 && searched.worst == all.front().worst &&
          std::memcmp(results.data(), first.data(), chunk * sizeof(T)) == 0)
        continue;
      compare(in, exact, searched);
    }
  }
  for (const Searched<T> &searched : all)
    report(row, type, searched);
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tilewright::codegen::loadLoopDialects(context);
  mlir::Type f32 = mlir::Float32Type::get(&context), f64 = mlir::Float64Type::get(&context);
  for (const MathCase &row : mathCases) {
    if (!only.empty() && !llvm::is_contained(only, row.name))
      continue;
    if (row.isBinary())
      search<float, RandomArguments<float>, WideResults>(row, context, f32, 16);
    else
      search<float, Patterns, WideResults>(row, context, f32, 16);
    search<double, RandomArguments<double>, LibraryResults>(row, context, f64, 8);
  }
  return 0;
}
