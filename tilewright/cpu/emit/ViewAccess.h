// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are tiles of tensor views read and written? An index and the type of the view give an
// axis per tile dimension: where it begins, in which tensor dimension, with what extent and
// stride (types, 5.2). A tile that lies inside of its tensor, along an axis of stride 1, is
// a nest of vector accesses; one that reaches over an edge is another nest, under masks. Which of
// the two runs is decided at run time, once per tile.

#ifndef TILEWRIGHT_CPU_EMIT_VIEWACCESS_H
#define TILEWRIGHT_CPU_EMIT_VIEWACCESS_H

#include "tilewright/cpu/emit/Evaluator.h"
#include "tilewright/cpu/emit/MemoryAccess.h"

namespace tilewright::cpu {

/// An array in memory, all in i64: the address, extents and strides in elements.
struct ViewValue {
  mlir::Value base;
  llvm::SmallVector<mlir::Value, 4> extents, strides;
};

/// One dimension of a tile in its tensor.
struct Axis {
  int64_t tileExtent;
  mlir::Value first;  ///< Coordinate of position 0; null if sparse.
  mlir::Value sparse; ///< The tile of all coordinates.
  mlir::Value extent, stride;
  /// Tiles lie side by side, and the extent is known to be a multiple of theirs.
  bool fits = false;

  bool isSparse() const { return bool(sparse); }
};

/// A tile of a view, in the tensor.
struct TileRegion {
  mlir::Type elementType;
  mlir::Value base;
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<Axis, 4> axes;

  /// The stride along the rows of the tile, if it is known.
  std::optional<int64_t> rowStride() const;
};

/// Of loads and stores.
using TileRegions = llvm::MapVector<mlir::Operation *, TileRegion>;

/// How the lanes of a vector lie in memory.
enum class Lanes {
  Contiguous,       ///< Neighbours in memory, and the tile is inside of the tensor.
  ContiguousMasked, ///< Neighbours in memory.
  Gathered,         ///< Each lane has its own address.
};

class ViewAccess {
public:
  ViewAccess(LoopBuilder &b, Frame &frame, Buffers &buffers, MemoryAccess &memory,
             Evaluator &evaluator)
      : b(b), frame(frame), buffers(buffers), memory(memory), evaluator(evaluator) {}

  /// An operation that makes a view, or says how large one is.
  void emitView(mlir::Operation *op);
  /// The result is the same view; false if it is no view.
  bool emitAssume(tile::AssumeOp op);
  void emitLoad(tile::LoadViewOp op);
  void emitStore(tile::StoreViewOp op);

  TileRegion regionOf(tile::TileView type, mlir::Value view, mlir::OperandRange indices);
  TileRegion regionOf(tile::LoadViewOp load);
  TileRegion regionOf(tile::StoreViewOp store);
  /// Whether all rows are contiguous and inside of their tensors, as an i1; null if they are known
  /// to be. Ask `mayBeContiguous` first.
  mlir::Value areContiguousInBounds(const TileRegions &regions);
  AddressSet addressesAt(const TileRegion &region, const Position &position, Lanes lanes);
  void forEachAddressSet(const TileRegion &region, bool oneByOne,
                         llvm::function_ref<void(const Position &, const AddressSet &)> body);
  /// What elements outside of the tensor read as, in register form; null if that is unspecified.
  mlir::Value paddingOf(tile::TileView type);

private:
  ViewValue makeTensorView(tile::MakeTensorViewOp op);
  mlir::Value isInBounds(const TileRegion &region);

  LoopBuilder &b;
  Frame &frame;
  Buffers &buffers;
  MemoryAccess &memory;
  Evaluator &evaluator;
  llvm::DenseMap<mlir::Value, ViewValue> views;
};

/// Whether no row is known to have a stride other than 1.
bool mayBeContiguous(const TileRegions &regions);

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_VIEWACCESS_H
