// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With which instructions are matrices multiplied? One step adds to a sum the products of as
// many pairs of factors as fit in a word of 32 or 64 bits; the words of both matrices are laid
// out so that a step finds what it needs in one load. Which step a product takes depends on its
// types, its shape and the processor.

#ifndef TILEWRIGHT_CPU_PLAN_MATMULFORM_H
#define TILEWRIGHT_CPU_PLAN_MATMULFORM_H

#include "tilewright/cpu/Target.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

enum class Step : uint8_t {
  Fma,      ///< sum + a b, rounded once; in i32, wrapped.
  Bf16Dot,  ///< Two of bf16: VDPBF16PS, whose sums are chains, too, but without subnormals.
  Int16Dot, ///< Two of i16: PMADDWD.
  Int8Dot,  ///< Four, of u8 times i8: VPDPBUSD.
  /// Two of bf16, for 16 rows and 16 columns at once: TDPBF16PS. Without subnormals; each
  /// instruction adds up 16 products of even k and 16 of odd k apart, and then their sums.
  Bf16Tiles,
  Int8Tiles, ///< The same of four of i8, signed or not: TDPBSSD and its like.
};

struct ProductForm {
  Step step = Step::Fma;
  mlir::Type chain;    ///< In which sums are kept: f32, f64 or i32.
  mlir::Type factor;   ///< A factor: f32, f64, i32, or the pattern of a narrower one.
  int64_t perWord = 1; ///< Factors in a word.

  mlir::Type word() const;
  /// Sums are tiles of AMX.
  bool usesTiles() const { return step == Step::Bf16Tiles || step == Step::Int8Tiles; }
};

/// How `mmaf`, `mmai` or `mmaf_scaled` is computed.
ProductForm productForm(mlir::Operation *mma, const Target &target);

/// How many turns of the loop around it a product puts off, if it may, to do them together: a
/// block of sums is then read and written once for all of them.
int64_t turnsTogether(mlir::Operation *mma, const ProductForm &form);

/// Bytes of the factors' words, and of the corrections per column (EmitFactors.cpp), which
/// begin where the words end.
int64_t factorBytes(mlir::Operation *mma, unsigned operand, const ProductForm &form);
int64_t correctionBytes(mlir::Operation *mma, const ProductForm &form);

/// Whether the elements of a buffer are factors as they are.
bool areFactors(mlir::Operation *mma, unsigned operand, const ProductForm &form);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_MATMULFORM_H
