// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many runs of a loop does a thread remember of each shared operand of a product, and in which
// order are blocks run so that this is enough?

#ifndef TILEWRIGHT_CPU_PLAN_FACTORSLOTS_H
#define TILEWRIGHT_CPU_PLAN_FACTORSLOTS_H

#include "tilewright/cpu/plan/Matmuls.h"

namespace tilewright::cpu {

/// Decides which factors are shared (SharedFactors.h), within a limit for the entry. Returns how
/// many columns of tile blocks should take turns, so that the left factors of a row of blocks are
/// used by all of them: 1 if blocks are run column by column.
int64_t shareFactors(MatmulPlans &products, const LaunchMemory &memory,
                     const Placements &placements);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_FACTORSLOTS_H
