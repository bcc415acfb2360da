// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyses how the body of a `reduce` or `scan` combines elements (operations, 4.11 and 4.12).

#ifndef TILEWRIGHT_ANALYSIS_COMBINERS_H
#define TILEWRIGHT_ANALYSIS_COMBINERS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::analysis {

/// Whether the body consists of scalar elementwise operations, so that it can be computed on
/// vectors. Other bodies create tiles.
bool isElementwiseBody(mlir::Block &body);

/// Whether elements may be combined in any order: each result of the body is one operation on its
/// own element and accumulator, and the order does not change the result, or changes it within the
/// documented bounds (sums of f32 and f64).
bool isOrderFree(mlir::Block &body);

/// The only operation of a body with one operand, if it combines the element and the accumulator;
/// otherwise null.
mlir::Operation *onlyCombiner(mlir::Block &body);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_COMBINERS_H
