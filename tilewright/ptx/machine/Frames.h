// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Call frames: the slots of a function on the thread's stack of values, and its part of local
// memory. A call copies the arguments into the parameters of the new frame, and a return copies the
// results back.

#ifndef TILEWRIGHT_PTX_MACHINE_FRAMES_H
#define TILEWRIGHT_PTX_MACHINE_FRAMES_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

/// Pushes the first frame of a thread, for the entry.
void enterEntry(Thread &thread);
/// op.list has the addresses of the results, op.list2 those of the arguments. The function returns
/// to the op after the thread's pc.
Step callFunction(Thread &thread, const Op &op, uint32_t function);
Step returnFromFunction(Thread &thread, const Op &op);
/// Allocates local memory until the function returns (alloca); returns its address in the local
/// space. None, after a finding, if none is left.
std::optional<uint64_t> allocateLocal(Thread &thread, const Op &op, uint64_t bytes,
                                      uint64_t alignment);
/// Frees the local memory that was allocated since it ended at `end` (stackrestore).
bool restoreLocal(Thread &thread, const Op &op, uint64_t end);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_FRAMES_H
