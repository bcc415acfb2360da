// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of the language that the public tools do not check.

#ifndef TILEWRIGHT_TILE_STRICT_H
#define TILEWRIGHT_TILE_STRICT_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// Reports every construct that the public tools accept although the specification's prose forbids
/// it (textual format, 11.1).
llvm::LogicalResult verifyStrictly(mlir::ModuleOp file);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_STRICT_H
