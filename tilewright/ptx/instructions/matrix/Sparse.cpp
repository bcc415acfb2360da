// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sparse.h.

#include "tilewright/ptx/instructions/matrix/Sparse.h"

using namespace tilewright::ptx;

/// Elements of 16 bits or more: a lane has 16 bits of metadata for its row, and 16 for the row 8
/// below. Smaller ones: 32 bits for one row, and the next lane has the row 8 below.
static bool isNarrow(const Form &form) { return bitsOfElement(form, 'a') <= 8; }

/// Stored elements of a row that the metadata of one lane is for.
static unsigned storedPerLane(const Form &form) {
  switch (bitsOfElement(form, 'a')) {
  case 32:
    return 4;
  case 16:
    return 8;
  case 8:
    return 16;
  default:
    return 32;
  }
}

unsigned tilewright::ptx::metadataLanes(const Form &form) {
  return form.k / 2 / storedPerLane(form) * (isNarrow(form) ? 2 : 1);
}

unsigned tilewright::ptx::columnOf(const Warp &warp, const Form &form, Cell stored,
                                   bool &isDefined) {
  const unsigned bits = bitsOfElement(form, 'a'), perLane = storedPerLane(form);
  const unsigned unit = bits == 4 ? 2 : 1; // elements that one index is for
  const unsigned indexBits = bits == 32 ? 4 : 2;
  const unsigned chunk = stored.column / perLane, isBelow = stored.row / 8;
  const Op &op = *warp.threads.front()->waitOp;
  const unsigned first = unsigned(op.offset) * metadataLanes(form);
  const unsigned lane = stored.row % 8 * 4 + first + (isNarrow(form) ? 2 * chunk + isBelow : chunk);
  const Thread &thread = *warp.threads[lane];
  const unsigned at =
      stored.column % perLane / unit * indexBits + (isNarrow(form) ? 0 : 16 * isBelow);
  const uint32_t slot = thread.waitOp->in[0];
  isDefined &= thread.has<uint32_t>(slot);
  const unsigned index = thread.get<uint32_t>(slot) >> at & ((1u << indexBits) - 1);
  if (bits == 32) { // 0b0100 is the first of two, 0b1110 the second, and others mean nothing
    isDefined &= index == 0b0100 || index == 0b1110;
    return stored.column * 2 + (index == 0b1110);
  }
  const unsigned group = stored.column / unit / 2; // two of four are stored
  return (group * 4 + index) * unit + stored.column % unit;
}
