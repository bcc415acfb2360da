// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which tiles are there at the same time? A tile is there from the operation that makes it to the
// last one that reads it. Tiles that become each other are in the same registers: what a product
// adds to and its result, what a loop carries from one iteration to the next, and what is computed
// element by element from a tile that nobody reads afterwards.

#ifndef TILEWRIGHT_NVIDIA_PLAN_HELDTILES_H
#define TILEWRIGHT_NVIDIA_PLAN_HELDTILES_H

#include "tilewright/tile/Ops.h"

#include "llvm/ADT/EquivalenceClasses.h"

namespace tilewright::nvidia {

class HeldTiles {
public:
  explicit HeldTiles(tile::EntryOp entry);

  /// If each tile takes what `sizeOf` says, and those that become each other as much as the largest
  /// of them: how much is taken at most?
  int64_t mostAtOnce(llvm::function_ref<int64_t(mlir::Value)> sizeOf) const;

private:
  /// Operations by their numbers: from an operation to the last one inside of it.
  struct Span {
    int64_t begin, end;
  };

  void number(mlir::Block &block);
  Span lifeOf(mlir::Value tile) const;
  bool isLastUse(mlir::Value tile, mlir::Operation *op) const;
  void become(mlir::Value before, mlir::Value after);
  void becomeAll(mlir::ValueRange before, mlir::ValueRange after);
  void follow(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, Span> numbers;
  llvm::SmallVector<mlir::Value> tiles;
  llvm::DenseMap<mlir::Value, Span> lives;
  llvm::EquivalenceClasses<const void *> places;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_PLAN_HELDTILES_H
