// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tuning.h.

#include "tilewright/cpu/Tuning.h"

using namespace tilewright;
using codegen::ThresholdValues;
using cpu::Tuning;

llvm::ArrayRef<codegen::Threshold<Tuning>> cpu::thresholds() {
  static constexpr codegen::Threshold<Tuning> all[] = {
      {"most-cheap-cost", &Tuning::mostCheapCost},
      {"most-fused-cost", &Tuning::mostFusedCost},
      {"least-reloaded-row-bytes", &Tuning::leastReloadedRowBytes},
      {"most-group-members", &Tuning::mostGroupMembers},
      {"most-loop-work", &Tuning::mostLoopWork},
      {"least-busy-work", &Tuning::leastBusyWork},
      {"access-bytes", &Tuning::accessBytes, ThresholdValues::PowersOfTwo},
      {"least-access-lanes", &Tuning::leastAccessLanes, ThresholdValues::PowersOfTwo},
      {"tile-lanes", &Tuning::tileLanes, ThresholdValues::PowersOfTwo},
      {"atomic-updates", &Tuning::atomicUpdates, ThresholdValues::PowersOfTwo},
      {"most-scalar-address-cost", &Tuning::mostScalarAddressCost},
      {"independent-vectors", &Tuning::independentVectors, ThresholdValues::PowersOfTwo},
      {"chains", &Tuning::chains, ThresholdValues::PowersOfTwo},
      {"chains-of-few-registers", &Tuning::chainsOfFewRegisters, ThresholdValues::PowersOfTwo},
      {"least-scan-bytes", &Tuning::leastScanBytes, ThresholdValues::PowersOfTwo},
      {"row-registers", &Tuning::rowRegisters},
      {"row-registers-of-avx512", &Tuning::rowRegistersOfAvx512},
      {"most-block-rows", &Tuning::mostBlockRows, ThresholdValues::PowersOfTwo},
      {"most-repeated-percent", &Tuning::mostRepeatedPercent},
      {"most-work-for-whole-loops", &Tuning::mostWorkForWholeLoops},
      {"most-tracked-elements", &Tuning::mostTrackedElements},
      {"most-shuffle-work", &Tuning::mostShuffleWork},
      {"cost-per-instruction", &Tuning::costPerInstruction, ThresholdValues::FromOne},
      {"shuffled-vectors", &Tuning::shuffledVectors, ThresholdValues::PowersOfTwo},
      {"shuffled-vectors-of-avx2", &Tuning::shuffledVectorsOfAvx2, ThresholdValues::PowersOfTwo},
      {"most-interleaved-rows", &Tuning::mostInterleavedRows},
      {"most-transposed-rows", &Tuning::mostTransposedRows, ThresholdValues::PowersOfTwo},
      {"least-tile-extent", &Tuning::leastTileExtent, ThresholdValues::FromOne, 2},
      {"accumulators", &Tuning::accumulators, ThresholdValues::FromOne},
      {"accumulators-of-avx512", &Tuning::accumulatorsOfAvx512, ThresholdValues::FromOne},
      {"column-vectors", &Tuning::columnVectors, ThresholdValues::PowersOfTwo},
      {"column-vectors-of-avx512", &Tuning::columnVectorsOfAvx512, ThresholdValues::PowersOfTwo},
      {"rows-of-two-vectors", &Tuning::rowsOfTwoVectors, ThresholdValues::FromOne},
      {"rows-of-last-blocks", &Tuning::rowsOfLastBlocks, ThresholdValues::PowersOfTwo},
      {"steps", &Tuning::steps, ThresholdValues::PowersOfTwo},
      {"many-steps", &Tuning::manySteps, ThresholdValues::PowersOfTwo},
      {"panel-numerator", &Tuning::panelNumerator},
      {"panel-denominator", &Tuning::panelDenominator, ThresholdValues::FromOne},
      {"steps-of-tiles", &Tuning::stepsOfTiles, ThresholdValues::PowersOfTwo},
      {"unrolled-products", &Tuning::unrolledProducts},
      {"most-unrolled-steps", &Tuning::mostUnrolledSteps, ThresholdValues::PowersOfTwo},
      {"packed-words", &Tuning::packedWords, ThresholdValues::PowersOfTwo},
      {"most-epilogue-cost", &Tuning::mostEpilogueCost},
      {"most-cached-operand-bytes", &Tuning::mostCachedOperandBytes},
      {"most-cached-bytes", &Tuning::mostCachedBytes},
      {"interleaved-columns", &Tuning::interleavedColumns, ThresholdValues::PowersOfTwo},
      {"most-interleaved-blocks", &Tuning::mostInterleavedBlocks, ThresholdValues::PowersOfTwo},
      {"row-prefetch-bytes", &Tuning::rowPrefetchBytes},
      {"gather-prefetch-bytes", &Tuning::gatherPrefetchBytes},
      {"least-prefetched-rows", &Tuning::leastPrefetchedRows, ThresholdValues::FromOne},
      {"near-prefetch-numerator", &Tuning::nearPrefetchNumerator},
      {"near-prefetch-denominator", &Tuning::nearPrefetchDenominator, ThresholdValues::FromOne},
      {"least-prefetched-columns", &Tuning::leastPrefetchedColumns},
      {"non-temporal-numerator", &Tuning::nonTemporalNumerator},
      {"non-temporal-denominator", &Tuning::nonTemporalDenominator, ThresholdValues::FromOne},
      {"shared-non-temporal-numerator", &Tuning::sharedNonTemporalNumerator},
      {"shared-non-temporal-denominator", &Tuning::sharedNonTemporalDenominator,
       ThresholdValues::FromOne},
      {"most-inline-operations", &Tuning::mostInlineOperations},
      {"least-called-operations", &Tuning::leastCalledOperations},
      {"least-outlined-operations", &Tuning::leastOutlinedOperations, ThresholdValues::FromOne},
      {"least-long-kernel-operations", &Tuning::leastLongKernelOperations},
  };
  return all;
}

int64_t cpu::accessLanes(const Tuning &tuning, int64_t wordBytes) {
  return std::max<int64_t>(
      {tuning.accessBytes / wordBytes, tuning.leastAccessLanes, 2}); // a scan takes vectors
}
