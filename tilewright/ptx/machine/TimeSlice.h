// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes one time slice of a thread: instructions until it waits, exits, or reaches its quantum.

#ifndef TILEWRIGHT_PTX_MACHINE_TIMESLICE_H
#define TILEWRIGHT_PTX_MACHINE_TIMESLICE_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

/// Executes up to `quantum` instructions.
void runTimeSlice(Thread &thread, uint32_t quantum);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_TIMESLICE_H
