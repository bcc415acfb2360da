// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a reduction keep the largest or the smallest of floats, +0 above -0, and numbers or NaNs
// as the operation wants them? (arithmetic, 4.20) With AVX-512, VRANGE prefers numbers if no
// operand is a signaling NaN: elements are made quiet once, and what is kept of them stays quiet.
// With AVX2, no
// instruction ranks zeros: integers are compared that have the order of the floats. They are the
// bits, all but the sign inverted in negative ones, which puts -0 below +0; then all are moved,
// with wrapping, so that NaNs of both signs come to one end.

#ifndef TILEWRIGHT_CPU_EMIT_RANKS_H
#define TILEWRIGHT_CPU_EMIT_RANKS_H

#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/emit/LoopBuilder.h"

namespace tilewright::cpu {

/// Integers of the order of these numbers of f32; and the numbers, from such integers.
mlir::Value orderOf(LoopBuilder &b, mlir::Value numbers);
mlir::Value numbersOf(LoopBuilder &b, mlir::Value order);

/// What a reduction by `maxf` or `minf` compares instead of its elements.
class Ranks {
public:
  /// None if the body is another one, or if a rank would gain nothing on the target.
  static std::optional<Ranks> of(tile::ReduceOp op, const Target &target);

  mlir::Value ofFloat(LoopBuilder &b, mlir::Value x) const;
  mlir::Value toFloat(LoopBuilder &b, mlir::Value rank) const;
  /// What the reduction never keeps, except of equals: so many lanes of it.
  mlir::Value lowest(LoopBuilder &b, int64_t width) const;
  /// The rank of what the reduction keeps of two.
  mlir::Value kept(LoopBuilder &b, mlir::Value x, mlir::Value y) const;

private:
  Ranks(const Target &target, mlir::Type element, bool keepsLarger, bool propagatesNan)
      : target(target), element(element), keepsLarger(keepsLarger),
        nansAreAbove(keepsLarger == propagatesNan) {}
  int64_t nanOffset() const;

  const Target &target;
  mlir::Type element;
  bool keepsLarger, nansAreAbove;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_RANKS_H
