// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many CTAs a multiprocessor has room for, and, if a hint asks for a number of them, what each
// may take.

#include "tilewright/nvidia/Occupancy.h"
#include "tilewright/nvidia/plan/Plan.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;

/// The most registers of a thread that instructions can name.
static constexpr int64_t mostOfIsa = 255;

/// They are allocated in units of 8.
int64_t Plan::registersOfThread() const {
  const int64_t ofThread = Target::registers / (launchedThreads() * occupancy.value_or(1));
  return ofThread < mostOfIsa ? int64_t(llvm::alignDown(uint64_t(ofThread), 8)) : mostOfIsa;
}

std::optional<int64_t> Plan::registerLimit() const {
  constexpr int64_t warpgroup = 128;
  const int64_t rounded = Target::registers / int64_t(llvm::alignTo(launchedThreads(), warpgroup));
  const int64_t most = registersOfThread();
  const bool isShared = occupancy.value_or(1) > 1 && most < mostOfIsa;
  return rounded < most || isShared ? std::optional(most) : std::nullopt;
}

bool Plan::isAloneWith(int64_t words) const {
  if (occupancy)
    return *occupancy == 1;
  return 100 * words * threadsOfCta() >= target.tuning.alonePercent * Target::registers;
}

int64_t Plan::sharedLimit() const {
  if (!occupancy)
    return target.sharedBytes;
  const Multiprocessor &multiprocessor = multiprocessorOf(target.cpu);
  return std::min(target.sharedBytes,
                  std::max<int64_t>(0, multiprocessor.sharedBytesOfEach(*occupancy)));
}

/// What a product takes beside its accumulators, if threads copy its operands or load fragments;
/// three times as much if these are paired. With twice as much, ptxas spilled 24 bytes of i8 and
/// fp8 products with tiles of 64x64x64 and 5 CTAs (sm_90a).
static int64_t operandRegistersOf(const MatrixProduct &product, bool hasRing,
                                  const Tuning &tuning) {
  if (product.form.readsSharedMemory() && hasRing)
    return 0;
  return tuning.leastOperandRegisters * (product.isPaired ? 3 : 1);
}

/// Live tiles, or the accumulators of a product that are loaded piece by piece, and what else a
/// thread needs at least.
int64_t Plan::leastRegisters() const {
  int64_t tiles = heldWords, ofOperands = 0;
  for (const auto &[op, product] : matrices) {
    tiles = std::max(tiles, tensor.find(op) ? 0 : product.registersOfSums(threads));
    ofOperands = std::max(ofOperands, operandRegistersOf(product, roles.ringOf(op), target.tuning));
  }
  const int64_t least = tiles + target.tuning.leastFreeRegisters + ofOperands;
  return otherwise ? std::max(least, otherwise->leastRegisters()) : least;
}

int64_t Plan::possibleOccupancy(int64_t sharedBytes) const {
  const int64_t registers = leastRegisters();
  return occupancyOf({launchedThreads(), sharedBytes, registers}, multiprocessorOf(target.cpu))
      .blocks;
}

void Plan::refuseOccupancy() {
  refusedHints["occupancy"] = llvm::formatv(
      "a CTA has {0} threads with at least {1} registers each, and {2} bytes of shared "
      "memory",
      launchedThreads(), leastRegisters(), shared.bytes);
}
