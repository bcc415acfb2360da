// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NonTemporal.h.

#include "tilewright/cpu/plan/NonTemporal.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/elementwise/Elements.h"

using namespace tilewright;
using namespace tilewright::cpu;

static NonTemporalReason reasonFor(mlir::Operation *member, const FusionGroup &group, bool hasRows,
                                   const Target &target) {
  // With SSE2, a line takes four instructions; other processors have no fence for such stores.
  constexpr int64_t bytesOfAvx2 = 32;
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(member);
  if (!access.isStore())
    return NonTemporalReason::NoGroup;
  if (!hasRows)
    return NonTemporalReason::Scattered;
  if (target.vectorBytes < bytesOfAvx2)
    return NonTemporalReason::NarrowRegisters;
  mlir::Type element = tileTypeOf(access.getStored()).getElementType();
  int64_t bytes = group.loops[group.loopOf(member)].width * elementwise::wordBytes(element);
  if (bytes % cacheLineBytes != 0)
    return NonTemporalReason::PartialLines;
  return access.isThroughView() ? NonTemporalReason::LargeTensor : NonTemporalReason::LargeLaunch;
}

NonTemporal cpu::nonTemporalOf(mlir::Operation *member, const FusionGroup &group, bool hasRows,
                               const Target &target) {
  NonTemporal stores{reasonFor(member, group, hasRows, target)};
  if (!stores.isPossible())
    return stores;
  const Tuning &tuning = target.tuning;
  auto partOfCache = [&](int64_t numerator, int64_t denominator) {
    return target.lastCacheBytes / denominator * numerator;
  };
  stores.leastBytes = partOfCache(tuning.nonTemporalNumerator, tuning.nonTemporalDenominator);
  stores.leastBytesOfThreads =
      partOfCache(tuning.sharedNonTemporalNumerator, tuning.sharedNonTemporalDenominator);
  return stores;
}
