// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Gpus.h.

#include "tilewright/api/explore/Gpus.h"
#include "tilewright/nvidia/Assemble.h"

#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::api;

// CUDA Programming Guide, tables "Technical Specifications" and "Memory Information per Compute
// Capability"; the granularity is that of the occupancy calculator of Nsight Compute.
static constexpr int64_t kib = 1024;
static constexpr Multiprocessor limits[] = {
    {"sm_75", 1024, 16, 64 * kib, 0, 256},      {"sm_80", 2048, 32, 164 * kib, kib, 128},
    {"sm_86", 1536, 16, 100 * kib, kib, 128},   {"sm_87", 1536, 16, 164 * kib, kib, 128},
    {"sm_89", 1536, 24, 100 * kib, kib, 128},   {"sm_90a", 2048, 32, 228 * kib, kib, 128},
    {"sm_100a", 2048, 32, 228 * kib, kib, 128}, {"sm_103a", 2048, 32, 228 * kib, kib, 128},
    {"sm_110a", 1536, 24, 228 * kib, kib, 128}, {"sm_120a", 1536, 24, 100 * kib, kib, 128},
    {"sm_121a", 1536, 24, 100 * kib, kib, 128},
};

llvm::ArrayRef<Multiprocessor> api::multiprocessors() { return limits; }

// Where documents give peaks with sparsity, half of it.
static constexpr double giga = 1e9, tera = 1e12;
static constexpr Gpu products[] = {
    // NVIDIA T4 data sheet; FP64 is 1/32 of FP32 (Turing architecture paper).
    {"T4", "sm_75", 300 * giga, {0.253 * tera, 8.1 * tera, 0, 65 * tera, 0}},
    // NVIDIA A100 data sheet.
    {"A100 SXM 80 GB", "sm_80", 2039 * giga, {9.7 * tera, 19.5 * tera, 156 * tera, 312 * tera, 0}},
    // NVIDIA Ada GPU architecture paper, appendix A; FP64 is 1/64 of FP32.
    {"RTX 4090",
     "sm_89",
     1008 * giga,
     {1.29 * tera, 82.6 * tera, 82.6 * tera, 165.2 * tera, 330.3 * tera}},
    // NVIDIA H100 data sheet and Hopper architecture paper.
    {"H100 SXM",
     "sm_90a",
     3350 * giga,
     {34 * tera, 67 * tera, 494.7 * tera, 989.4 * tera, 1978.9 * tera}},
    // NVIDIA H200 data sheet: an H100 with other memory.
    {"H200 SXM",
     "sm_90a",
     4800 * giga,
     {34 * tera, 67 * tera, 494.7 * tera, 989.4 * tera, 1978.9 * tera}},
    // NVIDIA Blackwell data sheet, HGX B200. Announcements had 8 TB/s.
    {"B200 SXM",
     "sm_100a",
     7700 * giga,
     {37 * tera, 75 * tera, 1125 * tera, 2250 * tera, 4500 * tera}},
    // NVIDIA RTX Blackwell GPU architecture paper, appendix A; FP64 is 1/64 of FP32.
    {"RTX 5090",
     "sm_120a",
     1792 * giga,
     {1.64 * tera, 104.8 * tera, 104.8 * tera, 209.5 * tera, 419 * tera}},
};

llvm::ArrayRef<Gpu> api::gpus() { return products; }

//===-- Occupancy ---------------------------------------------------------------------------===//

Occupancy api::occupancyOf(const BlockResources &block, const Multiprocessor &multiprocessor) {
  constexpr int64_t warp = 32;
  const int64_t warps = llvm::divideCeil(block.threads, warp);
  const int64_t shared = llvm::alignTo(uint64_t(block.sharedBytes + multiprocessor.reservedBytes),
                                       uint64_t(multiprocessor.granularity));
  Occupancy occupancy{multiprocessor.threads / (warps * warp), 0, 0, "threads"};
  const auto limit = [&](int64_t blocks, llvm::StringRef by) {
    if (blocks < occupancy.blocks) {
      occupancy.blocks = blocks;
      occupancy.limiter = by;
      occupancy.also.clear();
    } else if (blocks == occupancy.blocks) {
      occupancy.also.push_back(by);
    }
  };
  if (block.registers)
    limit(nvidia::Resources{"", *block.registers}.ctasByRegisters(block.threads), "registers");
  if (shared)
    limit(multiprocessor.sharedBytes / shared, "shared memory");
  limit(multiprocessor.blocks, "blocks");
  occupancy.warps = occupancy.blocks * warps;
  occupancy.share = double(occupancy.warps * warp) / double(multiprocessor.threads);
  return occupancy;
}
