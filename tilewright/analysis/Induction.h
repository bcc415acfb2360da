// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Induction analysis: by how much an integer changes from one loop iteration to the next, or from
// one tile block to the next. The answer is an expression over values that stay constant meanwhile;
// a compiler can evaluate it before it computes the integer of the next iteration. Nothing is
// computed here.

#ifndef TILEWRIGHT_ANALYSIS_INDUCTION_H
#define TILEWRIGHT_ANALYSIS_INDUCTION_H

#include "tilewright/tile/Ops.h"

#include <vector>

namespace tilewright::analysis {

/// A change per iteration. Every integer is read as unsigned and widened to 64 bits, where sums and
/// products wrap around. The change is therefore exact modulo 2^width of the integer, provided that
/// no integer wraps around before it is extended. An integer that is sign-extended has a step only
/// if it cannot be negative: then signed and unsigned readings agree.
///
/// The elements of a tile have a step if all of them change by the same amount. Steps of pointers
/// are counted in pointees.
struct InductionStep {
  enum class Kind : uint8_t {
    Zero,    ///< The value does not change.
    One,     ///< One per tile block along x.
    Value,   ///< `value`
    Sum,     ///< The sum of the two `operands`, neither of which is Zero.
    Product, ///< `value` times the only one of `operands`, which is not Zero.
  };
  Kind kind = Kind::Zero;
  mlir::Value value; ///< A scalar, or a splat constant.
  std::vector<InductionStep> operands;

  bool isZero() const { return kind == Kind::Zero; }
};

/// The step of an integer is unknown if it is computed from more values than this.
inline constexpr unsigned mostVisitsForStep = 256;

/// The change of integers or pointers per iteration of the loop, which must enclose the use; none
/// if it is not known before the iteration.
std::optional<InductionStep> stepPerIteration(mlir::Value index, tile::ForOp loop);

/// The change from one tile block to the next along x, outside all loops.
std::optional<InductionStep> stepPerBlock(mlir::Value index);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_INDUCTION_H
