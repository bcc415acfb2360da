// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can no GPU be given, and what does a program need of PTX? Operations that a target does not
// support are refused by their emitters, by name and place (emit/KernelEmitter.h).

#ifndef TILEWRIGHT_NVIDIA_LEGALITY_H
#define TILEWRIGHT_NVIDIA_LEGALITY_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

/// Whether all is Tile IR, and every entry can be called and launched.
support::Result<void> checkLegality(tile::ModuleOp module);

/// The version of PTX that has all instructions of the module, and knows the target.
unsigned ptxVersionFor(tile::ModuleOp module, const Target &target);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_LEGALITY_H
