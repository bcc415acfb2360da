// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of this room: createPropagateLayouts() and others, and registerLayoutPasses().

#ifndef TILEWRIGHT_LAYOUT_PASSES_H
#define TILEWRIGHT_LAYOUT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tilewright::layout {

#define GEN_PASS_DECL
#include "tilewright/layout/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tilewright/layout/Passes.h.inc"

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_PASSES_H
