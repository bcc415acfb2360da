// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Occupancy.h.

#include "tilewright/nvidia/Occupancy.h"
#include "tilewright/nvidia/Assemble.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::nvidia;

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

llvm::ArrayRef<Multiprocessor> nvidia::multiprocessors() { return limits; }

const Multiprocessor &nvidia::multiprocessorOf(llvm::StringRef cpu) {
  const auto *found = llvm::find_if(limits, [&](const auto &row) { return row.sm == cpu; });
  assert(found != std::end(limits) && "each target has a row");
  return *found;
}

int64_t Multiprocessor::sharedBytesOfEach(int64_t ctas) const {
  return int64_t(llvm::alignDown(uint64_t(sharedBytes / ctas), uint64_t(granularity))) -
         reservedBytes;
}

Occupancy nvidia::occupancyOf(const BlockResources &block, const Multiprocessor &multiprocessor) {
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
    limit(Resources{"", *block.registers}.ctasByRegisters(block.threads), "registers");
  if (shared)
    limit(multiprocessor.sharedBytes / shared, "shared memory");
  limit(multiprocessor.blocks, "blocks");
  occupancy.warps = occupancy.blocks * warps;
  occupancy.share = double(occupancy.warps * warp) / double(multiprocessor.threads);
  return occupancy;
}
