// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplies matrices that 32 lanes hold: fragments (Form.h) are gathered to whole matrices, and
// the result is split into fragments. Float products are added one by one to the accumulator in f32
// (f64 for f64; for .f16, the sum is rounded to f16 at the end). The manual leaves the order and
// the intermediate precision open.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_PRODUCT_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_PRODUCT_H

#include "tilewright/ptx/instructions/matrix/Form.h"

namespace tilewright::ptx {

/// Executes the product for the lanes of a warp that wait at it: op.list is D, then A, B and C.
void multiply(Warp &warp, const Form &form, bool isSaturated);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_PRODUCT_H
