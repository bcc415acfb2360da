// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which factors of matrix products are packed once for several tile blocks? Those loaded from
// tensors that the launch does not store to: their words stay in the arena when the loop around the
// product has ended, and a later block that needs the same tiles finds them there
// (docs/decisions/cpu-shared-factors.md). Whether a tensor overlaps one that is stored to is known
// when the launch begins.

#ifndef TILEWRIGHT_CPU_PLAN_SHAREDFACTORS_H
#define TILEWRIGHT_CPU_PLAN_SHAREDFACTORS_H

#include "tilewright/cpu/plan/OperationOrder.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::cpu {

class Placements;

/// What all tile blocks of a launch store to, where that is known before any of them runs: the
/// tensors of weak stores through views, of which each is the same for all blocks.
struct LaunchMemory {
  explicit LaunchMemory(tile::EntryOp entry);

  /// Nothing else is stored to, and no block sees what another one does meanwhile: there is no
  /// atomic or ordered access, no fence, and no text that could be read while the launch runs.
  bool isKnown = true;
  llvm::SetVector<mlir::Operation *> stored; ///< `make_tensor_view`

  /// The `make_tensor_view` that a weak load through a view reads, if nothing is known to be stored
  /// there: what the stores of the launch overlap is found out when it begins. Else null.
  mlir::Operation *unstoredTensorOf(tile::LoadViewOp load) const;
};

/// Where a value of an entry comes from, as far as it differs from block to block: a bit for each
/// coordinate of the block, and one for what is neither a coordinate nor the same for all blocks.
enum : unsigned { variesAlongX = 1, variesAlongY = 2, variesAlongZ = 4, variesOtherwise = 8 };

/// The first factors of runs of a loop over k that are kept in the arena, in slots: one for each
/// run that is remembered. A slot has a header of 8 words: how many iterations are packed, and the
/// keys of the run that has packed them. The last word of the first header counts the runs in a row
/// that found nothing. The headers of all slots lie side by side: a launch begins by clearing them,
/// and touches no page for each slot.
struct SharedOperand {
  static constexpr int64_t headerBytes = 64;
  static constexpr unsigned mostKeys = 6;

  /// What is known before the loop, and says with the iteration which tile is packed: integers,
  /// different from block to block.
  llvm::SetVector<mlir::Value> keys;
  llvm::SetVector<mlir::Operation *> loaded; ///< `make_tensor_view`
  unsigned varies = 0;                       ///< Of the keys.

  int64_t slots = 1;      ///< A power of two.
  int64_t groupBytes = 0; ///< The words of iterations that are computed at once.
  int64_t slotGroups = 0; ///< So many of them fit into a slot.

  int64_t slotBytes() const { return slotGroups * groupBytes; }
  int64_t bytes() const { return slots * slotBytes(); }
};

/// How the operand of a product in the body of a loop can be shared, but for the slots; none if it
/// cannot. `countsIterations`: only runs with as many iterations have the same words.
std::optional<SharedOperand> sharedOperandOf(mlir::Operation *product, unsigned operand,
                                             bool countsIterations, const Placements &placements);

/// Whether the value is the same for all blocks of a launch, and computed by nothing but the
/// operations that this adds to `needs`, in an order in which they can be done.
bool isLaunchInvariant(mlir::Value value, llvm::SetVector<mlir::Operation *> &needs);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_SHAREDFACTORS_H
