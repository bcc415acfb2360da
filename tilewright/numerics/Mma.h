// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a matrix multiply-accumulate compute? For each output element one chain
// of fused multiply-adds, k ascending, that starts from the accumulator and is kept in
// f32 (in f64 for f64); an f16 result is rounded once at the end (arithmetic, 4.30).
//
// Two ways to the same bits: step by step over elements, and whole matrices over
// arrays, where a chain costs a nanosecond per step.

#ifndef TILEWRIGHT_NUMERICS_MMA_H
#define TILEWRIGHT_NUMERICS_MMA_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"
#include "llvm/ADT/ArrayRef.h"

namespace tilewright::numerics {

/// Row-major lhs M x K, rhs K x N, acc and result M x N.
struct MmaShape {
  int64_t m, n, k;
};

/// The accumulator in the format that the chain is kept in.
Element mmaStart(Element acc);
/// round(lhs * rhs + chain): f16, bf16, tf32, f8 and f32 on an f32 chain, f64 on an f64 one.
Element mmaStep(Element chain, Element lhs, Element rhs);
/// round((lhs * lhsScale) * (rhs * rhsScale) + chain), the product exact. Poison for a
/// negative f8E4M3FN scale (arithmetic, 4.32).
Element mmaScaledStep(Element chain, Element lhs, Element rhs, Element lhsScale, Element rhsScale);
/// The chain rounded to the format of the accumulator.
Element mmaFinish(Element chain, Format acc);
/// lhs * rhs + acc on i8, i8, i32, wrapping around (arithmetic, 4.31).
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

// The kernels under these, for callers with arrays of their own: one row of the result,
// chain[j] <- the chain over k of lhs[k] * rhs[k * n + j]. Operands of the first are
// exact values of f16, bf16, tf32 or f8 elements, scaled or not.
void mmaRow(float *chain, const double *lhs, const double *rhs, int64_t n, int64_t k);
void mmaRow(float *chain, const float *lhs, const float *rhs, int64_t n, int64_t k);
void mmaRow(double *chain, const double *lhs, const double *rhs, int64_t n, int64_t k);
void mmaRow(int32_t *chain, const int32_t *lhs, const int32_t *rhs, int64_t n, int64_t k);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MMA_H
