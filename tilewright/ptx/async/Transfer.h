// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of bulk and tensor copies: pieces of global memory, or of another CTA's shared
// memory, are copied to or from a block of shared memory. An mbarrier or a bulk group tracks the
// completion.

#ifndef TILEWRIGHT_PTX_ASYNC_TRANSFER_H
#define TILEWRIGHT_PTX_ASYNC_TRANSFER_H

#include "tilewright/ptx/machine/Mbarrier.h"

namespace tilewright::ptx {

class Decoder;

/// A run of bytes outside of the block, and its offset in the block.
struct Piece {
  Region *region;
  uint64_t offset, inBlock, bytes;
};

/// A run of bytes of the block.
struct BlockPart {
  uint64_t inBlock, bytes;
  uint64_t padding = 0; ///< Bytes at its end that become undefined, and are not counted.
};

struct Transfer {
  std::vector<Piece> pieces;
  /// Size of the block. If there are gaps between its rows, they are not copied.
  uint64_t bytes;
  /// Number of the reduction, plus 1; 0 for a copy.
  uint32_t reduction = 0;
  /// Bits that are repeated to fill elements outside of the tensor: zero, or a NaN.
  uint64_t fill = 0;
  unsigned fillBytes = 8;
  /// The parts of the block that are copied or filled; empty for the whole block.
  std::vector<BlockPart> withoutGaps = {};
  /// Whether each 16 bytes of the block hold 6 bits each, and are stored as 12 bytes.
  bool packsSixBits = false;

  std::vector<BlockPart> parts() const {
    return withoutGaps.empty() ? std::vector<BlockPart>{{0, bytes}} : withoutGaps;
  }
  /// Number of copied bytes, as an mbarrier counts them.
  uint64_t moved() const;
};

/// Which mbarrier a copy into a CTA's shared memory signals.
enum class Signal : uint8_t {
  OfCta, ///< One in the same memory.
  /// `.cta_group::2`: one in the memory of the same CTA or of the other one of its pair. The rank
  /// of the mbarrier's CTA is even if that of the operand's is, and odd otherwise.
  OfPair,
};

/// Copies into the block at the target. With a mask, copies to the same offset in several CTAs;
/// each copy signals an mbarrier at the offset of this one. False after a finding.
bool transferToShared(Thread &thread, const Op &op, const Transfer &transfer, Target target,
                      MbarrierPlace place, std::optional<uint32_t> mask,
                      Signal signal = Signal::OfCta);
/// Copies from the block at the source, as part of the open bulk group.
bool transferToGlobal(Thread &thread, const Op &op, const Transfer &transfer, Target source);

/// Takes `.add.u32` and the like; returns the number of the reduction.
std::optional<uint32_t> takeReduction(Decoder &decoder);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_ASYNC_TRANSFER_H
