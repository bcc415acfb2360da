// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are two elements combined to one? By reductions, products, atomics and arithmetic
// alike, in any format: where the format has no arithmetic of its own (tf32 and less than 16
// bits) in f64, rounded once.

#ifndef TILEWRIGHT_SIMT_COMBINE_H
#define TILEWRIGHT_SIMT_COMBINE_H

#include "tilewright/numerics/Element.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilewright::simt {

numerics::Element add(numerics::Element lhs, numerics::Element rhs);
numerics::Element multiply(numerics::Element lhs, numerics::Element rhs);
/// Floats only: rounded once.
numerics::Element fuse(numerics::Element lhs, numerics::Element rhs, numerics::Element acc);

/// Whether elements of the format can be combined so: floats have no bits to combine and no sign
/// to choose, and only floats have NaNs.
bool canCombine(mlir::vector::CombiningKind kind, numerics::Format format);
/// Both elements have one format, which can be combined so.
numerics::Element combine(mlir::vector::CombiningKind kind, numerics::Element lhs,
                          numerics::Element rhs);

/// An operation on floats that numerics has for 16 bits and more.
using FloatFunction = numerics::Element (*)(llvm::ArrayRef<numerics::Element>);
numerics::Element inOwnFormat(FloatFunction function, llvm::ArrayRef<numerics::Element> operands);

/// The value in another float format, nearest even; what is too large becomes what it is as a
/// literal, never the largest value where there is a NaN or an infinity.
numerics::Element convertFloat(numerics::Element source, numerics::Format to);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_COMBINE_H
