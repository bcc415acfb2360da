// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which code computes one element of an elementwise operation? Any of them, on elements in
// register form, scalars or vectors of lanes alike: the bits are those that `evalElement`
// defines (any NaN for f32 and f64). What the specification leaves undefined gives some
// value: no lane ever traps, so that those beyond the edge of a tile may hold anything.

#ifndef TILEWRIGHT_ELEMENTWISE_ARITHMETIC_H
#define TILEWRIGHT_ELEMENTWISE_ARITHMETIC_H

#include "tilewright/elementwise/Capabilities.h"

#include "mlir/IR/Builders.h"

namespace tilewright::elementwise {

/// The result, in register form, of an operation with tile::ElementwiseOpInterface. All
/// operands in `in` have equally many lanes, which may be others than those of the tiles.
mlir::Value emitElementwise(mlir::OpBuilder &builder, const Capabilities &capabilities,
                            mlir::Operation *op, mlir::ValueRange in);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_ARITHMETIC_H
