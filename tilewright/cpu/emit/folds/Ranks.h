// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a reduction keep the largest or the smallest of floats where no instruction ranks +0
// above -0, and NaNs where the operation wants them? (arithmetic, 4.20) It compares integers that
// have the order of the floats: their bits, all but the sign inverted in negative ones, which puts
// -0 below +0; then all are moved, with wrapping, so that NaNs of both signs come to one end.

#ifndef TILEWRIGHT_CPU_EMIT_RANKS_H
#define TILEWRIGHT_CPU_EMIT_RANKS_H

#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/emit/LoopBuilder.h"

namespace tilewright::cpu {

/// Integers of the order of these numbers of f32; and the numbers, from such integers.
mlir::Value orderOf(LoopBuilder &b, mlir::Value numbers);
mlir::Value numbersOf(LoopBuilder &b, mlir::Value order);

/// The order for a reduction of f32 by `maxf` or `minf`.
class Ranks {
public:
  /// None if the body is another one, or the target has an instruction for it, or lacks one for the
  /// larger of two integers.
  static std::optional<Ranks> of(tile::ReduceOp op, const Target &target);

  mlir::Value ofFloat(LoopBuilder &b, mlir::Value x) const;
  mlir::Value toFloat(LoopBuilder &b, mlir::Value rank) const;
  /// The rank of what the reduction keeps of two.
  mlir::Value kept(LoopBuilder &b, mlir::Value x, mlir::Value y) const;

private:
  Ranks(bool keepsLarger, bool propagatesNan)
      : keepsLarger(keepsLarger), nansAreAbove(keepsLarger == propagatesNan) {}
  int64_t nanOffset() const;

  bool keepsLarger, nansAreAbove;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_RANKS_H
