// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By how much does an integer change from an iteration of a loop to the next, or from a tile block
// to the next? The answer is an expression in values that do not change meanwhile, which a compiler
// can compute before it computes the integer of the next iteration. Nothing is computed here.

#ifndef TILEWRIGHT_ANALYSIS_INDUCTION_H
#define TILEWRIGHT_ANALYSIS_INDUCTION_H

#include "tilewright/tile/Ops.h"

#include <vector>

namespace tilewright::analysis {

/// A change per iteration. Every integer is read without its sign and widened to 64 bits, where
/// sums and products wrap around. So the change is exact modulo 2 to the width of the integer, if
/// no integer that is extended before has wrapped around, read as `exti` reads it. What `exti`
/// reads as signed has a step only if that cannot be negative: then it is the same with and without
/// its sign.
///
/// Elements of a tile have a step if all change alike. That of pointers counts what they point to.
struct InductionStep {
  enum class Kind : uint8_t {
    Zero,    ///< It stays.
    One,     ///< From a tile block to the next along x.
    Value,   ///< `value`
    Sum,     ///< The sum of both `operands`, neither of which is Zero.
    Product, ///< The only one of `operands`, which is not Zero, times `value`.
  };
  Kind kind = Kind::Zero;
  mlir::Value value; ///< A scalar, or a constant tile of equal elements.
  std::vector<InductionStep> operands;

  bool isZero() const { return kind == Kind::Zero; }
};

/// The step of an integer is not known if it is computed from more values than this.
inline constexpr unsigned mostVisitsForStep = 256;

/// The change of integers or pointers from an iteration of the loop to the next, which is asked for
/// in the loop; none if that is not known before the iteration.
std::optional<InductionStep> stepPerIteration(mlir::Value index, tile::ForOp loop);

/// The change from a tile block to the next one along x, outside of all loops.
std::optional<InductionStep> stepPerBlock(mlir::Value index);

} // namespace tilewright::analysis

#endif // TILEWRIGHT_ANALYSIS_INDUCTION_H
