// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scales of `mma` with `.block_scale` (PTX ISA, 9.7.14.5.10): each row of A and each column of
// B has one scale, or 2 or 4 for as many runs along k. {byte, thread} select their location in each
// group of 4 lanes: for A a pair of lanes, one for the row and one for the row 8 below; for B one
// lane.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SCALES_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SCALES_H

#include "tilewright/ptx/instructions/matrix/Form.h"

namespace tilewright::ptx {

struct Scale {
  double value;
  bool isDefined;
};

/// The scale of a row of A or a column of B at k. The slots from op.target on have the scales, the
/// byte and the thread for A, then for B.
Scale scaleOf(const Warp &warp, const Form &form, char matrix, unsigned line, unsigned k);

/// Takes the operands after C: `scales-a, {byte, thread}, scales-b, {byte, thread}`.
bool takeScales(Decoder &decoder, const Form &form, size_t first);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_MATRIX_SCALES_H
