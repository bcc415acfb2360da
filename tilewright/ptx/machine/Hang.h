// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports runs that do not end: which threads wait where, and for what.

#ifndef TILEWRIGHT_PTX_MACHINE_HANG_H
#define TILEWRIGHT_PTX_MACHINE_HANG_H

#include "tilewright/ptx/machine/Grid.h"

namespace tilewright::ptx {

/// No thread can go on.
void reportDeadlock(Machine &machine, const Ctas &ctas);
/// The step limit was reached.
void reportStepLimit(Machine &machine, const Ctas &ctas);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_HANG_H
