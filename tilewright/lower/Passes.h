// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of this room: createCheckAssumptions(), createEvaluateConstants(), createFuseFma(),
// createHoistEpilogueLoads(), createHoistReductions(), createSynthesizeDebugInfoScopes() and
// registerLowerPasses().

#ifndef TILEWRIGHT_LOWER_PASSES_H
#define TILEWRIGHT_LOWER_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilewright::lower {

/// The prefix of the messages of asserts that check an assumption.
inline constexpr llvm::StringLiteral falseAssumption = "assume ";

#define GEN_PASS_DECL
#include "tilewright/lower/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tilewright/lower/Passes.h.inc"

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_PASSES_H
