// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views in generated code. Every view of a tensor is described by the tensor's base address,
// extents and strides; how the view traverses the tensor is known from its type (types, 5.2).

#ifndef TILEWRIGHT_EMIT_VIEWDESCRIPTORS_H
#define TILEWRIGHT_EMIT_VIEWDESCRIPTORS_H

#include "tilewright/emit/IrBuilder.h"
#include "tilewright/emit/Scalars.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::emit {

/// An array in memory: its address, and its extents and strides in elements, all in i64.
struct ViewValue {
  mlir::Value base;
  llvm::SmallVector<mlir::Value, 4> extents, strides;
};

class ViewDescriptors {
public:
  ViewDescriptors(IrBuilder &b, Scalars &scalars) : b(b), scalars(scalars) {}

  /// Emits an operation that makes a view or queries its size.
  void emit(mlir::Operation *op);
  /// Makes the result of an `assume` an alias of the assumed view, which it returns; null if no
  /// view is assumed.
  const ViewValue *emitAssume(tile::AssumeOp op);

  /// The array of a view; null if the function has not computed it.
  const ViewValue *find(mlir::Value view) const;
  /// The same, for a view that the function has computed.
  const ViewValue &of(mlir::Value view) const;
  void define(mlir::Value view, const ViewValue &value) { views[view] = value; }

private:
  ViewValue makeTensorView(tile::MakeTensorViewOp op);
  mlir::Value indexCount(tile::TileView view, int64_t dim, const ViewValue &tensor);

  IrBuilder &b;
  Scalars &scalars;
  llvm::DenseMap<mlir::Value, ViewValue> views;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_VIEWDESCRIPTORS_H
