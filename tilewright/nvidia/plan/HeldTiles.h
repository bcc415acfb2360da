// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register pressure: liveness of tiles. A tile is live from the operation that defines it to the
// last one that reads it. Tiles are coalesced, that is share registers, if one becomes the other
// and they are never live at the same time: accumulator and result of a product, a loop-carried
// tile in successive iterations, the results of a branch, and operand and result of an elementwise
// operation. A tile that repeats the elements of another one needs no registers.

#ifndef TILEWRIGHT_NVIDIA_PLAN_HELDTILES_H
#define TILEWRIGHT_NVIDIA_PLAN_HELDTILES_H

#include "tilewright/tile/Ops.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace tilewright::nvidia {

class HeldTiles {
public:
  explicit HeldTiles(tile::EntryOp entry);

  /// The most that live tiles take at any time while `within` runs, if each tile takes `sizeOf`,
  /// and coalesced tiles as much as the largest of them.
  int64_t mostAtOnce(llvm::function_ref<int64_t(mlir::Value)> sizeOf,
                     mlir::Operation *within) const;

private:
  /// A live range, from one operation to another, numbered in program order.
  struct Span {
    int64_t begin, end;
  };
  /// In ascending order, with gaps: a tile that one branch reads is not live in the other.
  using Life = llvm::SmallVector<Span, 1>;

  void number(mlir::Operation *op);
  void addLife(mlir::Block *block, int64_t begin, llvm::ArrayRef<mlir::Operation *> readers,
               Life &life) const;
  Life lifeOf(mlir::Value tile) const;
  void become(mlir::Value before, mlir::Value after);
  void becomeAll(mlir::ValueRange before, mlir::ValueRange after);
  void follow(mlir::Operation *op);
  const void *placeOf(mlir::Value tile) const {
    return places.getLeaderValue(tile.getAsOpaquePointer());
  }

  /// Of an operation, including its regions.
  llvm::DenseMap<mlir::Operation *, Span> numbers;
  llvm::SmallVector<mlir::Value> tiles; ///< All tiles, except those that repeat others.
  llvm::EquivalenceClasses<const void *> places;
  llvm::DenseMap<const void *, Life>
      lives; ///< The live ranges of coalesced tiles, by their leader.
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_HELDTILES_H
