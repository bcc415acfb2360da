// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits accesses to tiles through tensor views. An index and the type of the view give, for each
// dimension of the tile, its first coordinate, its tensor dimension, extent and stride (types,
// 5.2). Each thread computes the addresses of its elements, and whether they are inside. Elements
// that are contiguous in memory are accessed together, if addresses are aligned and the tensor does
// not end among them: one test per tile finds that out at run time.

#ifndef TILEWRIGHT_NVIDIA_EMIT_VIEWS_H
#define TILEWRIGHT_NVIDIA_EMIT_VIEWS_H

#include "tilewright/emit/ViewDescriptors.h"
#include "tilewright/nvidia/emit/MemoryAccess.h"
#include "tilewright/nvidia/emit/SharedMemory.h"

namespace tilewright::nvidia {

using emit::ViewValue;

/// One dimension of a tile in its tensor.
struct Axis {
  int64_t tileExtent;
  mlir::Value first;          ///< The coordinate of position 0, if the dimension is not sparse.
  std::optional<Home> listed; ///< The coordinates for each element of the tile.
  mlir::Value extent, stride;
};

/// The part of a tensor that a tile covers, and which thread accesses which element.
struct TileRegion {
  mlir::Type elementType;
  mlir::Value base;
  TileLayout layout;
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<Axis, 4> axes;
};

/// Contiguous elements that a thread may access at once.
struct Run {
  int64_t width = 1;
  mlir::Value condition; ///< Whether it may, for the whole tile; null: always.
};

class Views {
public:
  Views(ThreadBuilder &b, const Plan &plan, Tiles &tiles, SharedMemory &shared,
        MemoryAccess &memory)
      : b(b), plan(plan), tiles(tiles), shared(shared), memory(memory), views(b, tiles.scalars) {}

  /// Emits an operation that makes a view or queries its size.
  void emitView(mlir::Operation *op) { views.emit(op); }
  /// Makes the result an alias of the assumed view; false if it is no view.
  bool emitAssume(tile::AssumeOp op);
  void emit(tile::LoadViewOp op);
  /// Loads these slots of a load in `plan.loadedInPieces`.
  void emitPiece(tile::LoadViewOp op, Slots slots);
  /// Copies the elements of a load into shared memory, to the addresses that `placeOf` returns for
  /// element numbers; elements that a thread copies at once are contiguous there. On targets with
  /// asynchronous copies, they complete with the next committed group.
  void copy(tile::LoadViewOp op, llvm::function_ref<mlir::Value(mlir::Value)> placeOf);
  void emit(tile::StoreViewOp op);

  /// For code that temporarily changes the value of a view.
  ViewValue valueOf(mlir::Value view) const {
    const ViewValue *known = views.find(view);
    return known ? *known : ViewValue();
  }
  void define(mlir::Value view, const ViewValue &value) {
    if (value.base)
      views.define(view, value);
  }

  TileRegion regionOf(tile::MemoryAccessOpInterface access, mlir::OperandRange indices);
  Address addressAt(const TileRegion &region, const Own &own);

private:
  using ElementOf = llvm::function_ref<mlir::Value(const Own &)>;

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
  emit::ViewDescriptors views;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_VIEWS_H
