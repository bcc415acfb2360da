// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many registers has a warp? As setmaxnreg says; at first, as many as the entry is assembled
// for.

#ifndef TILEWRIGHT_PTX_ASYNC_REGISTERCOUNTS_H
#define TILEWRIGHT_PTX_ASYNC_REGISTERCOUNTS_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

/// Of a thread, as ptxas decides: .maxnreg, or what .minnctapersm leaves to each of the threads of
/// .reqntid or .maxntid. 0: ptxas cannot tell, and ignores setmaxnreg.
uint32_t registersAtEntry(const Function &entry);

/// Warps get registers in groups of 8 for each thread.
inline constexpr uint32_t registerStep = 8;
/// Registers for each thread that no warp has; warps that have ended have given theirs back.
uint32_t freeRegisters(const Cta &cta);

/// Warps that wait for registers try again.
void wakeForRegisters(Cta &cta);
/// `for 240 registers, ...`
std::string describeRegisterWait(const Thread &thread);

/// The warps of a warpgroup execute one setmaxnreg after the other, the same ones. False after a
/// finding that ends the run.
bool checkWarpgroup(Warp &warp, const Op &op);
/// A warp has ended: has it changed its registers as often as the others of its warpgroup?
void checkRegisterChanges(const Warp &ended);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_REGISTERCOUNTS_H
