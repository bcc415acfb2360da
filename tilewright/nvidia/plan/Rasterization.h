// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rasterization order: which CTA runs which tile block. GPUs start CTAs in the order of their
// ids, x fastest. Blocks of a matrix product with the same y then read the same rows of one
// operand, but each reads other columns of the other one. In panels of a few values of y, the
// blocks that run at the same time read fewer different tiles, so more of them are in the L2 cache.
// Only the assignment of ids changes, so any launcher can start the kernel.

#ifndef TILEWRIGHT_NVIDIA_PLAN_RASTERIZATION_H
#define TILEWRIGHT_NVIDIA_PLAN_RASTERIZATION_H

#include "tilewright/nvidia/Target.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::nvidia {

struct Rasterization {
  /// The values of y in a panel, a power of two; 1 if the id of a block is that of its CTA. In a
  /// panel, y varies fastest. The last panel may be lower.
  int64_t panel = 1;

  bool hasPanels() const { return panel > 1; }
};

/// Wider grids are not reordered, so that numbers of blocks in a panel have 32 bits.
inline constexpr int64_t mostColumnsInPanels = int64_t(1) << 27;

/// A constant with this name, followed by that of the entry, is the height of a panel: from the id
/// of a CTA, others can find out which tile block it runs (ptx/machine/Machine.h).
inline constexpr llvm::StringLiteral panelSymbol = "tw_panel_";

Rasterization rasterizationOf(tile::EntryOp entry, const Target &target);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_RASTERIZATION_H
