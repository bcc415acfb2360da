// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which code computes one element of an elementwise operation? Any of them, on elements in
// register form, scalars or vectors of lanes alike: the bits are those that `evalElement`
// defines (any NaN for f32 and f64). What the specification leaves undefined gives some
// value: no lane ever traps, so that those beyond the edge of a tile may hold anything.

#ifndef TILEWRIGHT_CPU_ARITHMETIC_H
#define TILEWRIGHT_CPU_ARITHMETIC_H

#include "tilewright/cpu/Target.h"

#include "mlir/IR/Builders.h"

namespace tilewright::cpu {

/// The result, in register form, of an operation with tile::ElementwiseOpInterface. All
/// operands in `in` have equally many lanes, which may be others than those of the tiles.
mlir::Value emitElementwise(mlir::OpBuilder &builder, const Target &target, mlir::Operation *op,
                            mlir::ValueRange in);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_ARITHMETIC_H
