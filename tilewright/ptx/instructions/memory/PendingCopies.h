// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of cp.async that are not waited for.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MEMORY_PENDINGCOPIES_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MEMORY_PENDINGCOPIES_H

#include "tilewright/ptx/machine/Thread.h"

namespace tilewright::ptx {

/// The bytes that a copy writes: its source, which stays as it is until the copy is complete, and
/// then zeros.
std::vector<uint8_t> bytesOf(const PendingCopy &copy);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MEMORY_PENDINGCOPIES_H
