// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ViewDescriptors.h.

#include "tilewright/emit/ViewDescriptors.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/types/ViewGeometry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::emit;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

ViewValue ViewDescriptors::makeTensorView(tile::MakeTensorViewOp op) {
  auto type = llvm::cast<tile::TensorViewType>(op.getResult().getType());
  auto sizes = [&](llvm::ArrayRef<int64_t> fromType, mlir::OperandRange dynamic) {
    SmallVector<Value, 4> values;
    for (int64_t size : fromType) {
      if (!mlir::ShapedType::isDynamic(size)) {
        values.push_back(b.i64(size));
        continue;
      }
      values.push_back(b.zeroExtended(scalars.of(dynamic.front())));
      dynamic = dynamic.drop_front();
    }
    return values;
  };
  return {scalars.of(op.getBase()), sizes(type.getShape(), op.getDynamicShape()),
          sizes(type.getStrides(), op.getDynamicStrides())};
}

/// The same as DimensionRule::indexCount, but without computing extent + step, which might
/// overflow.
Value ViewDescriptors::indexCount(tile::TileView view, int64_t dim, const ViewValue &tensor) {
  auto rule = tile::ruleOf(view, dim);
  Value by = b.i64(rule.step), size = tensor.extents[rule.tensorDim];
  Value whole = b.createOrFold<arith::DivUIOp>(size, by);
  Value rest = b.createOrFold<arith::RemUIOp>(size, by);
  Value more = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rest, b.i64(0));
  return b.add(whole, arith::ExtUIOp::create(b, b.getI64Type(), more));
}

void ViewDescriptors::emit(mlir::Operation *op) {
  if (auto make = llvm::dyn_cast<tile::MakeTensorViewOp>(op)) {
    views[make.getResult()] = makeTensorView(make);
    return;
  }
  ViewValue view = views.lookup(op->getOperand(0));
  if (!llvm::isa<tile::GetTensorShapeOp, tile::GetIndexSpaceShapeOp>(op)) {
    views[op->getResult(0)] = view; // the type determines how it traverses the tensor
    return;
  }
  for (auto [dim, result] : llvm::enumerate(op->getResults())) {
    auto space = llvm::dyn_cast<tile::GetIndexSpaceShapeOp>(op);
    Value extent = space
                       ? indexCount(llvm::cast<tile::TileView>(space.getSrc().getType()), dim, view)
                       : view.extents[dim];
    mlir::Type type =
        elementwise::registerType(llvm::cast<tile::TileType>(result.getType()).getElementType());
    bool isWide = type.isInteger(64);
    scalars.define(result, isWide ? extent : arith::TruncIOp::create(b, type, extent).getResult());
  }
}

const ViewValue *ViewDescriptors::emitAssume(tile::AssumeOp op) {
  const ViewValue *assumed = find(op.getValue());
  if (!assumed)
    return nullptr;
  ViewValue copy = *assumed;
  return &(views[op->getResult(0)] = copy);
}

const ViewValue *ViewDescriptors::find(Value view) const {
  auto found = views.find(view);
  return found == views.end() ? nullptr : &found->second;
}

const ViewValue &ViewDescriptors::of(Value view) const {
  const ViewValue *known = find(view);
  assert(known && "views are emitted before their uses");
  return *known;
}
