// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers per warp, as setmaxnreg changes them; initially the number the entry is assembled for.

#ifndef TILEWRIGHT_PTX_ASYNC_REGISTERCOUNTS_H
#define TILEWRIGHT_PTX_ASYNC_REGISTERCOUNTS_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

/// Registers per thread at the start, as ptxas chooses them: .maxnreg, or the share that
/// .minnctapersm leaves to each thread of .reqntid or .maxntid. 0: ptxas cannot tell, and ignores
/// setmaxnreg.
uint32_t registersAtEntry(const Function &entry);

/// Registers are allocated in groups of 8 per thread.
inline constexpr uint32_t registerStep = 8;
/// Registers per thread that no warp holds; exited warps have returned theirs.
uint32_t freeRegisters(const Cta &cta);

/// Wakes the warps that wait for registers, which then try again.
void wakeForRegisters(Cta &cta);
/// `for 240 registers, ...`
std::string describeRegisterWait(const Thread &thread);

/// Checks that the warps of a warpgroup increase and decrease their registers in the same order.
/// False after a finding that ends the run.
bool checkWarpgroup(Warp &warp, const Op &op);
/// Checks that a warp that ended executed as many setmaxnreg as the others of its warpgroup.
void checkRegisterChanges(const Warp &ended);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_REGISTERCOUNTS_H
