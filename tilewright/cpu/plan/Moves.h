// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps each element of an operation's result to the operand element that it copies, if that is
// known at compile time.

#ifndef TILEWRIGHT_CPU_PLAN_MOVES_H
#define TILEWRIGHT_CPU_PLAN_MOVES_H

#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

/// An element of an operand, numbered in row-major order.
struct MovedElement {
  mlir::Value from;
  int64_t element = 0;
};

/// The sources of the result's elements, in row-major order; none if the operation computes, or if
/// the sources are known only at run time.
std::optional<std::vector<MovedElement>> movesOf(mlir::Operation *op);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_MOVES_H
