// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tiles are there at the same time? A tile is there from the operation that makes it to the
// last one that reads it. Tiles that become each other are in the same registers if they are never
// there together: what a product adds to and its result, what a loop carries from one iteration to
// the next, what a branch yields, and what is computed element by element. A tile that repeats the
// elements of another one needs no registers of its own.

#ifndef TILEWRIGHT_NVIDIA_PLAN_HELDTILES_H
#define TILEWRIGHT_NVIDIA_PLAN_HELDTILES_H

#include "tilewright/tile/Ops.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace tilewright::nvidia {

class HeldTiles {
public:
  explicit HeldTiles(tile::EntryOp entry);

  /// If each tile takes what `sizeOf` says, and those that become each other as much as the largest
  /// of them: how much is taken at most, while `within` runs?
  int64_t mostAtOnce(llvm::function_ref<int64_t(mlir::Value)> sizeOf,
                     mlir::Operation *within) const;

private:
  /// From an operation to another one, by their numbers in the order of the text.
  struct Span {
    int64_t begin, end;
  };
  /// In ascending order, with gaps: what one branch reads is not there in the other one.
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

  /// Of an operation with all that is inside of it.
  llvm::DenseMap<mlir::Operation *, Span> numbers;
  llvm::SmallVector<mlir::Value> tiles; ///< All but those that repeat others.
  llvm::EquivalenceClasses<const void *> places;
  llvm::DenseMap<const void *, Life> lives; ///< Of the tiles of a place, by its leader.
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_HELDTILES_H
