// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With which instructions are matrices multiplied? One instruction adds to each accumulator the
// products of as many pairs of elements as fit in a word of 32 or 64 bits; the words of both
// operands are laid out so that one load finds what it needs. Which one a matmul takes depends on
// its types, its shape and the processor.

#ifndef TILEWRIGHT_CPU_PLAN_MATMULFORM_H
#define TILEWRIGHT_CPU_PLAN_MATMULFORM_H

#include "tilewright/cpu/Target.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

enum class MmaKind : uint8_t {
  Fma,      ///< accumulator + a b, rounded once; in i32, wrapped.
  Bf16Dot,  ///< Two of bf16: VDPBF16PS, whose results are accumulation chains, too, but without
            ///< subnormals.
  Int16Dot, ///< Two of i16: PMADDWD.
  Int8Dot,  ///< Four, of u8 times i8: VPDPBUSD.
  /// Two of bf16, for 16 rows and 16 columns at once: TDPBF16PS. Without subnormals; each
  /// instruction adds up 16 products of even k and 16 of odd k apart, and then their sums.
  Bf16Tiles,
  Int8Tiles, ///< The same of four of i8, signed or not: TDPBSSD and its like.
};

struct MatmulForm {
  MmaKind kind = MmaKind::Fma;
  mlir::Type accumulator; ///< In which the accumulation chains are computed: f32, f64 or i32.
  mlir::Type operand;     ///< An element: f32, f64, i32, or the pattern of a narrower one.
  int64_t perWord = 1;    ///< Elements of an operand in a word.

  mlir::Type word() const;
  /// Accumulators are tiles of AMX.
  bool usesTiles() const { return kind == MmaKind::Bf16Tiles || kind == MmaKind::Int8Tiles; }
};

/// How `mmaf`, `mmai` or `mmaf_scaled` is computed.
MatmulForm matmulForm(mlir::Operation *mma, const Target &target);

/// Bytes of an operand's words, and of the corrections per column (emit/matmul/MatmulOperands.h),
/// which begin where the words of both end.
int64_t operandBytes(mlir::Operation *mma, unsigned operand, const MatmulForm &form);
int64_t correctionBytes(mlir::Operation *mma, const MatmulForm &form);

/// Whether the instructions can read the elements from a buffer as they are.
bool canReadInPlace(mlir::Operation *mma, unsigned operand, const MatmulForm &form);

/// Whether words of the operand are its elements, those of lhs one behind the other along k: then
/// they can be read from the tensor that it is loaded from.
bool wordsAreElements(mlir::Operation *mma, unsigned operand, const MatmulForm &form);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_MATMULFORM_H
