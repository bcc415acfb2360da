// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Bounds.h.

#include "tilewright/api/estimate/Bounds.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::api;

/// Per cycle of a multiprocessor: each of four schedulers issues an instruction of a warp; shared
/// memory serves one cycle of its banks; and the L2 cache sends 64 bytes at most (the widest that
/// any of these GPUs has; NVIDIA A100 architecture paper: 5120 bytes for 108 of them).
static constexpr double issuedPerCycle = 4, lanesPerWarp = 32, bytesPerCycle = 64, sectorBytes = 32;

/// The clock at which the GPU reaches its published peak for f32, in cycles per second. A
/// multiprocessor executes so many f32 multiply-adds per cycle (CUDA C++ Programming Guide,
/// arithmetic instructions).
static double clockOf(const Gpu &gpu) {
  const double multiplyAdds = gpu.sm == "sm_75" || gpu.sm == "sm_80" ? 64 : 128;
  return gpu.peaks.f32 / (2 * multiplyAdds * double(gpu.multiprocessors));
}

/// The published peak of products with these operands; 0 if there are no units, or the type does
/// not determine them: e2m1 has units of its own only with block scales.
static double peakOf(ptx::Type operand, const Peaks &peaks) {
  switch (operand) {
  case ptx::Type::F64:
    return std::max(peaks.f64, peaks.f64Products);
  case ptx::Type::TF32:
    return peaks.tf32;
  case ptx::Type::F16:
  case ptx::Type::BF16:
    return peaks.f16;
  case ptx::Type::E4M3:
  case ptx::Type::E5M2:
  case ptx::Type::E2M3:
  case ptx::Type::E3M2:
    return peaks.f8;
  case ptx::Type::S8:
  case ptx::Type::U8:
    return peaks.i8;
  default:
    return 0;
  }
}

static std::optional<double> productTime(const LaunchCounts &counts, const Peaks &peaks) {
  double seconds = 0;
  for (const auto &[operand, multiplyAdds] : counts.products) {
    const double peak = peakOf(operand, peaks);
    if (peak <= 0)
      return std::nullopt;
    seconds += 2 * multiplyAdds / peak;
  }
  return seconds;
}

Bounds api::boundsOf(const LaunchCounts &counts, const LaunchShape &launch, const Gpu &gpu) {
  const double multiprocessors = double(gpu.multiprocessors);
  const double cycles = clockOf(gpu) * multiprocessors;
  // How much more than its share the busiest multiprocessor does.
  const double busiest = double(llvm::divideCeil(launch.ctas, gpu.multiprocessors)) *
                         multiprocessors / double(launch.ctas);
  const double bytes = counts.sectors * sectorBytes;
  Bounds bounds;
  bounds.instructions = busiest * counts.instructions / (lanesPerWarp * issuedPerCycle * cycles);
  bounds.shared = busiest * counts.bankCycles / cycles;
  bounds.caches = busiest * bytes / (bytesPerCycle * cycles);
  bounds.products = productTime(counts, gpu.peaks);
  if (bounds.products)
    *bounds.products *= busiest;
  bounds.memory = std::min(bytes, double(launch.arrayBytes)) / gpu.bandwidth;
  return bounds;
}

std::array<Bounds::Named, 5> Bounds::all() const {
  return {{{"instructions", instructions},
           {"products", products},
           {"shared", shared},
           {"caches", caches},
           {"memory", memory}}};
}

/// Of several that are as long, the last one.
static Bounds::Named longestOf(const Bounds &bounds) {
  const auto all = bounds.all();
  return *std::max_element(all.rbegin(), all.rend(), [](const auto &a, const auto &b) {
    return a.seconds.value_or(0) < b.seconds.value_or(0);
  });
}

double Bounds::time() const { return longestOf(*this).seconds.value_or(0); }
llvm::StringRef Bounds::limiter() const { return longestOf(*this).name; }
