// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `cuda_tile`. Include "tilewright/tile/Ops.h" for everything.

#ifndef TILEWRIGHT_TILE_DIALECT_H
#define TILEWRIGHT_TILE_DIALECT_H

#include "mlir/IR/Dialect.h"

namespace tilewright::tile {

/// How optimization hints that are unknown or out of range are reported (types, 9.3).
enum class HintMode {
  Silent, ///< Accept and keep them.
  Warn,   ///< One warning per problem.
  Error,  ///< Warn, and fail the verification of the operation.
};

} // namespace tilewright::tile

#include "tilewright/tile/Dialect.h.inc"

#endif // TILEWRIGHT_TILE_DIALECT_H
