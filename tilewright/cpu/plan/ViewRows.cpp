// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ViewRows.h.

#include "tilewright/cpu/plan/ViewRows.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/tile/types/ViewGeometry.h"

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;
using tile::MemoryAccessOpInterface;

//===-- Sizes of tensors ----------------------------------------------------------------------===//

namespace {
/// In elements; none if known only at run time.
struct KnownSizes {
  SmallVector<std::optional<int64_t>, 4> extents, strides;
};
} // namespace

static KnownSizes knownSizesOf(Value view);

/// The value of a size that the program computes: a constant, or the static extent of another
/// tensor, if no bits are lost.
static std::optional<int64_t> knownSize(Value size) {
  Operation *op = size.getDefiningOp();
  if (auto assume = llvm::dyn_cast_if_present<tile::AssumeOp>(op))
    return knownSize(assume.getValue());
  if (auto constant = llvm::dyn_cast_if_present<tile::ConstantOp>(op)) {
    auto values = llvm::cast<mlir::DenseElementsAttr>(constant.getValue());
    return (*values.value_begin<llvm::APInt>()).getZExtValue();
  }
  auto shape = llvm::dyn_cast_if_present<tile::GetTensorShapeOp>(op);
  if (!shape || !llvm::cast<tile::TileType>(size.getType()).getElementType().isInteger(64))
    return std::nullopt;
  return knownSizesOf(op->getOperand(0))
      .extents[llvm::cast<mlir::OpResult>(size).getResultNumber()];
}

static KnownSizes knownSizesOf(Value view) {
  Operation *op = view.getDefiningOp();
  while (!llvm::isa<tile::MakeTensorViewOp>(op)) // the view's traversal, or an assumption
    op = op->getOperand(0).getDefiningOp();
  auto make = llvm::cast<tile::MakeTensorViewOp>(op);
  auto type = llvm::cast<tile::TensorViewType>(make.getResult().getType());
  auto known = [](llvm::ArrayRef<int64_t> fromType, mlir::OperandRange dynamic) {
    SmallVector<std::optional<int64_t>, 4> sizes;
    for (int64_t size : fromType) {
      bool isDynamic = mlir::ShapedType::isDynamic(size);
      sizes.push_back(isDynamic ? knownSize(dynamic.front()) : size);
      dynamic = dynamic.drop_front(isDynamic);
    }
    return sizes;
  };
  return {known(type.getShape(), make.getDynamicShape()),
          known(type.getStrides(), make.getDynamicStrides())};
}

//===-- Axes ----------------------------------------------------------------------------------===//

static tile::TileView viewTypeOf(MemoryAccessOpInterface access) {
  return llvm::cast<tile::TileView>(access.getAddressed().getType());
}

KnownAxes cpu::knownAxesOf(MemoryAccessOpInterface access) {
  tile::TileView type = viewTypeOf(access);
  KnownSizes sizes = knownSizesOf(access.getAddressed());
  KnownAxes axes;
  for (auto [dim, extent] : llvm::enumerate(type.getTileShape())) {
    tile::DimensionRule rule = tile::ruleOf(type, dim);
    std::optional<int64_t> whole = sizes.extents[rule.tensorDim];
    bool fits = whole && rule.step == extent && *whole % extent == 0;
    axes.push_back({rule.isSparse, fits, sizes.strides[rule.tensorDim]});
  }
  return axes;
}

bool cpu::areKnownInside(const KnownAxes &axes) {
  return llvm::all_of(axes, [](const KnownAxis &axis) { return axis.isSparse || axis.fits; });
}

//===-- Rows ----------------------------------------------------------------------------------===//

/// The stride along the tile's rows, if it is known.
static std::optional<int64_t> rowStrideOf(MemoryAccessOpInterface access, const KnownAxes &axes) {
  int64_t dim = lastWideDimension(llvm::to_vector_of<int64_t>(viewTypeOf(access).getTileShape()));
  return dim < 0 ? 1 : axes[dim].stride;
}

Rows cpu::rowsOf(llvm::ArrayRef<Operation *> accesses) {
  bool isTested = false, areApart = false;
  for (Operation *op : accesses) {
    auto access = llvm::cast<MemoryAccessOpInterface>(op);
    KnownAxes axes = knownAxesOf(access);
    std::optional<int64_t> stride = rowStrideOf(access, axes);
    areApart |= stride && *stride != 1;
    isTested |= !stride || !areKnownInside(axes);
  }
  return areApart ? Rows::Apart : isTested ? Rows::Tested : Rows::Contiguous;
}

Lanes cpu::lanesOutside(MemoryAccessOpInterface access) {
  return rowStrideOf(access, knownAxesOf(access)) == 1 ? Lanes::ContiguousMasked : Lanes::Gathered;
}
