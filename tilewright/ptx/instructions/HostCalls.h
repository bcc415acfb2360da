// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions does a GPU have that no module defines? Those with which CUDA prints, asserts and
// allocates, `vprintf`, `__assertfail`, `malloc` and `free` (PTX interoperability, 5): the driver
// supplies them.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_HOSTCALLS_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_HOSTCALLS_H

#include "tilewright/ptx/code/Decoder.h"

namespace tilewright::ptx {

/// A handler for a call of a function without a body; null if there is no such function. Results
/// and arguments are in the lists of the op.
Handler hostCall(const Module &module, const Function &function);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_HOSTCALLS_H
