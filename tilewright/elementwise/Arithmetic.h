// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the code for one elementwise operation. It accepts every elementwise operation, on elements
// in register form, scalars and vectors alike. The bits are those that `evalElement` defines (any
// NaN for f32 and f64). Results that the specification leaves undefined are arbitrary, but no lane
// ever traps, so lanes beyond the edge of a tile may hold anything.

#ifndef TILEWRIGHT_ELEMENTWISE_ARITHMETIC_H
#define TILEWRIGHT_ELEMENTWISE_ARITHMETIC_H

#include "tilewright/elementwise/Capabilities.h"

#include "mlir/IR/Builders.h"

namespace tilewright::elementwise {

/// Returns the result, in register form, of an operation with tile::ElementwiseOpInterface. All
/// operands in `in` have the same number of lanes, which may differ from that of the tiles.
mlir::Value emitElementwise(mlir::OpBuilder &builder, const Capabilities &capabilities,
                            mlir::Operation *op, mlir::ValueRange in);

} // namespace tilewright::elementwise

#endif // TILEWRIGHT_ELEMENTWISE_ARITHMETIC_H
