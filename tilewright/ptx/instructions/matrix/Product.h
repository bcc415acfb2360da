// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do 32 lanes multiply matrices? Their fragments (Form.h) become whole matrices, and the
// product becomes fragments. Products of floats are added one by one, from the accumulator on, in
// f32 (f64 for f64, f16 rounded at the end for .f16): the manual leaves the order and the precision
// between open.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_PRODUCT_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_PRODUCT_H

#include "tilewright/ptx/instructions/matrix/Form.h"

namespace tilewright::ptx {

/// The product by the lanes of a warp that wait at it: op.list is D, then A, B and C.
void multiply(Warp &warp, const Form &form, bool isSaturated);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_PRODUCT_H
