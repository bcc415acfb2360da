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
#include "tilewright/cpu/plan/Accesses.h"

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
  /// KnownAxis::fits; of coordinates from a tile, whether those of the row have been tested.
  bool fits = false;

  bool isSparse() const { return bool(sparse); }
};

/// A tile of a view, in the tensor.
struct TileRegion {
  const Access *access; ///< What the plan says of it.
  mlir::Type elementType;
  mlir::Value base;
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<Axis, 4> axes;
};

/// Of loads and stores.
using TileRegions = llvm::MapVector<mlir::Operation *, TileRegion>;

class ViewAccess {
public:
  ViewAccess(LoopBuilder &b, const Accesses &accesses, Frame &frame, Buffers &buffers,
             MemoryAccess &memory, Evaluator &evaluator)
      : b(b), accesses(accesses), frame(frame), buffers(buffers), memory(memory),
        evaluator(evaluator) {}

  /// An operation that makes a view, or says how large one is.
  void emitView(mlir::Operation *op);
  /// The result is the same view; false if it is no view.
  bool emitAssume(tile::AssumeOp op);
  void emitLoad(tile::LoadViewOp op);
  void emitStore(tile::StoreViewOp op);

  /// Of an access through a view: a load, a store or an update.
  template <typename Op> TileRegion regionOf(Op access) {
    return regionOf(access, access.getIndex());
  }
  /// Whether all rows are contiguous and inside of their tensors, as an i1; null if they are known
  /// to be. Not for rows that are apart.
  mlir::Value areContiguousInBounds(const TileRegions &regions);
  /// For how many of the first iterations of a `for` that is so, an i64; null where only a test in
  /// each tells: indices are the induction value, or known before the loop.
  mlir::Value wholeIterations(tile::ForOp loop, llvm::ArrayRef<mlir::Operation *> loads,
                              mlir::Value tripCount);
  AddressSet addressesAt(const TileRegion &region, const Position &position, Lanes lanes);
  void forEachAddressSet(const TileRegion &region,
                         llvm::function_ref<void(const Position &, const AddressSet &)> body);
  /// The array that a view shows.
  const ViewValue &tensor(mlir::Value view) const { return views.find(view)->second; }
  /// What elements outside of the tensor read as, in register form; null if that is unspecified.
  mlir::Value paddingOf(tile::TileView type);

private:
  TileRegion regionOf(mlir::Operation *access, mlir::OperandRange indices);
  ViewValue makeTensorView(tile::MakeTensorViewOp op);
  mlir::Value isInBounds(const TileRegion &region);

  LoopBuilder &b;
  const Accesses &accesses;
  Frame &frame;
  Buffers &buffers;
  MemoryAccess &memory;
  Evaluator &evaluator;
  llvm::DenseMap<mlir::Value, ViewValue> views;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_VIEWACCESS_H
