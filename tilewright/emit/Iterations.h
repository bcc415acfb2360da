// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trip count of a `for`, computed before its first iteration.

#ifndef TILEWRIGHT_EMIT_ITERATIONS_H
#define TILEWRIGHT_EMIT_ITERATIONS_H

#include "tilewright/emit/IrBuilder.h"
#include "tilewright/emit/Scalars.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::emit {

struct Iterations {
  mlir::Value lower;     ///< The first value of the induction variable.
  mlir::Value runs;      ///< Whether there is an iteration, an i1.
  mlir::Value tripCount; ///< An i64; undefined if there is none.
};

/// Computes in 64 bits: the bounds have at most 64 bits, so they are at most 2^64 - 1 apart
/// (operations, 5.2). A step of 0 is undefined, but does not trap.
Iterations emitIterations(IrBuilder &b, const Scalars &scalars, tile::ForOp op);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_ITERATIONS_H
