// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits accesses to tiles through tensor views. An index and the type of the view give an axis per
// tile dimension: its first coordinate, its tensor dimension, extent and stride (types, 5.2). For a
// tile inside its tensor, with stride 1 along a dimension, a loop nest has vector accesses; for a
// tile that crosses an edge, another nest has masked ones. A test at run time selects one of them,
// once per tile.

#ifndef TILEWRIGHT_CPU_EMIT_VIEWACCESS_H
#define TILEWRIGHT_CPU_EMIT_VIEWACCESS_H

#include "tilewright/cpu/emit/EmitContext.h"
#include "tilewright/cpu/emit/Evaluator.h"
#include "tilewright/cpu/emit/MemoryAccess.h"
#include "tilewright/cpu/plan/Accesses.h"
#include "tilewright/emit/ViewDescriptors.h"

namespace tilewright::cpu {

/// One dimension of a tile in its tensor.
struct Axis {
  int64_t tileExtent;
  mlir::Value first;  ///< The coordinate of position 0; null if sparse.
  mlir::Value sparse; ///< The tile that supplies all coordinates.
  mlir::Value extent, stride;
  /// KnownAxis::fits; for sparse axes, whether the row's coordinates have been tested.
  bool fits = false;

  bool isSparse() const { return bool(sparse); }
};

/// The part of the tensor that a tile covers.
struct TileRegion {
  const Access *access; ///< The planned access.
  mlir::Type elementType;
  mlir::Value base;
  llvm::SmallVector<int64_t> shape;
  llvm::SmallVector<Axis, 4> axes;
};

/// The regions of loads and stores.
using TileRegions = llvm::MapVector<mlir::Operation *, TileRegion>;

class ViewAccess : EmitContext {
public:
  explicit ViewAccess(const EmitContext &context)
      : EmitContext(context), descriptors(b, frame.scalars) {}

  /// Emits an operation that makes a view or queries its size.
  void emitView(mlir::Operation *op) { descriptors.emit(op); }
  /// Makes the result an alias of the assumed view; false if it is no view.
  bool emitAssume(tile::AssumeOp op) { return descriptors.emitAssume(op); }
  void emitLoad(tile::LoadViewOp op);
  void emitStore(tile::StoreViewOp op);

  /// The region of an access through a view: a load, a store or an update.
  template <typename Op> TileRegion regionOf(Op access) {
    return regionOf(access, access.getIndex());
  }
  /// Whether all rows are contiguous and inside their tensors, as an i1; null if that is known.
  /// Must not be called for `Rows::Apart`.
  mlir::Value areContiguousInBounds(const TileRegions &regions);
  /// The number of first iterations of a `for` for which that holds, as an i64; null if only a test
  /// in each iteration can tell. Indices must be the induction variable, or known before the loop.
  mlir::Value wholeIterations(tile::ForOp loop, llvm::ArrayRef<mlir::Operation *> loads,
                              mlir::Value tripCount);
  AddressSet addressesAt(const TileRegion &region, const Position &position, Lanes lanes);
  void forEachAddressSet(const TileRegion &region,
                         llvm::function_ref<void(const Position &, const AddressSet &)> body);
  /// The array of a view.
  const emit::ViewValue &tensor(mlir::Value view) const { return descriptors.of(view); }
  /// The padding value of a view in register form; null if it is unspecified.
  mlir::Value paddingOf(tile::TileView type);

private:
  TileRegion regionOf(mlir::Operation *access, mlir::OperandRange indices);
  mlir::Value isInBounds(const TileRegion &region);

  emit::ViewDescriptors descriptors;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_VIEWACCESS_H
