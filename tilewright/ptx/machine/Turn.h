// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a thread do in its turn? It executes instructions until it waits, ends, or has executed
// as many as the schedule gives it.

#ifndef TILEWRIGHT_PTX_MACHINE_TURN_H
#define TILEWRIGHT_PTX_MACHINE_TURN_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

/// Executes up to so many instructions.
void runThread(Thread &thread, uint32_t quantum);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_TURN_H
