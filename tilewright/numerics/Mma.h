// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix multiply-accumulate. Each output element is one chain of fused multiply-adds over
// ascending k. The chain starts with the accumulator and is kept in f32 (in f64 for f64); an f16
// result is rounded once at the end (arithmetic, 4.30).
//
// Three interfaces give the same bits: single steps on elements, whole matrices of elements, some
// of which may be poison, and matrices of words, where one step takes a fraction of a nanosecond.

#ifndef TILEWRIGHT_NUMERICS_MMA_H
#define TILEWRIGHT_NUMERICS_MMA_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilewright::numerics {

/// lhs is M x K, rhs K x N, acc and result M x N, all row-major.
struct MmaShape {
  int64_t m, n, k;
};

/// Converts the accumulator to the format of the chain.
Element mmaStart(Element acc);
/// round(lhs * rhs + chain): f16, bf16, tf32, f8 and f32 on an f32 chain, f64 on an f64 one.
Element mmaStep(Element chain, Element lhs, Element rhs);
/// round((lhs * lhsScale) * (rhs * rhsScale) + chain), with an exact product. Poison for a negative
/// f8E4M3FN scale (arithmetic, 4.32).
Element mmaScaledStep(Element chain, Element lhs, Element rhs, Element lhsScale, Element rhsScale);
/// Rounds the chain to the format of the accumulator.
Element mmaFinish(Element chain, Format acc);
/// lhs * rhs + acc for i8, i8 and i32, wrapping around (arithmetic, 4.31).
Element mmaiStep(Element acc, Element lhs, Element rhs, Signedness lhsSignedness,
                 Signedness rhsSignedness);

/// `mmaf` on one matrix; the result format is that of acc.
void mmaf(MmaShape shape, llvm::ArrayRef<Element> lhs, llvm::ArrayRef<Element> rhs,
          llvm::ArrayRef<Element> acc, llvm::MutableArrayRef<Element> result);
/// `mmai` on one matrix.
void mmai(MmaShape shape, llvm::ArrayRef<Element> lhs, llvm::ArrayRef<Element> rhs,
          llvm::ArrayRef<Element> acc, Signedness lhsSignedness, Signedness rhsSignedness,
          llvm::MutableArrayRef<Element> result);
/// `mmaf_scaled` on one matrix; lhsScale is M x scales, rhsScale scales x N, and scales
/// divides K.
void mmafScaled(MmaShape shape, int64_t scales, llvm::ArrayRef<Element> lhs,
                llvm::ArrayRef<Element> rhs, llvm::ArrayRef<Element> acc,
                llvm::ArrayRef<Element> lhsScale, llvm::ArrayRef<Element> rhsScale,
                llvm::MutableArrayRef<Element> result);

// The same on matrices of words, as in row functions (Rows.h). The result must not overlap an
// operand.
void mmafWords(MmaShape shape, Format factors, const void *lhs, const void *rhs, Format sum,
               const void *acc, void *result);
void mmaiWords(MmaShape shape, const void *lhs, const void *rhs, const void *acc,
               Signedness lhsSignedness, Signedness rhsSignedness, void *result);

// Different bits: the exact sum of the accumulator and all products, rounded once to the format of
// the accumulator. NaN and infinities are as in the chain, but no partial sum overflows; a sum of
// exactly 0 is +0 unless all its terms are -0. Poison is as in the chain, too.
void mmafExact(MmaShape shape, llvm::ArrayRef<Element> lhs, llvm::ArrayRef<Element> rhs,
               llvm::ArrayRef<Element> acc, llvm::MutableArrayRef<Element> result);
void mmafScaledExact(MmaShape shape, int64_t scales, llvm::ArrayRef<Element> lhs,
                     llvm::ArrayRef<Element> rhs, llvm::ArrayRef<Element> acc,
                     llvm::ArrayRef<Element> lhsScale, llvm::ArrayRef<Element> rhsScale,
                     llvm::MutableArrayRef<Element> result);

// The underlying kernels, for callers with their own arrays: one row of the result, where chain[j]
// is updated with the products lhs[k] * rhs[k * n + j] over all k. Operands of the first are exact
// values of f16, bf16, tf32 or f8 elements, scaled or not.
void mmaRow(float *chain, const double *lhs, const double *rhs, int64_t n, int64_t k);
void mmaRow(float *chain, const float *lhs, const float *rhs, int64_t n, int64_t k);
void mmaRow(double *chain, const double *lhs, const double *rhs, int64_t n, int64_t k);
void mmaRow(int32_t *chain, const int32_t *lhs, const int32_t *rhs, int64_t n, int64_t k);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MMA_H
