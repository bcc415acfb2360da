// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes the packed-operand caches: how many entries (`slots`) each operand gets, and in which order
// tile blocks run so that these suffice.

#ifndef TILEWRIGHT_CPU_PLAN_FACTORSLOTS_H
#define TILEWRIGHT_CPU_PLAN_FACTORSLOTS_H

#include "tilewright/cpu/plan/Matmuls.h"

namespace tilewright::cpu {

struct Tuning;

/// Decides which operands are packed once for several tile blocks (SharedFactors.h), within a
/// memory limit per kernel. Returns the rasterization order as the number of columns of tile blocks
/// to interleave, so that all of them reuse the packed lhs of a row of blocks; 1: blocks run column
/// by column.
int64_t shareFactors(MatmulPlans &products, const LaunchMemory &memory,
                     const Placements &placements, const Tuning &tuning);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_FACTORSLOTS_H
