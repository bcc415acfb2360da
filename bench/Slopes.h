// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that a function's time is linear in the size of a module. Each function is timed at three
// sizes, from 100,000 operations on, so that no module fits into a cache (smaller ones would show
// the steps between cache levels). The exponent is the slope of log(time) over log(size): 1 is
// linear.

#ifndef TILEWRIGHT_BENCH_SLOPES_H
#define TILEWRIGHT_BENCH_SLOPES_H

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <benchmark/benchmark.h>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

namespace tilewright::bench {

inline void registerAtThreeSizes(const char *name, void (*function)(benchmark::State &)) {
  benchmark::RegisterBenchmark(name, function)
      ->Arg(100000)
      ->Arg(316228)
      ->Arg(1000000)
      ->Repetitions(3)
      ->Unit(benchmark::kMillisecond);
}

/// Prints the usual table, followed by the exponent of each benchmark.
class SlopeReporter : public benchmark::ConsoleReporter {
public:
  SlopeReporter() : ConsoleReporter(OO_None) {}

  void ReportRuns(const std::vector<Run> &runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run &run : runs)
      if (run.run_type == Run::RT_Iteration && !run.run_name.args.empty())
        points[run.run_name.function_name].push_back(
            {std::log(std::stod(run.run_name.args)), std::log(run.GetAdjustedCPUTime())});
  }

  void printSlopes() const {
    for (const auto &[name, samples] : points)
      llvm::outs() << llvm::formatv("{0,-8} time ~ size^{1:f2} over {2} runs\n", name,
                                    slope(samples), samples.size());
  }

  /// None if the benchmark has not run.
  std::optional<double> slopeOf(const std::string &name) const {
    const auto found = points.find(name);
    return found == points.end() ? std::nullopt : std::optional(slope(found->second));
  }

private:
  using Point = std::pair<double, double>;

  /// A least-squares fit.
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

} // namespace tilewright::bench

#endif // TILEWRIGHT_BENCH_SLOPES_H
