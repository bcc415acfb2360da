// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of LLVM generates code for a target? The two that we compile for are started on
// first use; what else the library has stays untouched.

#ifndef TILEWRIGHT_CPU_TARGETLOOKUP_H
#define TILEWRIGHT_CPU_TARGETLOOKUP_H

#include "tilewright/cpu/Target.h"

namespace llvm {
class Target;
}

namespace tilewright::cpu {

/// Fails for a processor that is neither an x86-64 nor an AArch64.
support::Result<const llvm::Target *> lookUp(const Target &target);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_TARGETLOOKUP_H
