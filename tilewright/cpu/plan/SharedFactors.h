// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The packed-operand cache: chooses the matmul operands that are packed once for several tile
// blocks. These are loaded from tensors that the launch does not store to. Their packed words stay
// in the arena after the loop around the product, where a later block that needs the same tiles
// finds them (docs/decisions/cpu-shared-factors.md). A test at the beginning of each launch checks
// whether such a tensor overlaps one that is stored to.

#ifndef TILEWRIGHT_CPU_PLAN_SHAREDFACTORS_H
#define TILEWRIGHT_CPU_PLAN_SHAREDFACTORS_H

#include "tilewright/cpu/plan/OperationOrder.h"
#include "llvm/ADT/SetVector.h"

namespace tilewright::cpu {

class Placements;

/// All memory that the tile blocks of a launch store to, if it is known before any block runs: the
/// tensors of weak stores through views. Each of these must be the same for all blocks.
struct LaunchMemory {
  explicit LaunchMemory(tile::EntryOp entry);

  /// Whether there are no other stores, and no block can observe another one: the kernel has no
  /// atomic or ordered access and no fence, and prints nothing that could be read during the
  /// launch.
  bool isKnown = true;
  llvm::SetVector<mlir::Operation *> stored; ///< `make_tensor_view`

  /// The `make_tensor_view` that a weak load through a view reads, if no store is known to go to
  /// this tensor; else null. Whether it overlaps a stored tensor is tested when the launch begins.
  mlir::Operation *unstoredTensorOf(tile::LoadViewOp load) const;
};

/// How a value depends on the tile block: one bit per block coordinate, and one for values that
/// vary but are no block coordinate.
enum : unsigned { variesAlongX = 1, variesAlongY = 2, variesAlongZ = 4, variesOtherwise = 8 };

/// A matmul operand whose packed words are cached in the arena. A cache entry (slot) holds the
/// packed words of one execution of the loop over k (a run), from its first iteration on. Its
/// header has 8 words: the number of packed iterations, and the keys of the run. All headers are
/// contiguous: a launch clears them, and does not touch a page per entry.
struct SharedOperand {
  /// The layout of a header.
  static constexpr int64_t headerBytes = 64;
  static constexpr unsigned mostKeys = 7;

  /// The cache keys. Integers that are computed before the loop and vary by block; with the
  /// iteration, they determine which tile is packed.
  llvm::SetVector<mlir::Value> keys;
  llvm::SetVector<mlir::Operation *> loaded; ///< `make_tensor_view`
  unsigned varies = 0;                       ///< How the keys depend on the block.

  int64_t slots = 1;      ///< Cache entries; a power of two.
  int64_t groupBytes = 0; ///< The packed words of iterations that are computed at once.
  int64_t slotGroups = 0; ///< The number of these groups that fit in an entry.

  int64_t slotBytes() const { return slotGroups * groupBytes; }
  int64_t bytes() const { return slots * slotBytes(); }
};

/// The description of a cached operand, without the number of entries, for a product in the body of
/// a loop; none if it cannot be cached. `countsIterations`: the number of iterations affects the
/// packed words, so that it must be a key.
std::optional<SharedOperand> sharedOperandOf(mlir::Operation *product, unsigned operand,
                                             bool countsIterations, const Placements &placements);

/// Whether the value is the same for all blocks of a launch. Appends the operations that compute it
/// to `needs`, in an order in which they can run.
bool isLaunchInvariant(mlir::Value value, llvm::SetVector<mlir::Operation *> &needs);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_PLAN_SHAREDFACTORS_H
