// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maximum and minimum reductions of floats, with +0 above -0, that keep or skip NaNs as the
// operation requires (arithmetic, 4.20). With AVX-512, VRANGE prefers numbers if no operand is a
// signaling NaN: elements are quieted once, and results stay quiet. With AVX2, no instruction
// orders zeros: the reduction compares integers that have the order of the floats. These are the
// floats' bits, except that all bits but the sign are inverted in negative ones, which puts -0
// below +0; then an offset is added, with wrapping, so that NaNs of both signs are at the same end.

#ifndef TILEWRIGHT_CPU_EMIT_RANKS_H
#define TILEWRIGHT_CPU_EMIT_RANKS_H

#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/emit/LoopBuilder.h"

namespace tilewright::cpu {

/// Converts f32 numbers to integers of the same order, and back.
mlir::Value orderOf(LoopBuilder &b, mlir::Value numbers);
mlir::Value numbersOf(LoopBuilder &b, mlir::Value order);

/// The values (ranks) that a `maxf` or `minf` reduction compares instead of its elements.
class Ranks {
public:
  /// None if the body is another one, or if ranks gain nothing on the target.
  static std::optional<Ranks> of(tile::ReduceOp op, const Target &target);

  mlir::Value ofFloat(LoopBuilder &b, mlir::Value x) const;
  mlir::Value toFloat(LoopBuilder &b, mlir::Value rank) const;
  /// The identity element in `width` lanes: the reduction keeps any other value instead.
  mlir::Value lowest(LoopBuilder &b, int64_t width) const;
  /// The rank of the value that the reduction keeps.
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
