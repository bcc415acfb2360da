// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a thread have while it executes a function? A frame: its slots on a stack of values,
// and its part of local memory. A call copies arguments into the new frame's parameters, and the
// return copies results back.

#ifndef TILEWRIGHT_PTX_MACHINE_FRAMES_H
#define TILEWRIGHT_PTX_MACHINE_FRAMES_H

#include "tilewright/ptx/machine/Machine.h"

namespace tilewright::ptx {

/// The first frame of a thread, of the entry.
void enterEntry(Thread &thread);
/// op.list are the addresses of results, op.list2 those of arguments. The return goes on after
/// the thread's pc.
Step callFunction(Thread &thread, const Op &op, uint32_t function);
Step returnFromFunction(Thread &thread, const Op &op);
/// More local memory until the function returns: its address in the local space. None, after a
/// finding, if there is none left.
std::optional<uint64_t> allocateLocal(Thread &thread, const Op &op, uint64_t bytes,
                                      uint64_t alignment);
/// Ends what was allocated since the local memory ended here.
bool restoreLocal(Thread &thread, const Op &op, uint64_t end);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_MACHINE_FRAMES_H
