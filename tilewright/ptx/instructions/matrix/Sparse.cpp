// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sparse.h.

#include "tilewright/ptx/instructions/matrix/Sparse.h"

using namespace tilewright::ptx;

/// Elements of 16 bits or more: a lane has 16 bits of metadata for its row, and 16 for the row 8
/// below. Smaller elements: it has 32 bits for one row, and the next lane those of the row 8 below.
static bool isNarrow(unsigned bits) { return bits <= 8; }

/// Number of stored elements of a row that one lane's metadata covers.
static unsigned storedPerLane(unsigned bits) {
  switch (bits) {
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

unsigned tilewright::ptx::metadataLanes(unsigned bits, unsigned columns) {
  return columns / storedPerLane(bits) * (isNarrow(bits) ? 2 : 1);
}

unsigned tilewright::ptx::columnOf(const Warp &warp, const Metadata &metadata, Cell stored,
                                   bool &isDefined) {
  const unsigned bits = metadata.bits, perLane = storedPerLane(bits);
  const unsigned unit = bits == 4 ? 2 : 1; // elements per index
  const unsigned indexBits = bits == 32 ? 4 : 2;
  const unsigned chunk = stored.column / perLane, isBelow = stored.row / 8;
  const unsigned first = metadata.selector * metadataLanes(bits, metadata.columns);
  const unsigned lane = stored.row % 8 * 4 + first + (isNarrow(bits) ? 2 * chunk + isBelow : chunk);
  const Thread &thread = *warp.threads[lane];
  const unsigned at =
      stored.column % perLane / unit * indexBits + (isNarrow(bits) ? 0 : 16 * isBelow);
  const uint32_t slot = thread.waitOp->in[metadata.operand];
  isDefined &= thread.has<uint32_t>(slot);
  const unsigned index = thread.get<uint32_t>(slot) >> at & ((1u << indexBits) - 1);
  if (bits == 32) { // 0b0100 is the first of two, 0b1110 the second, others are invalid
    isDefined &= index == 0b0100 || index == 0b1110;
    return stored.column * 2 + (index == 0b1110);
  }
  const unsigned group = stored.column / unit / 2; // two of four are stored
  return (group * 4 + index) * unit + stored.column % unit;
}

bool tilewright::ptx::takeSelector(Decoder &decoder, const Operand &operand, unsigned bits,
                                   unsigned columns) {
  uint64_t selector = 0;
  const unsigned choices = 4 / metadataLanes(bits, columns);
  if (!decoder.integer(operand, selector))
    return false;
  decoder.op.offset = int64_t(selector);
  return selector < choices ||
         decoder.refuse("'" + decoder.name() + "': the sparsity selector is " +
                        std::to_string(selector) + ", expected less than " +
                        std::to_string(choices));
}
