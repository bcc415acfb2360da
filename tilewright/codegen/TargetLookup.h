// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds LLVM's code generators. The supported ones are initialised on first use; the others in the
// library stay uninitialised.

#ifndef TILEWRIGHT_CODEGEN_TARGETLOOKUP_H
#define TILEWRIGHT_CODEGEN_TARGETLOOKUP_H

#include "tilewright/support/Result.h"

#include "llvm/MC/MCSubtargetInfo.h"

#include <memory>
#include <string>

namespace llvm {
class Target;
}

namespace tilewright::codegen {

/// Fails unless the target is x86-64, AArch64 or an NVIDIA GPU.
support::Result<const llvm::Target *> lookUp(const std::string &triple);

using Features = std::unique_ptr<llvm::MCSubtargetInfo>;

/// The features that a processor's name and a feature string imply.
support::Result<Features> featuresOf(const std::string &triple, const std::string &cpu,
                                     const std::string &features);

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_TARGETLOOKUP_H
