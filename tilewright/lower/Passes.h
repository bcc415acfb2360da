// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of this room: createCheckAssumptions(), createEvaluateConstants(), createFuseFma(),
// createHoistEpilogueLoads(), createHoistReductions(), createSynthesizeDebugInfoScopes() and
// registerLowerPasses().

#ifndef TILEWRIGHT_LOWER_PASSES_H
#define TILEWRIGHT_LOWER_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilewright::lower {

/// Whether the message of a failed assert is one of createCheckAssumptions(), such as
/// `assume div_by<16> does not hold`, and not one of the kernel.
bool isFalseAssumption(llvm::StringRef message);

#define GEN_PASS_DECL
#include "tilewright/lower/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tilewright/lower/Passes.h.inc"

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_PASSES_H
