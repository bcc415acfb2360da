// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places a thread's elements. Scalars are equal in all threads, and are SSA values. Elements that
// follow from their numbers are rematerialized at their uses. The other elements of a tile are in a
// thread-local array (`Home`), one per slot (TileLayout.h). All accesses to a small array have
// constant indices, so LLVM promotes it to registers; a large array stays in local memory, and
// loops visit its slots.

#ifndef TILEWRIGHT_NVIDIA_EMIT_TILES_H
#define TILEWRIGHT_NVIDIA_EMIT_TILES_H

#include "tilewright/emit/Scalars.h"
#include "tilewright/nvidia/emit/ThreadBuilder.h"
#include "tilewright/nvidia/plan/Plan.h"

namespace tilewright::nvidia {

/// A thread-local element (`Own`): its slot, that is its index in the thread's array, and its
/// number in the tile. Both i32.
struct Own {
  mlir::Value slot, index;
};

/// Successive slots.
struct Slots {
  int64_t first, count;
};

/// A thread-local array with the elements of a tile, or of a similar value.
struct Home {
  mlir::Value base;
  mlir::Type elementType;
};

class Tiles {
public:
  Tiles(ThreadBuilder &b, const Plan &plan, Role role)
      : scalars(runsSlice(role) ? &b : nullptr), b(b), plan(plan), role(role) {}

  /// At the beginning of the function.
  void begin(mlir::Value thread);

  TileLayout layoutOf(mlir::Value tile) const { return plan.layoutOf(tile); }
  /// Calls `body` for each thread-local element.
  void forEachOwn(const TileLayout &layout, llvm::function_ref<void(const Own &)> body) {
    forEachRun(layout, 1, body);
  }
  /// The same for the first of each `width` elements in successive slots; only in the slots `only`,
  /// if the layout is in registers.
  void forEachRun(const TileLayout &layout, int64_t width,
                  llvm::function_ref<void(const Own &)> body,
                  std::optional<Slots> only = std::nullopt);
  /// The same for groups of elements in slots that differ in these bits: in registers, or in
  /// successive slots.
  void forEachTogether(const TileLayout &layout, llvm::ArrayRef<unsigned> slotBits,
                       llvm::function_ref<void(llvm::ArrayRef<Own>)> body);
  /// The element in a slot of a layout.
  Own ownIn(const TileLayout &layout, int64_t slot);
  /// Whether the thread is the first that holds its element; null if all are.
  mlir::Value isOwner(const TileLayout &layout);
  /// Whether it is the first one of its CTA.
  mlir::Value isOwnerInCta(const TileLayout &layout);
  /// The coordinates of an element.
  llvm::SmallVector<mlir::Value> coordinatesOf(mlir::Value index, llvm::ArrayRef<int64_t> shape);

  mlir::Value scalar(mlir::Value value) const { return scalars.of(value); }
  void define(mlir::Value value, mlir::Value scalar) { scalars.define(value, scalar); }
  /// The element of a tile, or the scalar.
  mlir::Value read(mlir::Value value, const Own &own);
  /// Defines the element of a tile, or the scalar.
  void write(mlir::Value value, const Own &own, mlir::Value element);
  /// Copies tiles to others in parallel; a producer has none.
  void copy(mlir::ValueRange from, mlir::ValueRange to);

  /// The array of a tile; created if it does not exist.
  Home homeOf(mlir::Value tile);
  Home newHome(mlir::Type elementType, const TileLayout &layout);
  mlir::Value read(const Home &home, const Own &own) {
    return b.readWord(home.base, home.elementType, own.slot);
  }
  void write(const Home &home, const Own &own, mlir::Value element) {
    b.writeWord(home.base, home.elementType, own.slot, element);
  }

  /// The program's scalars; a producer computes only those of its slice.
  emit::Scalars scalars;

  /// Makes the thread number opaque, so that values derived from it are recomputed from here on.
  /// LLVM would hoist them out of all loops, and hundreds of addresses, for example of an epilogue,
  /// would take registers that accumulators need.
  void beginAnew(mlir::Value number) { thread = opaque(b, number); }
  /// The thread's number: that of a thread that holds tiles counts those of all CTAs of the block.
  mlir::Value thread;
  /// The number among the threads of the CTA that hold tiles.
  mlir::Value threadOfCta() {
    return plan.ctas == 1 ? thread : b.modulo(thread, plan.threadsOfCta());
  }
  /// Bytes of local memory for all arrays that are not in registers.
  int64_t localBytes = 0;

private:
  mlir::Value scattered(mlir::Value number, const TileLayout &layout, bool isThread);
  mlir::Value hasNone(int64_t bits);
  mlir::Value recomputed(mlir::Value tile, const Own &own);

  ThreadBuilder &b;
  const Plan &plan;
  const Role role;
  llvm::DenseMap<mlir::Value, Home> homes;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_TILES_H
