// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the CUDA driver supplies, and that no module defines: `vprintf`, `__assertfail`,
// `malloc` and `free` (PTX interoperability, 5).

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_HOSTCALLS_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_HOSTCALLS_H

#include "tilewright/ptx/code/Decoder.h"

namespace tilewright::ptx {

/// The handler for a call of a function without a body; null if it is not supported. The op's lists
/// have results and arguments.
Handler hostCall(const Module &module, const Function &function);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_HOSTCALLS_H
