// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which accesses can use tensor maps: what the maps require of arrays must be known before
// the kernel runs (Roles.h).

#include "tilewright/analysis/Divisibility.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/Plan.h"
#include "tilewright/nvidia/plan/hints/Hints.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/types/ViewGeometry.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

bool nvidia::isMapForbidden(tile::MemoryAccessOpInterface access, const Target &target) {
  return hintOf(access, "allow_tma", target) == 0;
}

/// The operation that makes the array of a view.
static tile::MakeTensorViewOp arrayOf(Value view) {
  while (Operation *op = view.getDefiningOp()) {
    if (auto array = llvm::dyn_cast<tile::MakeTensorViewOp>(op))
      return array;
    view = op->getOperand(0);
  }
  return nullptr;
}

/// What a tensor map requires of addresses, strides and rows of boxes (CUDA driver API,
/// cuTensorMapEncodeTiled).
static constexpr uint64_t mapAlignment = 16;

/// The extents or strides of an array: numbers of the type, or operands.
static SmallVector<std::variant<int64_t, Value>> sizesOf(llvm::ArrayRef<int64_t> fromType,
                                                         mlir::OperandRange dynamic) {
  SmallVector<std::variant<int64_t, Value>> sizes;
  for (int64_t size : fromType) {
    if (!mlir::ShapedType::isDynamic(size)) {
      sizes.push_back(size);
      continue;
    }
    sizes.push_back(Value(dynamic.front()));
    dynamic = dynamic.drop_front();
  }
  return sizes;
}

static bool isDivisible(const std::variant<int64_t, Value> &size, int64_t elementBytes) {
  if (const int64_t *number = std::get_if<int64_t>(&size))
    return *number * elementBytes % int64_t(mapAlignment) == 0;
  return analysis::divisorOf(std::get<Value>(size)) * uint64_t(elementBytes) % mapAlignment == 0;
}

/// Extents of a tensor map have 32 bits.
static bool fits(const std::variant<int64_t, Value> &extent) {
  if (const int64_t *number = std::get_if<int64_t>(&extent))
    return *number <= INT32_MAX;
  auto type = llvm::cast<tile::TileType>(std::get<Value>(extent).getType());
  return type.getElementType().getIntOrFloatBitWidth() <= 32;
}

/// Checks the array of an access: what the map requires must be known before the kernel runs.
static const char *problemOf(tile::MakeTensorViewOp array, unsigned contiguous, int64_t bytes) {
  auto type = llvm::cast<tile::TensorViewType>(array.getResult().getType());
  if (type.getShape().size() > TensorMap::mostDimensions)
    return "the array has more than five dimensions";
  if (analysis::divisorOf(array.getBase()) % mapAlignment != 0)
    return "the address is not known to be a multiple of 16 bytes";
  auto strides = sizesOf(type.getStrides(), array.getDynamicStrides());
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (dim != contiguous && !isDivisible(stride, bytes))
      return "a stride is not known to be a multiple of 16 bytes";
  if (!llvm::all_of(sizesOf(type.getShape(), array.getDynamicShape()), fits))
    return "an extent is not known to have 32 bits or fewer";
  return nullptr;
}

std::optional<size_t> nvidia::rowDimensionOf(llvm::ArrayRef<int64_t> shape, size_t contiguous) {
  std::optional<size_t> found;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent == 1 || dim == contiguous)
      continue;
    if (found)
      return std::nullopt;
    found = dim;
  }
  return found;
}

MapOrReason nvidia::mapFor(const Plan &plan, tile::MemoryAccessOpInterface access,
                           const SharedImage &image) {
  auto view = llvm::cast<tile::TileView>(access.getAddressed().getType());
  tile::MakeTensorViewOp array = arrayOf(access.getAddressed());
  const int64_t elementBytes = elementwise::wordBytes(view.getTensorView().getElementType());
  if (!array)
    return {.reason = "the array is chosen at run time"};
  auto shape = llvm::to_vector_of<int64_t>(view.getTileShape());
  auto rules = tile::rulesOf(view);
  const auto inRow = size_t(plan.runDimensionOf(access));
  std::optional<size_t> across = rowDimensionOf(shape, inRow);
  if (!across)
    return {.reason = "the tile is not a matrix"};
  auto fill = tile::paddingOf(view);
  if (access.isLoad() && fill && fill->bits != 0)
    return {.reason = "elements outside of the array are not zero"};
  if (shape[inRow] * elementBytes != image.rowBytes || shape[*across] != image.rows)
    return {.reason = "the tile is reshaped"};
  if (image.span < SharedImage::narrowestSpan)
    return {.reason = "rows of the tile have less than 32 bytes"};
  const unsigned contiguous = rules[inRow].tensorDim;
  if (view.getTensorView().getStrides()[contiguous] != 1)
    return {.reason = "the rows are not known to be contiguous"};
  if (const char *problem = problemOf(array, contiguous, elementBytes))
    return {.reason = problem};
  MapOrReason made;
  made.map = {array.getResult(), {contiguous}, {image.span / elementBytes}, elementBytes};
  // The last dimensions of the tile come first: their strides are usually the smallest.
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (dim == inRow)
      continue;
    if (dim == *across)
      made.rowDim = made.map.dims.size();
    made.map.dims.push_back(rules[dim].tensorDim);
    made.map.box.push_back(std::min<int64_t>(shape[dim], TensorMap::mostInBox));
  }
  return made;
}

bool nvidia::isMadeBefore(const TensorMap &map, mlir::Operation *start) {
  mlir::Operation *array = map.view.getDefiningOp();
  return array->getBlock() == start->getBlock() && array->isBeforeInBlock(start);
}
