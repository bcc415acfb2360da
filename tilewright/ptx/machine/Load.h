// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialises memory before a kernel runs: the global and constant variables of the module, with
// their initial values, at the addresses that the program assigned.

#ifndef TILEWRIGHT_PTX_MACHINE_LOAD_H
#define TILEWRIGHT_PTX_MACHINE_LOAD_H

#include "tilewright/ptx/code/Program.h"
#include "tilewright/ptx/machine/Memory.h"

namespace tilewright::ptx {

void loadVariables(const Program &program, Memory &memory);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_LOAD_H
