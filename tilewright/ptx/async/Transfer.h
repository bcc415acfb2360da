// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do bulk and tensor copies have in common? Pieces of global memory, or of another shared
// memory, go to or come from a block of shared memory, and an mbarrier or a bulk group completes
// that.

#ifndef TILEWRIGHT_PTX_ASYNC_TRANSFER_H
#define TILEWRIGHT_PTX_ASYNC_TRANSFER_H

#include "tilewright/ptx/machine/Mbarrier.h"

namespace tilewright::ptx {

class Decoder;

/// A run of bytes: elsewhere, and from where on in the block.
struct Piece {
  Region *region;
  uint64_t offset, inBlock, bytes;
};

/// A run of bytes of the block.
struct BlockPart {
  uint64_t inBlock, bytes;
};

struct Transfer {
  std::vector<Piece> pieces;
  /// Of the block. Not all of them move if there are gaps between its rows.
  uint64_t bytes;
  /// The number of a reduction, plus 1; 0 for a copy.
  uint32_t reduction = 0;
  /// What fills an element that is outside: its bits, repeated. Zero, or a NaN.
  uint64_t fill = 0;
  unsigned fillBytes = 8;
  /// What moves, or is filled; if empty, the whole block.
  std::vector<BlockPart> withoutGaps = {};

  std::vector<BlockPart> parts() const {
    return withoutGaps.empty() ? std::vector<BlockPart>{{0, bytes}} : withoutGaps;
  }
  /// How many bytes move, as an mbarrier counts them.
  uint64_t moved() const;
};

/// Into the block at the target; with a mask, into those of several CTAs at the same place, each
/// of which has an mbarrier at the same place as this one. False after a finding.
bool transferToShared(Thread &thread, const Op &op, const Transfer &transfer, Target target,
                      MbarrierPlace place, std::optional<uint32_t> mask);
/// From the block at the source, as a part of the open bulk group.
bool transferToGlobal(Thread &thread, const Op &op, const Transfer &transfer, Target source);

/// Takes `.add.u32` and the like: its number.
std::optional<uint32_t> takeReduction(Decoder &decoder);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_TRANSFER_H
