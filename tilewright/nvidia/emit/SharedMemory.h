// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do elements come from thread to thread? All threads write what they hold to shared memory,
// wait for each other, and read what they want. What does not fit goes in windows of as many
// elements as fit, one after the other. Places are chosen so that lanes meet in few banks of the
// memory (plan/SharedPlaces.h). Every use of the memory begins with a barrier, so that nobody reads
// any more what the last one has left there. Elements that stay within warps may go by shuffles
// (plan/LaneSwaps.h).

#ifndef TILEWRIGHT_NVIDIA_EMIT_SHAREDMEMORY_H
#define TILEWRIGHT_NVIDIA_EMIT_SHAREDMEMORY_H

#include "tilewright/nvidia/emit/Tiles.h"
#include "tilewright/nvidia/plan/SharedPlaces.h"

namespace tilewright::nvidia {

/// Elements that go there: number `numberOf` of `elements` that there are in all.
struct Given {
  TileLayout layout; ///< Of the threads that have them.
  mlir::Type elementType;
  llvm::function_ref<mlir::Value(const Own &)> element;
  /// Null: the number of the element in its tile.
  llvm::function_ref<mlir::Value(const Own &)> numberOf = nullptr;
};

/// What comes back, for each element of a tile.
struct Wanted {
  TileLayout layout;
  /// Null: the element of the same number.
  llvm::function_ref<mlir::Value(const Own &)> number;
  llvm::function_ref<void(const Own &, mlir::Value)> receive;
  /// Whether anything is wanted; null: always.
  llvm::function_ref<mlir::Value(const Own &)> condition = nullptr;
  /// If each bit of the own number is one of `number`: which, or -1 if none. Else empty.
  llvm::ArrayRef<int> sourceBits = {};
};

class SharedMemory {
public:
  SharedMemory(ThreadBuilder &b, Tiles &tiles) : b(b), tiles(tiles) {}

  /// Declares the memory of a kernel.
  void declare(mlir::ModuleOp into, const Reserved &size);
  mlir::Value base();

  /// `bytes` is what may be taken.
  void exchange(const Given &given, llvm::ArrayRef<Wanted> wanted, int64_t bytes);
  /// The same elements in another layout, by shuffles if the exchange has these.
  void convert(const Given &given, const TileLayout &to,
               llvm::function_ref<void(const Own &, mlir::Value)> receive,
               const Exchange &exchange);
  /// A tile, to others of other shapes.
  void gather(mlir::Value source, llvm::ArrayRef<Wanted> wanted, int64_t bytes);
  /// What only the first thread with an element knows becomes known to all.
  void share(mlir::Value tile, int64_t bytes);

  /// Writes those of the thread's elements that are in the window, from `at` on, by their numbers.
  void writeWindow(const Given &given, mlir::Value at, mlir::Value window, int64_t size,
                   int64_t windows);

private:
  /// One of the parts in which all elements go.
  struct Part {
    mlir::Value at, window;
    int64_t size, windows;
    SharedPlaces places;
  };
  mlir::Value placeOf(mlir::Value number, const Part &part);
  mlir::Value isThere(mlir::Value number, const Part &part);
  mlir::Value pointerTo(mlir::Value number, mlir::Type elementType, const Part &part);
  void write(const Given &given, const Part &part);
  void read(const Wanted &want, mlir::Type elementType, const Part &part);
  void shuffle(const Given &given, const TileLayout &to,
               llvm::function_ref<void(const Own &, mlir::Value)> receive, const LaneSwaps &swaps);

  ThreadBuilder &b;
  Tiles &tiles;
  mlir::LLVM::GlobalOp memory;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_SHAREDMEMORY_H
