// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can a target not do? That is an error by name, before any code is generated: LLVM would end
// the process for an instruction that a target does not have.

#ifndef TILEWRIGHT_NVIDIA_LEGALITY_H
#define TILEWRIGHT_NVIDIA_LEGALITY_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

/// Whether every entry of the module can be compiled for the target, as far as that is known
/// without a plan.
support::Result<void> checkLegality(tile::ModuleOp module, const Target &target);

/// The version of PTX that has all instructions of the module, and knows the target.
unsigned ptxVersionFor(tile::ModuleOp module, const Target &target);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_LEGALITY_H
