// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does the body of a `reduce` or `scan` combine elements? (operations, 4.11 and 4.12)

#ifndef TILEWRIGHT_ANALYSIS_COMBINERS_H
#define TILEWRIGHT_ANALYSIS_COMBINERS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::analysis {

/// Whether the body computes on scalars alone, so that it can do so on vectors of them. If not, it
/// makes tiles of its own.
bool isElementwiseBody(mlir::Block &body);

/// Whether elements may be combined in any order: every result of the body is one operation on
/// its own element and accumulator, whose result the order does not change, or changes by less
/// than we promise: sums of f32 and f64.
bool isOrderFree(mlir::Block &body);

/// The operation that is all that the body of one operand does, on the element and the accumulator;
/// null if there is no such operation.
mlir::Operation *onlyCombiner(mlir::Block &body);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_COMBINERS_H
