// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the instructions that multiply matrices. An instruction adds the products of as many
// pairs of elements as fit in a word of 32 or 64 bits to each accumulator; operands are packed so
// that a single load reads each vector. The choice depends on types, shape and processor.

#ifndef TILEWRIGHT_CPU_PLAN_MATMULFORM_H
#define TILEWRIGHT_CPU_PLAN_MATMULFORM_H

#include "tilewright/cpu/Target.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

enum class MmaKind : uint8_t {
  Fma,      ///< accumulator + a b, rounded once; wrapping in i32.
  Bf16Dot,  ///< Two of bf16: VDPBF16PS. Also accumulation chains, but subnormals are flushed.
  Int16Dot, ///< Two of i16: PMADDWD.
  Int8Dot,  ///< Four, of u8 times i8: VPDPBUSD.
  /// Two of bf16, for 16 rows and 16 columns at once: TDPBF16PS. Subnormals are flushed; an
  /// instruction accumulates 16 products of even k and 16 of odd k separately, then adds both sums.
  Bf16Tiles,
  Int8Tiles, ///< The same for four of i8, signed or unsigned: TDPBSSD and its variants.
};

struct MatmulForm {
  MmaKind kind = MmaKind::Fma;
  mlir::Type accumulator; ///< The type of the accumulation chains: f32, f64 or i32.
  mlir::Type operand;  ///< The type of an element: f32, f64, i32, or the bits of a narrower type.
  int64_t perWord = 1; ///< Elements per word of an operand.

  mlir::Type word() const;
  /// Whether accumulators are AMX tiles.
  bool usesTiles() const { return kind == MmaKind::Bf16Tiles || kind == MmaKind::Int8Tiles; }
};

/// How `mmaf`, `mmai` or `mmaf_scaled` is computed.
MatmulForm matmulForm(mlir::Operation *mma, const Target &target);

/// Bytes of a packed operand, and of the corrections per column (emit/matmul/MatmulOperands.h),
/// which follow the packed rhs.
int64_t operandBytes(mlir::Operation *mma, unsigned operand, const MatmulForm &form);
int64_t correctionBytes(mlir::Operation *mma, const MatmulForm &form);

/// Elements along k that share a scale of the operand, in `mmaf_scaled`.
int64_t scaleBlock(tile::MmaFScaledOp mma, unsigned operand);

/// Whether the instructions can read the operand from its buffer without packing.
bool canReadInPlace(mlir::Operation *mma, unsigned operand, const MatmulForm &form);

/// Whether the words of the operand are its elements, contiguous along k for lhs: such an operand
/// can be read directly from the tensor from which it is loaded.
bool wordsAreElements(mlir::Operation *mma, unsigned operand, const MatmulForm &form);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_MATMULFORM_H
