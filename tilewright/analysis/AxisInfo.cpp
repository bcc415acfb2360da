// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AxisInfo.h.

#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/tile/types/Types.h"

using namespace tilewright;
using analysis::AxisInfo;
using mlir::Operation;
using mlir::Value;
using tile::RearrangementOpInterface;

static llvm::ArrayRef<int64_t> shapeOf(Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return type ? type.getShape() : llvm::ArrayRef<int64_t>();
}

static std::optional<llvm::APInt> splatOf(Value value) {
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  if (!constant || !constant.getValue().isSplat() ||
      !llvm::isa<mlir::IntegerType>(type.getElementType()))
    return std::nullopt;
  return constant.getValue().getSplatValue<llvm::APInt>();
}

//===-- Strides -------------------------------------------------------------------------------===//

/// The dimension of the source that a dimension of the result goes along, element by element.
static std::optional<unsigned> sourceDimension(RearrangementOpInterface op, unsigned dim) {
  int64_t extent = shapeOf(op->getResult(0))[dim], step = op.getElementSteps()[dim], rest = 1;
  llvm::ArrayRef<int64_t> source = shapeOf(op.getMoved());
  for (unsigned from = source.size(); from-- > 0; rest *= source[from])
    if (source[from] == extent && rest == step)
      return from;
  return std::nullopt;
}

/// What an assumption says of a whole dimension: runs that grow by one, or equal elements.
static std::optional<int64_t> assumedStride(tile::AssumeOp op, unsigned dim) {
  int64_t extent = shapeOf(op.getResult())[dim];
  mlir::Attribute predicate = op.getPredicate();
  if (auto divBy = llvm::dyn_cast<tile::DivByAttr>(predicate))
    if (divBy.getAlong() == int64_t(dim) && *divBy.getEvery() >= extent)
      return 1;
  if (auto same = llvm::dyn_cast<tile::SameElementsAttr>(predicate))
    if (same.getValues()[dim] >= extent)
      return 0;
  return std::nullopt;
}

std::optional<int64_t> AxisInfo::stride(Value tile, unsigned dim) {
  if (auto found = strides.find({tile, dim}); found != strides.end())
    return found->second;
  std::optional<int64_t> stride = computeStride(tile, dim);
  strides[{tile, dim}] = stride;
  return stride;
}

std::optional<int64_t> AxisInfo::computeStride(Value tile, unsigned dim) {
  llvm::ArrayRef<int64_t> shape = shapeOf(tile);
  Operation *op = tile.getDefiningOp();
  if (shape.empty() || shape[dim] == 1)
    return 0;
  if (!op)
    return std::nullopt;
  auto linear = [&](Value a, Value b, int64_t factor) -> std::optional<int64_t> {
    std::optional<int64_t> first = stride(a, dim), second = stride(b, dim);
    if (!first || !second)
      return std::nullopt;
    return int64_t(uint64_t(*first) + uint64_t(factor) * uint64_t(*second));
  };
  auto times = [&](Value a, Value b) -> std::optional<int64_t> {
    std::optional<llvm::APInt> factor = splatOf(b);
    std::optional<int64_t> first = factor ? stride(a, dim) : std::nullopt;
    if (!first)
      return std::nullopt;
    return int64_t(uint64_t(*first) * uint64_t(factor->getSExtValue()));
  };
  if (llvm::isa<tile::IotaOp>(op))
    return 1;
  if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
    return constant.getValue().isSplat() ? std::optional(0) : std::nullopt;
  if (auto moved = llvm::dyn_cast<RearrangementOpInterface>(op)) {
    if (moved.getElementSteps()[dim] == 0)
      return 0;
    std::optional<unsigned> from = sourceDimension(moved, dim);
    return from ? stride(moved.getMoved(), *from) : std::nullopt;
  }
  if (auto assume = llvm::dyn_cast<tile::AssumeOp>(op)) {
    std::optional<int64_t> assumed = assumedStride(assume, dim);
    return assumed ? assumed : stride(assume.getValue(), dim);
  }
  if (!llvm::isa<tile::ElementwiseOpInterface>(op))
    return std::nullopt;
  if (llvm::all_of(op->getOperands(), [&](Value v) { return stride(v, dim) == 0; }))
    return 0;
  if (auto offset = llvm::dyn_cast<tile::OffsetOp>(op)) {
    // Each offset is extended on its own: where two of them wrap around, addresses move twice.
    std::optional<int64_t> from = stride(offset.getPtr(), dim),
                           by = stride(offset.getOffset(), dim);
    return from == 0 ? by : by == 0 ? from : std::nullopt;
  }
  if (auto add = llvm::dyn_cast<tile::AddIOp>(op))
    return linear(add.getLhs(), add.getRhs(), 1);
  if (auto sub = llvm::dyn_cast<tile::SubIOp>(op))
    return linear(sub.getLhs(), sub.getRhs(), -1);
  if (auto mul = llvm::dyn_cast<tile::MulIOp>(op)) {
    std::optional<int64_t> product = times(mul.getLhs(), mul.getRhs());
    return product ? product : times(mul.getRhs(), mul.getLhs());
  }
  return std::nullopt;
}

int64_t analysis::contiguousDimension(Value pointers) {
  llvm::ArrayRef<int64_t> shape = shapeOf(pointers);
  AxisInfo info;
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim)
    if (shape[dim] > 1 && info.stride(pointers, dim) == 1)
      return dim;
  return -1;
}
