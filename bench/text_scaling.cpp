// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do parsing, verifying and printing take time in proportion to the size of a module?
// Each is timed at three sizes from 100,000 operations on, whose modules fit in no cache
// (smaller ones would show the step from one cache to the next). The exponent is the
// slope of log(time) over log(size): 1 is linear.

#include "tilewright/tile/Ops.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <benchmark/benchmark.h>
#include <cmath>
#include <map>

using namespace mlir;

static std::unique_ptr<MLIRContext> makeContext() {
  auto context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  context->loadDialect<tilewright::tile::TileDialect>();
  return context;
}

/// A kernel of about this many operations: arithmetic, constants, views, memory and
/// loops, with operands from near and far.
static std::string makeModule(int64_t operations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "cuda_tile.module @m {\n entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {\n"
        "  %x0 = constant <f32: 0.5> : tile<16x16xf32>\n"
        "  %t0 = make_token : token\n";
  const char *block = R"(
  %c{0} = constant <i32: {0}> : tile<i32>
  %i{0} = addi %c{0}, %n overflow<no_signed_wrap> : tile<i32>
  %q{0} = offset %p, %i{0} : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
  %l{0}, %u{0} = load_ptr_tko weak %q{0} token=%t{1} : tile<ptr<f32>> -> tile<f32>, token
  %r{0} = reshape %l{0} : tile<f32> -> tile<1x1xf32>
  %b{0} = broadcast %r{0} : tile<1x1xf32> -> tile<16x16xf32>
  %m{0} = mulf %b{0}, %x{1} rounding<zero> : tile<16x16xf32>
  %x{0} = for %j{0} in (%c{0} to %n, step %c{0}) : tile<i32> iter_values(%a{0} = %m{0}) -> (tile<16x16xf32>) {{
    %s{0} = addf %a{0}, %x{1} : tile<16x16xf32>
    continue %s{0} : tile<16x16xf32>
  }
  %t{0} = store_ptr_tko weak %q{0}, %l{0} token=%u{0} : tile<ptr<f32>>, tile<f32> -> token
  %v{0} = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64, 1]>
  %w{0} = make_partition_view %v{0} : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xf32, strides=[64, 1]>>
  %y{0}, %z{0} = load_view_tko weak %w{0}[%i{0}, %c{0}] : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xf32, strides=[64, 1]>>, tile<i32> -> tile<16x16xf32>, token
)";
  constexpr int64_t perBlock = 14;
  for (int64_t i = 1; i <= operations / perBlock; ++i)
    os << llvm::formatv(block, i, i - 1);
  os << "  return\n }\n}\n";
  return text;
}

static void parse(benchmark::State &state) {
  std::string text = makeModule(state.range(0));
  for (auto _ : state) {
    std::unique_ptr<MLIRContext> context = makeContext();
    ParserConfig config(context.get(), /*verifyAfterParse=*/false);
    if (!parseSourceString<ModuleOp>(text, config))
      state.SkipWithError("the generated module does not parse");
  }
}

static void verify(benchmark::State &state) {
  std::unique_ptr<MLIRContext> context = makeContext();
  auto module = parseSourceString<ModuleOp>(makeModule(state.range(0)), context.get());
  for (auto _ : state)
    if (!module || failed(mlir::verify(*module)))
      state.SkipWithError("the generated module does not verify");
}

static void print(benchmark::State &state) {
  std::unique_ptr<MLIRContext> context = makeContext();
  auto module = parseSourceString<ModuleOp>(makeModule(state.range(0)), context.get());
  for (auto _ : state) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    benchmark::DoNotOptimize(text.data());
  }
}

namespace {

/// Prints the usual table and, below, the exponent of each benchmark.
class SlopeReporter : public benchmark::ConsoleReporter {
public:
  SlopeReporter() : ConsoleReporter(OO_None) {}

  void ReportRuns(const std::vector<Run> &runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run &run : runs)
      if (run.run_type == Run::RT_Iteration)
        points[run.run_name.function_name].push_back(
            {std::log(std::stod(run.run_name.args)), std::log(run.GetAdjustedCPUTime())});
  }

  void printSlopes() const {
    for (const auto &[name, samples] : points)
      llvm::outs() << llvm::formatv("{0,-8} time ~ size^{1:f2} over {2} runs\n", name,
                                    slope(samples), samples.size());
  }

private:
  using Point = std::pair<double, double>;

  /// Least squares.
  static double slope(const std::vector<Point> &samples) {
    double meanX = 0, meanY = 0, covariance = 0, variance = 0;
    for (auto [x, y] : samples) {
      meanX += x / samples.size();
      meanY += y / samples.size();
    }
    for (auto [x, y] : samples) {
      covariance += (x - meanX) * (y - meanY);
      variance += (x - meanX) * (x - meanX);
    }
    return covariance / variance;
  }

  std::map<std::string, std::vector<Point>> points;
};

} // namespace

int main(int argc, char **argv) {
  for (benchmark::internal::Benchmark *each : {benchmark::RegisterBenchmark("parse", parse),
                                               benchmark::RegisterBenchmark("verify", verify),
                                               benchmark::RegisterBenchmark("print", print)})
    each->Arg(100000)->Arg(316228)->Arg(1000000)->Repetitions(3)->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  SlopeReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.printSlopes();
}
