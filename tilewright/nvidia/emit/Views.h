// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are tiles of tensor views read and written? An index and the type of the view give, for each
// dimension of the tile, where it begins, in which dimension of the tensor, with what extent and
// stride (types, 5.2). Each thread finds its elements, and whether they are inside. Those that
// follow each other in memory go together, where addresses are aligned and the tensor does not end
// among them: that is asked once for the tile, when the kernel runs.

#ifndef TILEWRIGHT_NVIDIA_EMIT_VIEWS_H
#define TILEWRIGHT_NVIDIA_EMIT_VIEWS_H

#include "tilewright/nvidia/emit/MemoryAccess.h"
#include "tilewright/nvidia/emit/SharedMemory.h"

namespace tilewright::nvidia {

/// An array in memory, all in i64: the address, extents and strides in elements.
struct ViewValue {
  mlir::Value base;
  llvm::SmallVector<mlir::Value, 4> extents, strides;
};

/// One dimension of a tile in its tensor.
struct Axis {
  int64_t tileExtent;
  mlir::Value first;          ///< Coordinate of position 0, if the dimension is not sparse.
  std::optional<Home> listed; ///< Coordinates, for each element of the tile.
  mlir::Value extent, stride;
};

/// A tile of a view, in the tensor, and who accesses which element of it.
struct TileRegion {
  mlir::Type elementType;
  mlir::Value base;
  TileLayout layout;
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<Axis, 4> axes;
};

/// Elements that a thread may access at once.
struct Run {
  int64_t width = 1;
  mlir::Value condition; ///< When it may, for all of the tile; null: always.
};

class Views {
public:
  Views(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared,
        MemoryAccess &memory)
      : b(b), plan(plan), tiles(tiles), shared(shared), memory(memory) {}

  /// An operation that makes a view, or says how large one is.
  void emitView(mlir::Operation *op);
  /// The result is the same view; false if it is no view.
  bool emitAssume(tile::AssumeOp op);
  void emit(tile::LoadViewOp op);
  /// These slots of a load that plan.loadedInPieces has.
  void emitPiece(tile::LoadViewOp op, Slots slots);
  /// The elements of a load, not into registers but to where `placeOf` says for the number of one,
  /// in shared memory; those that the thread copies at once follow each other there. On targets
  /// that have asynchronous copies, they end with the group that is committed next.
  void copy(tile::LoadViewOp op, llvm::function_ref<mlir::Value(mlir::Value)> placeOf);
  void emit(tile::StoreViewOp op);

  /// For code that gives a view another value, and what it was.
  ViewValue valueOf(mlir::Value view) const { return views.lookup(view); }
  void define(mlir::Value view, const ViewValue &value) {
    if (value.base)
      views[view] = value;
  }

  TileRegion regionOf(tile::MemoryAccessOpInterface access, mlir::OperandRange indices);
  Address addressAt(const TileRegion &region, const Own &own);

private:
  using ElementOf = llvm::function_ref<mlir::Value(const Own &)>;

  ViewValue makeTensorView(tile::MakeTensorViewOp op);
  Home spread(mlir::Value list, int64_t dim, const TileRegion &region, int64_t bytes);
  Run runOf(tile::MemoryAccessOpInterface access, const TileRegion &region);
  void forEachAlone(const TileRegion &region, const Run &run,
                    llvm::function_ref<void(const Own &, const Address &)> body,
                    std::optional<Slots> only = std::nullopt);
  void load(tile::LoadViewOp op, const TileRegion &region, Home into,
            std::optional<Slots> only = std::nullopt);
  void store(tile::StoreViewOp op, const TileRegion &region, ElementOf element);
  Own partnerOf(const TileLayout &layout, const Own &own);
  mlir::Value areByte(const Address &element, const Address &partner, mlir::Value isEven);
  void storeHalves(const TileRegion &region, AccessOrder order, ElementOf element);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  SharedMemory &shared;
  MemoryAccess &memory;
  llvm::DenseMap<mlir::Value, ViewValue> views;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_VIEWS_H
