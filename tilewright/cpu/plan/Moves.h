// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which element of which operand is each element of an operation's result, if that is known when
// the kernel is compiled?

#ifndef TILEWRIGHT_CPU_PLAN_MOVES_H
#define TILEWRIGHT_CPU_PLAN_MOVES_H

#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

/// An element of an operand, by its number in row-major order.
struct MovedElement {
  mlir::Value from;
  int64_t element = 0;
};

/// The elements of the result, in row-major order; none if the operation computes something, or
/// elements depend on what is known only when the kernel runs.
std::optional<std::vector<MovedElement>> movesOf(mlir::Operation *op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_MOVES_H
