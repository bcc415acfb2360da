// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where does a thread keep its elements? Scalars are the same in all threads, and are values. So
// are elements that follow from their numbers: they are computed where they are read. The other
// elements of a tile are in an array of the thread's own, an element per slot (TileLayout.h). All
// accesses to a small array are to slots that are known, and LLVM makes registers of it; a large
// one stays in local memory, and its slots are visited by loops.

#ifndef TILEWRIGHT_NVIDIA_EMIT_TILES_H
#define TILEWRIGHT_NVIDIA_EMIT_TILES_H

#include "tilewright/nvidia/emit/ThreadBuilder.h"
#include "tilewright/nvidia/plan/Plan.h"

namespace tilewright::nvidia {

/// An element that the thread holds: in which slot, and its number in the tile. Both i32.
struct Own {
  mlir::Value slot, index;
};

/// Slots that follow each other.
struct Slots {
  int64_t first, count;
};

/// An array with the elements of a tile, or of something like one.
struct Home {
  mlir::Value base;
  mlir::Type elementType;
};

class Tiles {
public:
  Tiles(ThreadBuilder &b, const Plan &plan) : b(b), plan(plan) {}

  /// At the beginning of the function.
  void begin(mlir::Value thread);

  TileLayout layoutOf(mlir::Value tile) const { return plan.layoutOf(tile); }
  /// Calls `body` for each element that the thread holds.
  void forEachOwn(const TileLayout &layout, llvm::function_ref<void(const Own &)> body) {
    forEachRun(layout, 1, body);
  }
  /// For the first of each `width` elements in successive slots; in these slots only, of a layout
  /// in registers.
  void forEachRun(const TileLayout &layout, int64_t width,
                  llvm::function_ref<void(const Own &)> body,
                  std::optional<Slots> only = std::nullopt);
  /// For elements in slots that differ in these bits, all of them at once: in registers, or in
  /// successive slots.
  void forEachTogether(const TileLayout &layout, llvm::ArrayRef<unsigned> slotBits,
                       llvm::function_ref<void(llvm::ArrayRef<Own>)> body);
  /// Whether the thread is the first that holds its element; null if every one is.
  mlir::Value isOwner(const TileLayout &layout);
  /// Coordinates of an element.
  llvm::SmallVector<mlir::Value> coordinatesOf(mlir::Value index, llvm::ArrayRef<int64_t> shape);

  mlir::Value scalar(mlir::Value value) const { return scalars.lookup(value); }
  void define(mlir::Value value, mlir::Value scalar) { scalars[value] = scalar; }
  /// The element of a tile, or the scalar.
  mlir::Value read(mlir::Value value, const Own &own);
  /// Defines the element of a tile, or the scalar.
  void write(mlir::Value value, const Own &own, mlir::Value element);
  /// Tiles that become other tiles, all at the same time.
  void copy(mlir::ValueRange from, mlir::ValueRange to);

  /// Of a tile, or new.
  Home homeOf(mlir::Value tile);
  Home newHome(mlir::Type elementType, const TileLayout &layout);
  mlir::Value read(const Home &home, const Own &own) {
    return b.readWord(home.base, home.elementType, own.slot);
  }
  void write(const Home &home, const Own &own, mlir::Value element) {
    b.writeWord(home.base, home.elementType, own.slot, element);
  }

  // Scalars that control flow carries travel as arguments of blocks; tiles stay in their homes,
  // and tokens are nothing.
  llvm::SmallVector<mlir::Value> scalarsOf(mlir::ValueRange values) const;
  static llvm::SmallVector<mlir::Type> registerTypesOf(mlir::ValueRange values);
  void bindScalars(mlir::ValueRange values, mlir::Block *block, unsigned skip = 0);

  /// What follows from the number of the thread is computed anew from here on. LLVM would do it
  /// once and before all loops, and hundreds of addresses, as those of an epilogue, would be in
  /// registers that the sums of products need.
  void beginAnew(mlir::Value number) { thread = opaque(b, number); }
  mlir::Value thread; ///< Its number in the CTA.
  /// Of local memory, for all homes that are not in registers.
  int64_t localBytes = 0;

private:
  mlir::Value scattered(mlir::Value number, const TileLayout &layout, bool isThread);
  mlir::Value recomputed(mlir::Value tile, const Own &own);

  ThreadBuilder &b;
  const Plan &plan;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseMap<mlir::Value, Home> homes;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_TILES_H
