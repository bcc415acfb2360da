// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Combines two elements, in any format, for reductions, products, atomics and arithmetic. Formats
// without their own arithmetic (tf32 and less than 16 bits) are computed in f64 and rounded once.

#ifndef TILEWRIGHT_SIMT_COMBINE_H
#define TILEWRIGHT_SIMT_COMBINE_H

#include "tilewright/numerics/Element.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilewright::simt {

numerics::Element add(numerics::Element lhs, numerics::Element rhs);
numerics::Element multiply(numerics::Element lhs, numerics::Element rhs);
/// For floats only; rounded once.
numerics::Element fuse(numerics::Element lhs, numerics::Element rhs, numerics::Element acc);

/// Whether elements of the format can be combined by this kind: bitwise and signed kinds are for
/// integers only, and kinds that handle NaNs for floats only.
bool canCombine(mlir::vector::CombiningKind kind, numerics::Format format);
/// Both elements must have the same format, for which canCombine is true.
numerics::Element combine(mlir::vector::CombiningKind kind, numerics::Element lhs,
                          numerics::Element rhs);

/// An operation on floats that `numerics` provides for formats of 16 bits and more.
using FloatFunction = numerics::Element (*)(llvm::ArrayRef<numerics::Element>);
numerics::Element inOwnFormat(FloatFunction function, llvm::ArrayRef<numerics::Element> operands);

/// Converts to another float format, rounding to nearest even. Values that are too large are
/// converted as literals are: never to the largest value in a format with NaN or infinity.
numerics::Element convertFloat(numerics::Element source, numerics::Format to);

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_COMBINE_H
