// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits data movement between threads. All threads write their elements to shared memory, wait at a
// barrier, and read the elements that they need. Tiles that do not fit are moved in chunks, one
// after the other. Swizzles reduce bank conflicts (plan/SharedPlaces.h). Every use of the memory
// begins with a barrier, so that no thread still reads data of the previous use. Layout conversions
// within warps may use shuffles instead (plan/LaneSwaps.h).

#ifndef TILEWRIGHT_NVIDIA_EMIT_SHAREDMEMORY_H
#define TILEWRIGHT_NVIDIA_EMIT_SHAREDMEMORY_H

#include "tilewright/nvidia/emit/Tiles.h"
#include "tilewright/nvidia/plan/SharedPlaces.h"

namespace tilewright::nvidia {

/// The elements that threads write: `numberOf` gives their numbers among all `elements`.
struct Given {
  TileLayout layout; ///< The layout in the writing threads.
  mlir::Type elementType;
  llvm::function_ref<mlir::Value(const Own &)> element;
  /// If null: the number of the element in its tile.
  llvm::function_ref<mlir::Value(const Own &)> numberOf = nullptr;
};

/// The elements that threads read, for each element of a tile.
struct Wanted {
  TileLayout layout;
  /// The number of the element to read; null: the same number.
  llvm::function_ref<mlir::Value(const Own &)> number;
  llvm::function_ref<void(const Own &, mlir::Value)> receive;
  /// Whether to read at all; null: always.
  llvm::function_ref<mlir::Value(const Own &)> condition = nullptr;
  /// If `number` is a permutation or selection of bits: for each bit of the thread-local element's
  /// number, the bit of `number`, or -1 if none. Else empty.
  llvm::ArrayRef<int> sourceBits = {};
};

class SharedMemory {
public:
  SharedMemory(ThreadBuilder &b, Tiles &tiles) : b(b), tiles(tiles) {}
  /// The same memory, for the threads of a role.
  SharedMemory(ThreadBuilder &b, Tiles &tiles, const SharedMemory &declared)
      : b(b), tiles(tiles), memory(declared.memory) {}

  /// Declares the shared memory of a kernel: an array of the size, or, unless the form is static,
  /// one whose size is set later, by the launch or in the cubin (Assemble.h).
  void declare(mlir::ModuleOp into, const Reserved &size, SharedMemoryForm form);
  mlir::Value base();
  /// The address of a byte, as instructions take it.
  mlir::Value addressAt(mlir::Value offset) {
    return mlir::LLVM::PtrToIntOp::create(b, b.getI32Type(), b.byteOffset(base(), offset));
  }

  /// Moves elements through at most `bytes` of shared memory.
  void exchange(const Given &given, llvm::ArrayRef<Wanted> wanted, int64_t bytes);
  /// Converts elements to another layout, with the exchange's shuffles if it has any.
  void convert(const Given &given, const TileLayout &to,
               llvm::function_ref<void(const Own &, mlir::Value)> receive,
               const Exchange &exchange);
  /// Reads elements of a tile for tiles of other shapes.
  void gather(mlir::Value source, llvm::ArrayRef<Wanted> wanted, int64_t bytes);
  /// Broadcasts elements from the first thread that holds each to the others.
  void share(mlir::Value tile, int64_t bytes);

  /// Writes the thread's elements that are in this chunk to `at`, at places given by their numbers.
  void writeWindow(const Given &given, mlir::Value at, mlir::Value window, int64_t size,
                   int64_t windows);

private:
  /// One chunk of the elements.
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
